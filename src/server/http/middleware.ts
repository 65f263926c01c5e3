import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { ApiRequest, ApiResponse } from '../../contract/message.js';
import { isRefusedUnread } from '../../mock/handle-request.js';
import { longestBody } from '../../mock/request/read-body.js';
import { recordExchange } from '../../mock/world/record-exchange.js';
import { serveRequest } from '../../mock/serve-request.js';
import type { World } from '../../mock/world/world.js';
import type { Worlds } from '../../mock/world/worlds.js';
import type { AdminAccess } from '../admin/guard.js';
import type { FileNews } from '../file-news.js';
import type { OpenTools } from '../open-admin.js';
import { allowOrigins } from './cors.js';
import { cutShort } from './cut-short.js';
import { atEndOfTurn } from './end-of-turn.js';
import { findMessageProblem } from './find-message-problem.js';
import { answerRefused } from './outside.js';
import { readBodyBytes } from './read-body-bytes.js';
import { findPlace, type Destination } from './select-world.js';

/** A middleware for Node's `http`, Connect and Express. */
export type Middleware = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;

export interface ServingOptions {
  /** Whether pages of other origins may use the mock. */
  cors: boolean;
  /** Who may use the admin API. Default: it is not served. */
  admin?: AdminAccess | undefined;
  /** Serves tools for coding agents beside the admin API. Default: none. */
  openTools?: OpenTools | undefined;
  /** News about the files that the mock follows. Default: it follows none. */
  news?: FileNews | undefined;
}

/** The header fields on which an answer depends (RFC 9110 section 12.5.5), so that caches store the variants separately. */
const VARY = { withCors: 'Origin, Prefer, X-Petstore-World', withoutCors: 'Prefer, X-Petstore-World' };

/**
 * Serves worlds over HTTP: answers every request below the contract's base
 * path, and below the prefix of a world, and passes on everything else.
 */
export function createMiddleware(worlds: Worlds, { cors }: ServingOptions): Middleware {
  const vary = cors ? VARY.withCors : VARY.withoutCors;
  return (request, response, next) => {
    const target = splitTarget(request.url ?? '/');
    const { headers } = request;
    const place = findPlace(target.path, headers, worlds);
    if (place === undefined) return next();
    const incoming = { request, headers, response, target, place, vary, worlds };
    // Only browsers send an Origin; for other clients the CORS code would be wasted time.
    if (cors && headers.origin !== undefined) return allowOrigins(request, response, () => answer(incoming));
    answer(incoming);
  };
}

interface Target {
  path: string;
  query: string;
}

interface Incoming {
  request: IncomingMessage;
  headers: IncomingHttpHeaders;
  response: ServerResponse;
  target: Target;
  place: Destination;
  vary: string;
  worlds: Worlds;
}

function answer({ request, headers, response, target, place, vary, worlds }: Incoming): void {
  const { entry, prefix, path } = place;
  const out = { response, vary };
  const apiRequest: ApiRequest = {
    method: request.method ?? 'GET',
    path,
    mountPath: `${mountPathOf(request)}${prefix}`,
    query: target.query,
    headers: headers as ApiRequest['headers'],
    body: undefined,
  };
  if ('refused' in entry) return send(answerRefused(apiRequest, entry.refused, worlds), apiRequest.method, out);
  const { world } = entry;
  const started = world.clock.elapsed();
  const problem = findMessageProblem(request);
  if (problem !== undefined) return refuseMessage(problem, { request: apiRequest, world, started, out });
  if (!hasBody(headers)) return serveInTime(apiRequest, world, started, out);
  const limits = {
    most: longestBody(world.profile),
    pool: world.memory.bodies,
    isWanted: isShort(headers) || !isRefusedUnread(apiRequest, world),
  };
  readBodyBytes(request, limits, (body) => {
    if (!response.destroyed) serveInTime(Object.assign(apiRequest, body), world, started, out);
  });
}

interface Refusing {
  request: ApiRequest;
  world: World;
  started: number;
  out: Out;
}

/** Refuses a malformed request at once, with an entry in the journal; the parser may refuse what follows it. */
function refuseMessage(problem: ApiResponse, { request, world, started, out }: Refusing): void {
  recordExchange(request, { response: problem, atFault: 'client' }, world, started);
  send(problem, request.method, out);
}

interface Out {
  response: ServerResponse;
  vary: string;
}

function serveInTime(request: ApiRequest, world: World, started: number, out: Out): void {
  // The client may have disconnected during the delay.
  const isGone = (): boolean => out.response.destroyed;
  const onWait = (cancel: () => void): void => void out.response.once('close', cancel);
  serveRequest(request, world, (answered) => sendInTime(answered, request.method, out), { started, isGone, onWait });
}

function sendInTime(answered: ApiResponse, method: string, out: Out): void {
  const { transport } = answered;
  if (transport === undefined) return atEndOfTurn(() => send(answered, method, out));
  const deliver = (): void => {
    if (transport.cut === undefined) send(answered, method, out);
    else cutShort(answered, transport.cut, out.response);
  };
  if (transport.delay === 0) return deliver();
  const timer = setTimeout(deliver, transport.delay);
  out.response.once('close', () => clearTimeout(timer));
}

/** Express moves the mount path from `url` to `baseUrl`. */
function mountPathOf(request: IncomingMessage & { baseUrl?: string }): string {
  return request.baseUrl ?? '';
}

/** The path and the query of a request target, which may be a whole URL (RFC 9112 section 3.2.2). */
function splitTarget(url: string): Target {
  const target = url.startsWith('/') ? url : url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '');
  const question = target.indexOf('?');
  return question === -1
    ? { path: target, query: '' }
    : { path: target.slice(0, question), query: target.slice(question + 1) };
}

const SHORT_BYTES = 16 * 1024;

/** Whether a body is short enough to be read without a check for room. */
function isShort(headers: IncomingHttpHeaders): boolean {
  return Number(headers['content-length'] ?? Infinity) <= SHORT_BYTES;
}

/** Whether a body follows (RFC 9112 section 6.3). */
function hasBody(headers: IncomingHttpHeaders): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

function send(answered: ApiResponse, method: string, out: Out): void {
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
