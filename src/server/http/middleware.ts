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
import { allowOrigins } from './cors.js';
import { cutShort } from './cut-short.js';
import { atEndOfTurn } from './end-of-turn.js';
import { findMessageProblem } from './find-message-problem.js';
import { answerRefused } from './outside.js';
import { readBodyBytes } from './read-body-bytes.js';
import { findPlace, type Place } from './select-world.js';

/** A middleware as Node's `http`, Connect and Express call it. */
export type Middleware = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;

export interface ServingOptions {
  /** Whether pages of other origins may use the mock. */
  cors: boolean;
  /** Who may use the admin API. Default: it is not served. */
  admin?: AdminAccess | undefined;
  /** What became of the files that are followed. Default: none are. */
  news?: FileNews | undefined;
}

/** What an answer depends on beside the URL (RFC 9110 section 12.5.5), so that caches keep apart what differs. */
const VARY = { withCors: 'Origin, Prefer, X-Petstore-World', withoutCors: 'Prefer, X-Petstore-World' };

/**
 * Puts worlds behind HTTP: answers every request below the contract's base
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
    // Only browsers send an Origin; nobody else pays for what they need.
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
  place: Place;
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

/** What cannot be taken for a request is told in the journal like one, and at once: the parser may refuse what follows. */
function refuseMessage(problem: ApiResponse, { request, world, started, out }: Refusing): void {
  recordExchange(request, { response: problem, atFault: 'client' }, world, started);
  send(problem, request.method, out);
}

interface Out {
  response: ServerResponse;
  vary: string;
}

function serveInTime(request: ApiRequest, world: World, started: number, out: Out): void {
  // The client may have gone while it was held back; then there is nobody to tell.
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

const SHORT_BYTES = 16 * 1024;

/** Whether a body is so short that it is read before anyone asks whether it may be. */
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
  // The client has gone, or whatever this is mounted in has answered meanwhile.
  if (response.headersSent || response.destroyed) return;
  try {
    write(answered, method, out);
  } catch (error) {
    // A client that gets no answer should not wait for one.
    response.destroy();
    throw error;
  }
}

function write({ status, headers, body }: ApiResponse, method: string, { response, vary }: Out): void {
  // Node 20 takes thirty times as long for a literal that spreads first and adds then.
  const fields: OutgoingHttpHeaders = Object.assign({}, headers);
  fields['Vary'] = joinVary(response.getHeader('Vary'), vary);
  if (body !== undefined) fields['Content-Length'] = Buffer.byteLength(body.text);
  response.writeHead(status, fields).end(method === 'HEAD' ? undefined : body?.text);
}

/** What stands in `Vary` already (the `cors` library's, or of an app that this is mounted in) stays. */
function joinVary(present: number | string | string[] | undefined, own: string): string {
  if (present === undefined) return own;
  const names = [present, own].flat().join(', ').split(', ');
  return [...new Set(names)].join(', ');
}
