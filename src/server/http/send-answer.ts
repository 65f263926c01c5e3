import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { ApiResponse } from '../../contract/message.js';
import { cutShort } from './cut-short.js';

export interface Out {
  response: ServerResponse;
  vary: string;
}

/** Sends an answer, or does to the connection what a fault says. */
export function deliver(answered: ApiResponse, method: string, out: Out): void {
  const { transport } = answered;
  if (transport === undefined) return send(answered, method, out);
  const now = (): void => {
    if (transport.cut === undefined) send(answered, method, out);
    else cutShort(answered, transport.cut, out.response);
  };
  if (transport.delay === 0) return now();
  const timer = setTimeout(now, transport.delay);
  out.response.once('close', () => clearTimeout(timer));
}

export function send(answered: ApiResponse, method: string, out: Out): void {
  const { response } = out;
  // The client disconnected, or the surrounding app answered in the meantime.
  if (response.headersSent || response.destroyed) return;
  try {
    write(answered, method, out);
  } catch (error) {
    // Without an answer, the client must not wait for one.
    response.destroy();
    throw error;
  }
}

function write({ status, headers, body }: ApiResponse, method: string, { response, vary }: Out): void {
  // In Node 20, a literal with a spread before other properties takes thirty times as long.
  const fields: OutgoingHttpHeaders = Object.assign({}, headers);
  fields['Vary'] = joinVary(response.getHeader('Vary'), vary);
  if (body !== undefined) fields['Content-Length'] = Buffer.byteLength(body.text);
  response.writeHead(status, fields).end(method === 'HEAD' ? undefined : body?.text);
}

/** Keeps existing values of `Vary`, from the `cors` library or from the surrounding app. */
function joinVary(present: number | string | string[] | undefined, own: string): string {
  if (present === undefined) return own;
  const names = [present, own].flat().join(', ').split(', ');
  return [...new Set(names)].join(', ');
}
