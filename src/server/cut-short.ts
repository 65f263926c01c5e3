import type { ServerResponse } from 'node:http';
import type { ApiResponse, TransportFault } from '../contract/message.js';

/** Resets the connection instead of an answer, or ends it in the middle of the body, as a fault wants it. */
export function cutShort(
  { status, headers, body }: ApiResponse,
  cut: NonNullable<TransportFault['cut']>,
  response: ServerResponse,
): void {
  const { socket } = response;
  if (socket === null || socket.destroyed) return;
  // A RST rather than the FIN of a server that is done.
  if (cut === 'reset') return void socket.resetAndDestroy();
  const bytes = Buffer.from(body?.text ?? '');
  response.writeHead(status, { ...headers, 'Content-Length': Math.max(bytes.length, 1) });
  // The half has to be on its way before the end of the connection.
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => socket.destroy());
}
