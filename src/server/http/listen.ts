// Not the globals, which tests may replace by fake timers: the mock must still stop.
import {
  createServer,
  type RequestListener,
  type Server,
  type ServerOptions,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { clearInterval, clearTimeout, setInterval, setTimeout } from 'node:timers';
import { PetstoreMockError } from '../../errors.js';
import { answerInOrder, type Unreadable } from './answer-in-order.js';
import { DEFAULT_DRAIN_SECONDS } from '../options.js';
import { createErrorResponse } from '../../mock/response/errors.js';
import { reportUnreadable } from '../../mock/response/outgoing.js';
import type { Worlds } from '../../mock/world/worlds.js';
import { isLoopbackHost } from '../admin/guard.js';
import { openPage } from '../console/open-page.js';
import { openAdmin } from '../open-admin.js';
import { hasAdminPaths } from '../world-names.js';
import { createExpressApp } from './express-app.js';
import { createMiddleware, type ServingOptions } from './middleware.js';
import { findMessageProblem } from './outside.js';

/** A server on its port. */
export interface Listening {
  /** `http://127.0.0.1:4010`, without a path. */
  origin: string;
  port: number;
  /** Stops accepting connections, waits so many seconds for exchanges under way, then cuts the rest. Default: 5. */
  close(drainSeconds?: number): Promise<void>;
  /** While closing: the connections with an exchange under way. */
  readonly openConnections: number;
  /** Cuts every connection. */
  closeNow(): void;
}

export interface ListenOptions {
  /** An IPv6 address may stand in brackets, as in a URL. */
  host: string;
  /** 0 picks a free one. */
  port: number;
  /** Whether pages of other origins may read the answer to a request that cannot be parsed. */
  cors: boolean;
  /** Called for each refusal of bytes that cannot be parsed. Default: not called. */
  onUnreadable?: Unreadable['tell'] | undefined;
  /** The time that a client has, in milliseconds. Default: {@link PATIENCE}. */
  patience?: { head: number; request: number; lookEvery: number } | undefined;
}

/** Head fields that drip in for a minute keep a connection for nothing; a long body may take its time. */
const PATIENCE = { head: 10_000, request: 300_000, lookEvery: 2000 };

/** Listens. Rejects with a {@link PetstoreMockError} (`port-taken`, `cannot-listen`) that says what to do. */
export async function listen(listener: RequestListener, options: ListenOptions): Promise<Listening> {
  const host = options.host.replace(/^\[(.*)\]$/, '$1');
  const server = createServer(serverOptionsOf(options));
  // Node would silently drop header fields after the thousandth; their total length is limited anyway.
  server.maxHeadersCount = 0;
  const connections = watchConnections(server);
  answerInOrder(server, listener, { cors: options.cors, tell: options.onUnreadable ?? (() => {}) });
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
    close: (drainSeconds = DEFAULT_DRAIN_SECONDS) => drain(server, { drainSeconds, connections }),
    closeNow: () => connections.closeAll(),
  };
}

function serverOptionsOf({ patience = PATIENCE }: ListenOptions): ServerOptions {
  return {
    keepAliveTimeout: 65_000,
    // A missing Host is refused with an Error body; Node's own answer has none.
    requireHostHeader: false,
    headersTimeout: patience.head,
    requestTimeout: patience.request,
    connectionsCheckingInterval: patience.lookEvery,
  };
}

/** The origin for clients. They cannot connect to a wildcard address, so it becomes loopback. */
export function formatOrigin(host: string, port: number): string {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

interface Connections {
  readonly size: number;
  /** Connections without a request, or with all requests answered and no further one expected. */
  closeUnused(): void;
  closeAll(): void;
}

/**
 * Node's `closeIdleConnections` ignores connections that never had a
 * request. Browsers open such connections in advance, and they would delay the stop.
 */
function watchConnections(server: Server): Connections {
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
      for (const socket of open) if (socket.bytesRead === 0 || socket.writableFinished) socket.destroy();
    },
    // Node's method knows only connections with a parser.
    closeAll() {
      for (const socket of open) socket.destroy();
    },
  };
}

