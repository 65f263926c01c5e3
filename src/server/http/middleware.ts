import type { Destination } from './select-world.js';
import { findPlace } from './select-world.js';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { ApiRequest, ApiResponse } from '../../contract/message.js';
import { isRejectedUnread, serveRequest } from '../../mock/handle-request.js';
import { longestBody } from '../../mock/request/read-body.js';
import { recordExchange } from '../../mock/response/outgoing.js';
import type { World } from '../../mock/world/world.js';
import type { Worlds } from '../../mock/world/worlds.js';
import type { AdminAccess } from '../admin/guard.js';
import type { FileNews } from '../file-news.js';
import type { OpenTools } from '../open-admin.js';
import { hasBody, isShort, mountPathOf, splitTarget, VARY, type Middleware, type Target } from './incoming.js';
import { allowOrigins, findMessageProblem, respondRejected } from './outside.js';
import { atEndOfTurn } from './end-of-turn.js';
import { passRequests } from './pass-requests.js';
import { readBodyBytes, deliver, send, type Out } from './send-answer.js';

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

/**
 * Serves worlds over HTTP: answers every request below the contract's base
 * path, and below the prefix of a world, and passes on everything else.
 */
export function createMiddleware(worlds: Worlds, { cors }: ServingOptions): Middleware {
  if (worlds.gate !== undefined) return passRequests(worlds, worlds.gate, { cors });
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
  if ('rejected' in entry) return send(respondRejected(apiRequest, entry.rejected, worlds), apiRequest.method, out);
  const { world } = entry;
  const started = world.clock.elapsed();
  const problem = findMessageProblem(request);
  if (problem !== undefined) return rejectMessage(problem, { request: apiRequest, world, started, out });
  if (!hasBody(headers)) return serveInTime(apiRequest, world, started, out);
  const limits = {
    most: longestBody(world.profile),
    pool: world.memory.bodies,
    response,
    isWanted: isShort(headers) || !isRejectedUnread(apiRequest, world),
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
function rejectMessage(problem: ApiResponse, { request, world, started, out }: Refusing): void {
  recordExchange(request, { response: problem, atFault: 'client' }, world, started);
  send(problem, request.method, out);
}

function serveInTime(request: ApiRequest, world: World, started: number, out: Out): void {
  // The client may have disconnected during the delay.
  const isGone = (): boolean => out.response.destroyed;
  const onWait = (cancel: () => void): void => void out.response.once('close', cancel);
  serveRequest(request, world, (answered) => sendInTime(answered, request.method, out), { started, isGone, onWait });
}

function sendInTime(answered: ApiResponse, method: string, out: Out): void {
  if (answered.transport === undefined) atEndOfTurn(() => send(answered, method, out));
  else deliver(answered, method, out);
}
