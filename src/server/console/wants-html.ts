import type { IncomingMessage } from 'node:http';

/** Whether a browser is to show the answer: it names HTML, where other clients take anything. */
export function wantsHtml({ headers }: IncomingMessage): boolean {
  return headers.accept?.includes('text/html') === true;
}
