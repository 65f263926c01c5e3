import type { SeenExchange } from './observer.js';

/** Whether the request succeeded; the checks judge which success it should have been. */
export function isDone({ status }: Pick<SeenExchange, 'status'>): boolean {
  return status >= 200 && status < 300;
}
