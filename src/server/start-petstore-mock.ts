import { createRequire } from 'node:module';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type createExpress from 'express';
import type { NextFunction, Request, Response } from 'express';
import { prepareSpec, type Contract } from '../contract/contract.js';
import type { ApiResponse } from '../contract/model.js';
import { createErrorResponse } from '../mock/response/errors.js';
import { reportUnreadable } from '../mock/response/outgoing.js';
import type { Worlds } from '../mock/world/worlds.js';
import { checkOptions, OF_A_SERVER, OF_AN_APP } from '../options/petstore-options.js';
import { isLoopbackHost, type AdminAccess } from './admin/guard.js';
import type { servers as Servers } from './console/serve-page.js';
import { createHandles, throughGate } from './handles/create-handles.js';
import { type MountedRequest, createMiddleware, findMessageProblem } from './http/middleware.js';
import { listen, type Listening, type ListenOptions } from './http/listen.js';
import { allowOrigins, answerOutside, describeOutside } from './http/outside.js';
import { openLasting } from './lasting/open-lasting.js';
import type { FileNews } from './moving.js';
import { DEFAULT_HOST, type ListeningOptions, type PetstoreOptions } from './options.js';
import type { PetstoreWorlds } from './petstore-world.js';
import { setUp } from './set-up.js';
import { ADMIN_PATH, ASSETS_PATH, hasAdminPaths, TOOLS_PATH } from './world-names.js';

export interface PetstoreMock extends PetstoreWorlds, AsyncDisposable {
  /** Where the admin API is: `http://127.0.0.1:49152/__admin`. */
  readonly adminUrl: string;
  /** Waits for exchanges under way, for at most `drain` seconds, then frees the port. Calling it twice does no harm. */
  close(): Promise<void>;
}

/**
 * Starts a petstore on a free port and resolves once it responds. Rejects with a `PetstoreMockError` for unusable options
 * or files, and for a port in use.
 *
 * @example
 * const mock = await startPetstoreMock({ fixtures: 'empty' });
 * await mock.pets.add({ name: 'Rex', categoryId: 1 });
 * await fetch(`${mock.url}/pets`, { headers: { Authorization: 'Bearer petstore-dev-key' } });
 * await mock.close();
 */