const IDLE_CHECK_MS = 20;

interface Draining {
  drainSeconds: number;
  connections: Connections;
}

/** A kept-alive connection becomes idle only after its last answer, so the search repeats until none is left. */
function drain(server: Server, { drainSeconds, connections }: Draining): Promise<void> {
  let isOver = false;
  const sweep = (): void => {
    server.closeIdleConnections();
    if (isOver) connections.closeAll();
    else connections.closeUnused();
  };
  return new Promise((resolve) => {
    const sweeping = setInterval(sweep, IDLE_CHECK_MS);
    // A half-sent request may never be completed.
    const ending = setTimeout(() => (isOver = true), drainSeconds * 1000);
    server.close(() => {
      clearInterval(sweeping);
      clearTimeout(ending);
      resolve();
    });
    sweep();
  });
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
      `port ${port} needs more privileges than this process has; choose one above 1023 (--port 4010).`,
    );
  }
  const known = NO_SUCH_ADDRESS.has(error.code ?? '');
  const reason = known ? `${host} is not an address of this machine` : `cannot listen on ${host} (${error.message})`;
  return new PetstoreMockError('cannot-listen', `${reason}; choose another with --host.`);
}

const NO_SUCH_ADDRESS = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EAFNOSUPPORT', 'EINVAL']);

/** A function that `http.createServer` calls with two arguments, and Express or Connect with three. */
export type Listener = (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void) => void;

/**
 * Answers the API without Express, whose own share of a request is
 * larger than both validations. Other requests go to the surrounding app
 * or, without one, get an Error body from our own Express app.
 */
export function createListener(worlds: Worlds, options: ServingOptions): Listener {
  const middleware = createMiddleware(worlds, options);
  const isOpen = options.admin !== undefined && (options.admin.enabled || !hasAdminPaths(worlds.default.contract));
  const admin = isOpen && options.admin !== undefined ? openAdmin(worlds, options.admin, options) : undefined;
  const page = openPage(worlds, options.admin);
  // The first request outside the API creates the Express app.
  let app: RequestListener | undefined;
  const isGuarded = !options.cors && options.admin?.loopback === true;
  return (request, response, next) => {
    // What is no host at all is refused as malformed.
    if (isGuarded && !isOwnHost(request) && findMessageProblem(request) === undefined) {
      return refuseHost(request, response, worlds);
    }
    if (admin?.(request, response) === true || page(request, response, next !== undefined)) return;
    middleware(request, response, () => {
      if (next !== undefined) return next();
      app ??= createExpressApp(worlds, options);
      // Express finds no path in a target such as `http://`, and would answer with its own page.
      if (request.url?.startsWith('/') !== true) request.url = `/${request.url ?? ''}`;
      app(request, response);
    });
  };
}

/**
 * Whether a request was meant for this machine. With `--no-cors`, pages of other origins cannot use the mock, but one whose
 * host name was rebound to its address has the same origin (DNS rebinding). Only clients other than browsers send no host.
 */
function isOwnHost({ headers }: IncomingMessage): boolean {
  const { host = '' } = headers;
  return host === '' || isLoopbackHost(host.replace(/:\d*$/, ''));
}

/** RFC 9110 section 15.5.20. */
function refuseHost(request: IncomingMessage, response: ServerResponse, worlds: Worlds): void {
  const message = `with --no-cors, this mock responds only to localhost and loopback addresses, and this request was sent to ${request.headers.host ?? ''}; start it with --host, or with --cors`;
  const refusal = createErrorResponse(421, worlds.default.redact(message));
  reportUnreadable(refusal, request, worlds.default);
  const text = refusal.body?.text ?? '';
  response.writeHead(refusal.status, { ...refusal.headers, 'Content-Length': Buffer.byteLength(text) }).end(text);
}

// Not the global, which tests may replace by a fake timer: the mock must still answer.
