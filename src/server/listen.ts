import { createServer, STATUS_CODES, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { PetstoreMockError } from '../errors.js';
import { createRefusal } from '../mock/refusals.js';

/** A server on its port. */
export interface Listening {
  /** `http://127.0.0.1:4010`, without a path. */
  origin: string;
  port: number;
  /** Stops accepting, lets exchanges under way end, then closes. */
  close(): Promise<void>;
  /** Cuts every connection. */
  closeNow(): void;
}

/** Listens. Rejects with a {@link PetstoreMockError} (`port-taken`, `cannot-listen`) that says the way out. */
export async function listen(listener: RequestListener, host: string, port: number): Promise<Listening> {
  const server = createServer({ keepAliveTimeout: 65_000 }, listener);
  server.on('clientError', answerUnreadable);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explainListenError(error, host, port)));
    server.listen(port, host, resolve);
  });
  const { port: actual } = server.address() as AddressInfo;
  return {
    origin: `http://${host.includes(':') ? `[${host}]` : host}:${actual}`,
    port: actual,
    close: () => drain(server),
    closeNow: () => server.closeAllConnections(),
  };
}

const IDLE_CHECK_MS = 20;

/** A connection that is kept alive turns idle only after its last answer, so idle ones are looked for until none is left. */
function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const sweep = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
    server.close(() => {
      clearInterval(sweep);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** What Node's parser cannot read never becomes a request; it is answered all the same. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const status = tooLarge ? 431 : 400;
  const { body } = createRefusal(status, tooLarge ? 'the header fields are too large' : 'this is not HTTP/1.1');
  const text = body?.text ?? '';
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
}

function explainListenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE') {
    return new PetstoreMockError(
      'port-taken',
      `port ${port} on ${host} is in use; choose another with --port, or --port 0 for a free one.`,
    );
  }
  if (error.code === 'EACCES') {
    return new PetstoreMockError(
      'cannot-listen',
      `port ${port} needs more rights than this process has; choose one above 1023 with --port.`,
    );
  }
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN') {
    return new PetstoreMockError('cannot-listen', `${host} is no address of this machine; choose another with --host.`);
  }
  return error;
}
