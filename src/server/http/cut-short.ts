import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
// Not the global, which tests may replace by a fake timer: the mock must still answer.
import { setTimeout } from 'node:timers';
import type { ApiResponse, TransportFault } from '../../contract/message.js';

/** Resets the connection instead of answering, or closes it in the middle of the body, as the fault specifies. */
export function cutShort(
  { status, headers, body }: ApiResponse,
  cut: NonNullable<TransportFault['cut']>,
  response: ServerResponse,
): void {
  if (response.headersSent || response.destroyed) return;
  if (cut === 'reset') return announce(response, () => reset(response));
  const bytes = Buffer.from(body?.text ?? '');
  response.writeHead(status, { ...headers, 'Content-Length': Math.max(bytes.length, 1) });
  // The first half must leave before the connection closes.
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.socket?.destroy());
}

/** The time that a client has to read before the reset; some systems discard unread data at a reset. */
const READING_MS = 20;

/** Sends RST instead of the FIN of a normal end. */
function reset(response: ServerResponse): void {
  setTimeout(() => response.socket?.resetAndDestroy(), READING_MS);
}

/**
 * Calls back when earlier answers have left and the client cannot mistake the reset for the end of an idle
 * connection. Browsers and many other clients repeat a request, even a POST, if a reused
 * connection closes before the first byte, and the user never sees the failure.
 * An interim response provides that byte without being part of the answer (RFC 9110 section 15.2.1).
 */
function announce(response: ServerResponse, done: () => void): void {
  if (takesInterim(response)) return response.writeContinue(done);
  if (response.socket === null) response.once('socket', done);
  else done();
}

/** Node's clients send `node`, `undici` or no user agent. They repeat nothing, and `fetch` fails on an unexpected 100. */
const NODES_OWN: ReadonlySet<IncomingHttpHeaders['user-agent']> = new Set([undefined, 'node', 'undici']);

/** HTTP/1.0 has no interim responses. */
function takesInterim({ req }: ServerResponse): boolean {
  return req.httpVersion !== '1.0' && !NODES_OWN.has(req.headers['user-agent']);
}
