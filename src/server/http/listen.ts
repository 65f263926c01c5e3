// Not the globals, which tests may replace by fake timers: the mock must still stop.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createServer, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { clearInterval, clearTimeout, setInterval, setTimeout } from 'node:timers';
import type { ApiResponse } from '../../contract/model.js';
import { PetstoreMockError } from '../../errors.js';
import { createErrorResponse } from '../../mock/response/errors.js';
import { DEFAULT_DRAIN_SECONDS } from '../options.js';
import { afterAnswers } from './middleware.js';

export interface Listening {
  /** `http://127.0.0.1:4010`, without a path. */
  origin: string;
  port: number;
  /** Stops accepting connections, waits so many seconds for exchanges under way, then cuts the rest. Default: 5. */
  close(drainSeconds?: number): Promise<void>;
  readonly openConnections: number;
  closeNow(): void;
}

export interface ListenOptions {
  /** An IPv6 address may stand in brackets, as in a URL. */
  host: string;
  port: number;
  cors: boolean;
  /** Called for each rejection of bytes that cannot be parsed, with the request if there is one. Default: not called. */
  onUnreadable?: ((refusal: ApiResponse, request?: IncomingMessage) => void) | undefined;
  /** The time that a client has, in milliseconds. Default: {@link PATIENCE}. */
  patience?: { head: number; request: number; lookEvery: number } | undefined;
}

const PATIENCE = { head: 10_000, request: 300_000, lookEvery: 2000 };

/** Listens. Rejects with a {@link PetstoreMockError} (`port-taken`, `cannot-listen`) that says what to do. */
export async function listen(listener: RequestListener, options: ListenOptions): Promise<Listening> {
  const { patience = PATIENCE } = options;
  const host = options.host.replace(/^\[(.*)\]$/, '$1');
  const server = createServer({
    keepAliveTimeout: 65_000,
    // A missing Host is rejected with an Error body; Node's own response has none.
    requireHostHeader: false,
    headersTimeout: patience.head,
    requestTimeout: patience.request,
    connectionsCheckingInterval: patience.lookEvery,
  });
  // Node would silently drop header fields after the thousandth; their total length is limited anyway.
  server.maxHeadersCount = 0;
  const connections = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  answerInOrder(server, listener, options);
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
    close: (drainSeconds = DEFAULT_DRAIN_SECONDS) => drain(server, connections, drainSeconds),
    // Node's method knows only connections with a parser.
    closeNow: () => connections.forEach((socket) => socket.destroy()),
  };
}