export async function startPetstoreMock(options: ListeningOptions = {}): Promise<PetstoreMock> {
  checkOptions(options, OF_A_SERVER);
  const lasting = await openLasting(options);
  const spec = await prepareSpec(options);
  const { worlds } = setUp({ ...options, spec, tracking: lasting?.tracking });
  await lasting?.attach(worlds);
  const { host = DEFAULT_HOST, port = 0, cors = true, admin = true, adminToken, drain } = options;
  const server = await startServer(worlds, { host, port, cors, admin, adminToken });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= server.close(drain).then(() => lasting?.close()));
  return {
    ...throughGate(createHandles(worlds, server.origin), worlds.gate),
    adminUrl: `${server.origin}${ADMIN_PATH}`,
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface ServingOptions {
  cors: boolean;
  admin?: AdminAccess | undefined;
  openTools?: OpenTools | undefined;
  news?: FileNews | undefined;
}

export interface ServerOptions
  extends Pick<ServingOptions, 'cors' | 'news' | 'openTools'>, Pick<ListenOptions, 'patience'> {
  host: string;
  port: number;
  /** Default: `true`. */
  admin?: boolean | undefined;
  /** Default: none; the admin API then responds only on loopback. */
  adminToken?: string | undefined;
}

export interface Serving extends Listening {
  serve(worlds: Worlds): void;
}

export async function startServer(first: Worlds, options: ServerOptions): Promise<Serving> {
  const { cors, admin = true, adminToken, host, news, openTools } = options;
  const access = { enabled: admin, token: adminToken, loopback: isLoopbackHost(host) };
  let worlds: Worlds;
  let listener: Listener;
  const serve = (others: Worlds): void => {
    worlds = others;
    listener = createListener(others, { cors, admin: access, news, openTools });
  };
  serve(first);
  const listening = await listen((request, response) => listener(request, response), {
    ...options,
    onUnreadable: (refusal, request) => reportUnreadable(refusal, request ?? {}, worlds.default),
  });
  return Object.assign(listening, { serve });
}

/** A petstore as a function that Node's `http`, Express and Connect call. */
export interface PetstoreApp extends PetstoreWorlds {
  /** Responds below the base path. Other requests go to `next`; without one they get a 404 that says where the API is. */
  (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void): void;
}

/**
 * A petstore for supertest, for `http.createServer`, or to be mounted in an Express app under any prefix; the app then
 * serves everything outside the API. Each call creates a new petstore. Throws a `PetstoreMockError` for options or files
 * that cannot be used.
 *
 * @example
 * const petstore = createPetstoreApp();
 * await request(petstore).get('/v1/pets').set('Authorization', 'Bearer petstore-dev-key').expect(200);
 *
 * @example
 * express().use('/api', createPetstoreApp({ fixtures: 'empty' })); // answers at /api/v1/pets
 */
export function createPetstoreApp(options: PetstoreOptions = {}): PetstoreApp {
  checkOptions(options, OF_AN_APP);
  const { worlds } = setUp(options);
  const { adminToken: token, cors = true } = options;
  // The mock cannot know who can reach the app in which it is mounted.
  const admin = token === undefined ? undefined : { enabled: true, token, loopback: false };
  const listener = createListener(worlds, { cors, admin });
  const handles = Object.entries(createHandles(worlds, '')).map(([name, value]) => [
    name,
    { value: value as unknown, enumerable: true },
  ]);
  // A function's own `name` is read-only.
  return Object.defineProperties(listener, Object.fromEntries(handles) as PropertyDescriptorMap) as PetstoreApp;
}

type Listener = (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void) => void;

/** Serves the API without Express, whose own share of a request is larger than both validations. */
function createListener(worlds: Worlds, options: ServingOptions): Listener {
  const middleware = createMiddleware(worlds, options);
  const { admin: access } = options;
  const isOpen = access !== undefined && (access.enabled || !hasAdminPaths(worlds.default.contract));
  const admin = isOpen ? openAdmin(worlds, access, options) : undefined;
  const page = openPage(worlds, access);
  let app: RequestListener | undefined;
  const isGuarded = !options.cors && access?.loopback === true;
  return (request, response, next) => {
    if (isGuarded) {
      // DNS rebinding: a page whose host name was rebound to this machine has the same origin.
      // Some clients send no host.
      const { host = '' } = request.headers;
      const isOwnHost = host === '' || isLoopbackHost(host.replace(/:\d*$/, ''));
      // What is no host at all is rejected as malformed.
      if (!isOwnHost && findMessageProblem(request) === undefined) return rejectHost(request, response, worlds);
    }
    if (admin?.(request, response) === true || page(request, response, next !== undefined)) return;
    middleware(request, response, () => {
      if (next !== undefined) return next();
      app ??= createExpressApp(worlds, options);
      // Express finds no path in a target such as `http://`, and would respond with its own page.
      if (request.url?.startsWith('/') !== true) request.url = `/${request.url ?? ''}`;
      app(request, response);
    });
  };
}

/** RFC 9110 section 15.5.20. */
function rejectHost(request: IncomingMessage, response: ServerResponse, worlds: Worlds): void {
  const message = `with --no-cors, this mock responds only to localhost and loopback addresses, and this request was sent to ${request.headers.host ?? ''}; start it with --host, or with --cors`;
  const refusal = createErrorResponse(421, worlds.default.redact(message));
  reportUnreadable(refusal, request, worlds.default);
  write(response, refusal);
}

function write(response: ServerResponse, { status, headers, body }: ApiResponse): void {
  const text = body?.text ?? '';
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(text) }).end(text);
}

export function createExpressApp(worlds: Worlds, options: ServingOptions): RequestListener {
  // Loaded here, since loading takes long and requests to the API do not need it.
  const express = createRequire(import.meta.url)('express') as typeof createExpress;
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.use(createMiddleware(worlds, options));
  if (options.cors) app.use(allowOrigins);
  app.use((request: Request, response: Response) =>
    write(response, findMessageProblem(request) ?? answerOutside(describeOutside(request), worlds)),
  );
  // Express recognises an error handler by its four parameters.
  app.use((_error: unknown, _request: Request, response: Response, _next: NextFunction) =>
    write(response, createErrorResponse(400, 'the request cannot be read')),
  );
  return app;
}

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/** Loads what serves tools for coding agents. Handed in, since that knows more rooms than a server does. */
export type OpenTools = (worlds: Worlds, access: AdminAccess) => Promise<Serve>;

