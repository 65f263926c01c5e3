import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
// Not the global one: tests put fake timers in its place, and the mock is to answer all the same.
import { setTimeout } from 'node:timers';
import type { ApiResponse, TransportFault } from '../../contract/message.js';

/** Resets the connection instead of an answer, or ends it in the middle of the body, as a fault wants it. */
export function cutShort(
  { status, headers, body }: ApiResponse,
  cut: NonNullable<TransportFault['cut']>,
  response: ServerResponse,
): void {
  if (response.headersSent || response.destroyed) return;
  if (cut === 'reset') return announce(response, () => reset(response));
  const bytes = Buffer.from(body?.text ?? '');
  response.writeHead(status, { ...headers, 'Content-Length': Math.max(bytes.length, 1) });
  // The half has to be on its way before the end of the connection.
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.socket?.destroy());
}

/** How long a client has to read what came before the reset; some systems throw away what nobody has read. */
const READING_MS = 20;

/** A RST rather than the FIN of a server that is done. */
function reset(response: ServerResponse): void {
  setTimeout(() => response.socket?.resetAndDestroy(), READING_MS);
}

/**
 * Calls back when the answers to earlier requests are out and the client cannot take the reset for a connection
 * that was closed while nobody used it. Browsers and many other clients send a request again, a POST too, when a
 * connection they have used before ends without a byte; whoever sits in front of the browser never learns of it.
 * The interim answer is such a byte, and no part of an answer (RFC 9110 section 15.2.1).
 */
function announce(response: ServerResponse, done: () => void): void {
  if (takesInterim(response)) return response.writeContinue(done);
  if (response.socket === null) response.once('socket', done);
  else done();
}

/** What Node sends with names itself `node` or `undici`, or not at all; it repeats nothing, and `fetch` fails on a 100 that it did not ask for. */
const NODES_OWN: ReadonlySet<IncomingHttpHeaders['user-agent']> = new Set([undefined, 'node', 'undici']);

/** HTTP/1.0 has no interim answers. */
function takesInterim({ req }: ServerResponse): boolean {
  return req.httpVersion !== '1.0' && !NODES_OWN.has(req.headers['user-agent']);
}