/** The origin for clients. They cannot connect to a wildcard address, so it becomes loopback. */
export function formatOrigin(host: string, port: number): string {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

const IDLE_CHECK_MS = 20;

function drain(server: Server, connections: ReadonlySet<Socket>, seconds: number): Promise<void> {
  let isOver = false;
  const sweep = (): void => {
    server.closeIdleConnections();
    // It ignores connections that never had a request: browsers open such in advance, and they would delay the stop.
    for (const socket of connections) if (isOver || socket.bytesRead === 0 || socket.writableFinished) socket.destroy();
  };
  return new Promise((resolve) => {
    const sweeping = setInterval(sweep, IDLE_CHECK_MS);
    // A half-sent request may never be completed.
    const ending = setTimeout(() => (isOver = true), seconds * 1000);
    server.close(() => {
      clearInterval(sweeping);
      clearTimeout(ending);
      resolve();
    });
    sweep();
  });
}

const NO_SUCH_ADDRESS = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EAFNOSUPPORT', 'EINVAL']);

function explainListenError({ code = '', message }: NodeJS.ErrnoException, host: string, port: number): Error {
  if (code === 'EADDRINUSE') {
    const other = port < 65_535 ? port + 1 : port - 1;
    const taken = `port ${port} on ${host} is in use; choose another (--port ${other}), or 0 for a free one.`;
    return new PetstoreMockError('port-taken', taken);
  }
  if (code === 'EACCES') {
    const why = `port ${port} needs more privileges than this process has; choose one above 1023 (--port 4010).`;
    return new PetstoreMockError('cannot-listen', why);
  }
  const known = NO_SUCH_ADDRESS.has(code);
  const reason = known ? `${host} is not an address of this machine` : `cannot listen on ${host} (${message})`;
  return new PetstoreMockError('cannot-listen', `${reason}; choose another with --host.`);
}

const LAST = Symbol('the last response');
const OVER = Symbol('over');

interface Connection extends Socket {
  [LAST]?: ServerResponse;
  /** Further bytes are ignored. */
  [OVER]?: boolean;
}

type Unreadable = Pick<ListenOptions, 'cors' | 'onUnreadable'>;

/** Serves, and rejects what never becomes a request, in the order of the requests (RFC 9112 section 9.3.2). */
export function answerInOrder(server: Server, listener: RequestListener, unreadable: Unreadable): void {
  const serve: RequestListener = (request, response) => {
    (request.socket as Connection)[LAST] = response;
    listener(request, response);
  };
  // Node takes its own listener away from a socket that it hands over (`connect`, `upgrade`, `clientError`), and an
  // error without a listener ends the process. So each connection has one from its first byte to its last.
  server.on('connection', (socket: Socket) => socket.on('error', () => {}));
  server.on('request', serve);
  // Node would answer an unknown expectation without a body.
  server.on('checkExpectation', serve);
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    end(socket, createErrorResponse(501, 'this is not a proxy, so it does not support CONNECT'), unreadable, request);
  });
  server.on('clientError', (error: ParserError, socket: Connection) => {
    if (socket[OVER] === true) return;
    if (error.code === 'ECONNRESET' || socket.bytesRead === 0) return void socket.destroy();
    socket[OVER] = true;
    const last = socket[LAST];
    const request = last?.req.complete === false ? last.req : undefined;
    // A request may be answered before it is complete; that response leaves in this turn.
    afterAnswers(() => end(socket, explain(error), unreadable, request));
  });
}

/** With the parser's code, and the bytes that it was parsing. */
type ParserError = NodeJS.ErrnoException & { reason?: string; rawPacket?: Buffer };

const LINGER_MS = 2000;

function end(socket: Connection, refusal: ApiResponse, { cors, onUnreadable }: Unreadable, request?: IncomingMessage) {
  whenDue(socket[LAST], () => {
    // A response that closed the connection was the last one (RFC 9112 section 9.6).
    if (!socket.writable) return;
    const answered = request !== undefined && socket[LAST]?.req === request && socket[LAST].headersSent;
    if (!answered) {
      onUnreadable?.(refusal, request);
      const { status, body } = refusal;
      const text = body?.text ?? '';
      const head = [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        'Content-Type: application/json',
        `Content-Length: ${Buffer.byteLength(text)}`,
        'Connection: close',
        ...(cors ? ['Access-Control-Allow-Origin: *'] : []),
      ];
      socket.write(`${head.join('\r\n')}\r\n\r\n${text}`);
    }
    socket.end();
    // Closing while more data arrives could destroy the response before the client reads it (RFC 9112 section 9.6).
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  });
}

function whenDue(last: ServerResponse | undefined, then: () => void): void {
  // After a response, Node detaches the socket, and closes it if the response said so.
  if (last === undefined || last.destroyed || (last.writableFinished && last.socket === null)) return then();
  if (last.req.complete || last.headersSent) return void last.once('close', then);
  // A response gets the socket after the earlier responses have left.
  if (last.socket === null) last.once('socket', then);
  else then();
}

const TLS_HANDSHAKE = 0x16;

/** By the parser's code, with the statuses that Node itself would answer with. */
const PARSER_ERRORS: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'the target and the header fields together are longer than 16 KiB'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'the extensions of a chunk are too long'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request took too long to arrive'],
  HPE_INVALID_EOF_STATE: [400, 'the request ends before it is complete'],
  HPE_PAUSED_H2_UPGRADE: [400, 'this is HTTP/2; the mock speaks HTTP/1.1'],
};

function explain({ code = '', reason, rawPacket }: ParserError): ApiResponse {
  const known = PARSER_ERRORS[code];
  if (known !== undefined) return createErrorResponse(...known);
  if (rawPacket?.[0] === TLS_HANDSHAKE) return createErrorResponse(400, 'this is TLS; use http:// instead of https://');
  return createErrorResponse(400, `this is not HTTP/1.1${reason === undefined ? '' : `: ${reason}`}`);
}
