import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiRequest, ApiResponse } from '../contract/message.js';
import { handleRequest } from '../mock/handle-request.js';
import { pickDelay, type World } from '../mock/world.js';
import { allowOrigins } from './cors.js';
import { readBodyBytes } from './read-body-bytes.js';

/** A middleware as Node's `http`, Connect and Express call it. */
export type Middleware = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;

export interface ServingOptions {
  /** Whether pages of other origins may use the mock. */
  cors: boolean;
}

/** What an answer depends on beside the URL (RFC 9110 section 12.5.5), so that caches keep apart what differs. */
const VARY = { withCors: 'Origin, Prefer', withoutCors: 'Prefer' };

/**
 * Puts a world behind HTTP: answers every request below the contract's base
 * path and passes on everything else.
 */
export function createMiddleware(world: World, { cors }: ServingOptions): Middleware {
  const vary = cors ? VARY.withCors : VARY.withoutCors;
  return (request, response, next) => {
    const target = splitTarget(request.url ?? '/');
    if (!isBelow(world.contract.basePath, target.path)) return next();
    const serve = (): void => answer({ request, response, target, world, vary });
    // Only browsers send an Origin; nobody else pays for what they need.
    if (cors && request.headers.origin !== undefined) return allowOrigins(request, response, serve);
    serve();
  };
}

interface Target {
  path: string;
  query: string;
}

interface Incoming {
  request: IncomingMessage;
  response: ServerResponse;
  target: Target;
  world: World;
  vary: string;
}

function answer({ request, response, target, world, vary }: Incoming): void {
  const started = world.clock.elapsed();
  const apiRequest: ApiRequest = {
    method: request.method ?? 'GET',
    path: target.path,
    mountPath: mountPathOf(request),
    query: target.query,
    headers: request.headers as ApiRequest['headers'],
    body: undefined,
  };
  const handle = (whole: ApiRequest): void => {
    // The client has gone; there is nobody to tell.
    if (!response.destroyed) send(handleRequest(whole, world, { started }), whole, { response, vary });
  };
  const handleInTime = (whole: ApiRequest): void => {
    if (world.delay === undefined) handle(whole);
    else setTimeout(handle, pickDelay(world), whole);
  };
  if (!hasBody(request)) return handleInTime(apiRequest);
  readBodyBytes(request, (body) => handleInTime({ ...apiRequest, ...body }));
}

/** Express cuts the mount path off `url` and keeps it in `baseUrl`. */
function mountPathOf(request: IncomingMessage & { baseUrl?: string }): string {
  return request.baseUrl ?? '';
}

/** Path and query of a request target, which may be a whole URL (RFC 9112 section 3.2.2). */
function splitTarget(url: string): Target {
  const target = url.startsWith('/') ? url : url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '');
  const question = target.indexOf('?');
  return question === -1
    ? { path: target, query: '' }
    : { path: target.slice(0, question), query: target.slice(question + 1) };
}

function isBelow(basePath: string, path: string): boolean {
  return path.startsWith(basePath) && (path.length === basePath.length || path[basePath.length] === '/');
}

/** Whether a body follows (RFC 9112 section 6.3). */
function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

function send(answered: ApiResponse, request: ApiRequest, out: { response: ServerResponse; vary: string }): void {
  const { response } = out;
  if (response.writableEnded) return;
  const { status, headers, body } = answered;
  const Vary = joinVary(response.getHeader('Vary'), out.vary);
  if (body === undefined) {
    response.writeHead(status, { ...headers, Vary }).end();
    return;
  }
  response.writeHead(status, { ...headers, Vary, 'Content-Length': Buffer.byteLength(body.text) });
  response.end(request.method === 'HEAD' ? undefined : body.text);
}

/** What stands in `Vary` already (the `cors` library's, or of an app that this is mounted in) stays. */
function joinVary(present: number | string | string[] | undefined, own: string): string {
  if (present === undefined) return own;
  const names = [present, own].flat().join(', ').split(', ');
  return [...new Set(names)].join(', ');
}