function openAdmin(worlds: Worlds, access: AdminAccess, { news, openTools }: ServingOptions): Opened {
  let admin: Promise<Serve> | undefined;
  let console: Promise<Serve> | undefined;
  let tools: Promise<Serve> | undefined;
  const load = (request: IncomingMessage): Promise<Serve> => {
    const { method, url = '' } = request;
    if (openTools !== undefined && url.split('?')[0] === TOOLS_PATH) return (tools ??= openTools(worlds, access));
    const below = url.slice(ADMIN_PATH.length);
    // A browser gets the page; the admin API itself has nothing at its root.
    const isPage = (method === 'GET' || method === 'HEAD') && /^\/?(?:\?|$)/.test(below) && wantsHtml(request);
    if (below.startsWith('/console/') || isPage)
      return (console ??= import('./console/serve-console.js').then(({ createConsole }) =>
        createConsole(worlds, access, news),
      ));
    return (admin ??= import('./admin/create-admin.js').then(({ createAdmin }) => createAdmin(worlds, access)));
  };
  return (request, response) => {
    if (!isAdmin(request.url ?? '')) return false;
    void load(request).then((serve) => serve(request, response));
    return true;
  };
}

const UNDERSCORE = 0x5f;

function isAdmin(url: string): boolean {
  if (url.charCodeAt(1) !== UNDERSCORE || !url.startsWith(ADMIN_PATH)) return false;
  const next = url[ADMIN_PATH.length];
  return next === undefined || next === '/' || next === '?';
}

type Opened = (request: MountedRequest, response: ServerResponse, isMounted?: boolean) => boolean;

function openPage(worlds: Worlds, admin: AdminAccess | undefined): Opened {
  const { contract } = worlds.default;
  const longest = Math.max(`${contract.basePath}/`.length, '/openapi.yaml'.length);
  let loading: Promise<{ servers: typeof Servers }> | undefined;
  return (request, response, isMounted = false) => {
    const { url = '' } = request;
    if (url.length > longest && url.charCodeAt(1) !== UNDERSCORE) return false;
    const wanted = findWanted(request, contract, isMounted);
    if (wanted === undefined) return false;
    loading ??= import('./console/serve-page.js');
    void loading
      .then(({ servers }) => servers[wanted](request, response, { worlds, admin }))
      .catch(() => {
        // For a bug of ours, the client gets a response, and the surrounding app keeps running.
        if (!response.headersSent) response.writeHead(500, { 'Content-Type': 'text/plain' });
        response.end('The mock failed to respond; this is a bug of the mock.\n');
      });
    return true;
  };
}

function findWanted(request: MountedRequest, { basePath, match }: Contract, isMounted: boolean) {
  const { method, url = '', baseUrl = '' } = request;
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  if (url.startsWith(`${ASSETS_PATH}examples?`)) return 'examples';
  if (url.startsWith(ASSETS_PATH)) return 'asset';
  const hasOperation = (): boolean =>
    url.startsWith(basePath) && match('GET', url.slice(basePath.length)).kind !== 'unknown-path';
  // An app that mounts this without a prefix serves the paths outside the API itself.
  const isBare = isMounted && baseUrl === '';
  // Where the page has another place, the base path leads to it.
  if ((url === basePath || url === `${basePath}/`) && wantsHtml(request) && !hasOperation())
    return url === '/' || url === '' || isBare ? 'home' : 'redirect';
  if (isBare) return undefined;
  if (url === '/') return wantsHtml(request) ? 'home' : undefined;
  return (url === '/openapi.yaml' || url === '/openapi.json') && !hasOperation() ? 'contract' : undefined;
}

const wantsHtml = ({ headers }: IncomingMessage): boolean => headers.accept?.includes('text/html') === true;
