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
  /** While it closes: those that have an exchange under way. */
  readonly openConnections: number;
  /** Cuts every connection. */
  closeNow(): void;
}

export interface ListenOptions {
  /** An IPv6 address may stand in brackets, as in a URL. */
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** Whether pages of other origins may read what is answered to a request that cannot be read. */
  cors: boolean;
}

/** Listens. Rejects with a {@link PetstoreMockError} (`port-taken`, `cannot-listen`) that says the way out. */
export async function listen(listener: RequestListener, options: ListenOptions): Promise<Listening> {
  const host = options.host.replace(/^\[(.*)\]$/, '$1');
  const server = createServer({ keepAliveTimeout: 65_000 }, listener);
  const connections = watchConnections(server);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => answerUnreadable(error, socket, options));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explainListenError(error, host, options.port)));
    server.listen(options.port, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: formatOrigin(host, port),
    port,
    get openConnections() {
      return connections.size;
    },
    close: () => drain(server, () => connections.closeUnused()),
    closeNow: () => server.closeAllConnections(),
  };
}

/** Where a client finds a host and a port. A wildcard address is none that a client can ask for, so it gets loopback. */
export function formatOrigin(host: string, port: number): string {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

/**
 * Node's own `closeIdleConnections` leaves those alone on which nothing was ever
 * asked; browsers open such ahead of need, and they would hold up the end.
 */
function watchConnections(server: Server): { readonly size: number; closeUnused(): void } {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return {
    get size() {
      return open.size;
    },
    closeUnused() {
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    },
  };
}

const IDLE_CHECK_MS = 20;

/** A connection that is kept alive turns idle only after its last answer, so idle ones are looked for until none is left. */
function drain(server: Server, closeUnused: () => void): Promise<void> {
  const sweep = (): void => {
    server.closeIdleConnections();
    closeUnused();
  };
  return new Promise((resolve) => {
    const sweeping = setInterval(sweep, IDLE_CHECK_MS);
    server.close(() => {
      clearInterval(sweeping);
      resolve();
    });
    sweep();
  });
}

/** What Node's parser cannot read never becomes a request; it is answered all the same. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket, { cors }: ListenOptions): void {
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
    // Which origin asks cannot be read either.
    ...(cors ? ['Access-Control-Allow-Origin: *'] : []),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
}

function explainListenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE') {
    return new PetstoreMockError(
      'port-taken',
      `port ${port} on ${host} is in use; choose another (--port ${port < 65_535 ? port + 1 : port - 1}), or 0 for a free one.`,
    );
  }
  if (error.code === 'EACCES') {
    return new PetstoreMockError(
      'cannot-listen',
      `port ${port} needs more rights than this process has; choose one above 1023 (--port 4010).`,
    );
  }
  const known = NO_SUCH_ADDRESS.has(error.code ?? '');
  const reason = known ? `${host} is no address of this machine` : `cannot listen on ${host} (${error.message})`;
  return new PetstoreMockError('cannot-listen', `${reason}; choose another with --host.`);
}

const NO_SUCH_ADDRESS = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EAFNOSUPPORT', 'EINVAL']);
