import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiRequest, ApiResponse } from '../../contract/message.js';
import type { FaultHit } from '../../mock/faults/faults.js';
import {
  handleRequest,
  holdBack,
  isRejectedUnread,
  isUndisturbed,
  respondUnserved,
  serveRequest,
} from '../../mock/handle-request.js';
import { longestBody } from '../../mock/request/read-request.js';
import { recordExchange } from '../../mock/response/outgoing.js';
import type { Gate, Passed, Worlds } from '../../mock/world/worlds.js';
import {
  atEndOfTurn,
  deliver,
  findPlace,
  hasBody,
  isInApi,
  isShort,
  readBodyBytes,
  send,
  splitTarget,
  type BodyBytes,
  type BodyLimits,
  type Destination,
  type MountedRequest,
  type Target,
} from './exchange.js';
import { allowOrigins, findMessageProblem, respondRejected } from './outside.js';

/** A middleware for Node's `http`, Connect and Express. */
type Middleware = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;

/** The header fields on which a response depends (RFC 9110 section 12.5.5), so that caches store the variants separately. */
const VARY = { withCors: 'Origin, Prefer, X-Petstore-World', withoutCors: 'Prefer, X-Petstore-World' };

/**
 * Serves worlds over HTTP: every request below the contract's base path, and below the prefix of a world; all others are
 * passed on. Where worlds outlast the process, a request is served when it passes the gate.
 */
export function createMiddleware(worlds: Worlds, { cors }: { cors: boolean }): Middleware {
  const { gate } = worlds;
  const vary = cors ? VARY.withCors : VARY.withoutCors;
  return (request, response, next) => {
    const target = splitTarget(request.url ?? '/');
    const { headers } = request;
    const place = gate === undefined ? findPlace(target.path, headers, worlds) : undefined;
    if (place === undefined && (gate === undefined || !isInApi(target.path, worlds))) return next();
    const arrived = { request, response, target, worlds, vary, started: worlds.default.clock.elapsed() };
    const serve = (): void => {
      if (place !== undefined) serveAt(place, arrived);
      else if (gate !== undefined) receive(arrived, gate);
    };
    // Only browsers send an Origin; for other clients the CORS code would be wasted time.
    if (cors && headers.origin !== undefined) return allowOrigins(request, response, serve);
    serve();
  };
}

interface Arrived {
  request: MountedRequest;
  response: ServerResponse;
  target: Target;
  worlds: Worlds;
  vary: string;
  started: number;
}

function toApiRequest({ request, target }: Arrived, { prefix, path }: Omit<Destination, 'entry'>): ApiRequest {
  return {
    method: request.method ?? 'GET',
    path,
    mountPath: `${request.baseUrl ?? ''}${prefix}`,
    query: target.query,
    headers: request.headers as ApiRequest['headers'],
    body: undefined,
  };
}

function serveAt(place: Destination, arrived: Arrived): void {
  const { request, response, worlds, vary, started } = arrived;
  const { entry } = place;
  const out = { response, vary };
  const apiRequest = toApiRequest(arrived, place);
  const { method } = apiRequest;
  if ('rejected' in entry) return send(respondRejected(apiRequest, entry.rejected, worlds), method, out);
  const { world } = entry;
  const problem = findMessageProblem(request);
  if (problem !== undefined) {
    // At once: the parser may reject what follows it.
    recordExchange(apiRequest, { response: problem, atFault: 'client' }, world, started);
    return send(problem, method, out);
  }
  const done = (answered: ApiResponse): void => {
    if (answered.transport === undefined) atEndOfTurn(() => send(answered, method, out));
    else deliver(answered, method, out);
  };
  const isGone = (): boolean => response.destroyed;
  const onWait = (cancel: () => void): void => void response.once('close', cancel);
  if (!hasBody(request.headers)) return serveRequest(apiRequest, world, done, { started, isGone, onWait });
  const isWanted = isShort(request.headers) || !isRejectedUnread(apiRequest, world);
  const limits = { most: longestBody(world.profile), pool: world.memory.bodies, response, isWanted };
  readBodyBytes(request, limits, (body) => {
    if (!isGone()) serveRequest(Object.assign(apiRequest, body), world, done, { started, isGone, onWait });
  });
}

/** Reads the body. The world says how long it may be; a short one may have its length anywhere. */
function receive(arrived: Arrived, gate: Gate): void {
  const { request, response, target, worlds, vary, started } = arrived;
  const { headers } = request;
  const serve = (body: Partial<BodyBytes>): void => {
    const apiRequest = Object.assign(toApiRequest(arrived, { prefix: '', path: target.path }), body);
    passRequest(apiRequest, worlds, {
      started,
      attempt: () => (response.destroyed ? 'gone' : findMessageProblem(request)),
      onWait: (cancel) => void response.once('close', cancel),
      done: (answered) => deliver(answered, apiRequest.method, { response, vary }),
    });
  };
  if (findMessageProblem(request) !== undefined || !hasBody(headers)) return serve({});
  const read = (limits: BodyLimits): void =>
    readBodyBytes(request, { ...limits, response }, (body) => {
      if (!response.destroyed) serve(body);
    });
  const { profile, memory } = worlds.default;
  if (isShort(headers)) return read({ most: longestBody(profile), pool: memory.bodies });
  const findLimits = (): BodyLimits | undefined => {
    const place = findPlace(target.path, headers, worlds);
    if (place === undefined || 'rejected' in place.entry) return undefined;
    const { world } = place.entry;
    const isWanted = !isRejectedUnread(toApiRequest(arrived, place), world);
    return { most: longestBody(world.profile), pool: world.memory.bodies, isWanted };
  };
  gate.pass(findLimits, (outcome) => {
    if (!('rejected' in outcome) && outcome.result !== undefined) read(outcome.result);
    else serve({ bodyLongerThan: 0 });
  });
}

interface PassingRequest {
  started: number;
  world?: string;
  /** Asked at each attempt: whether the client has gone, or what its message is rejected with. Default: neither. */
  attempt?: () => 'gone' | ApiResponse | undefined;
  onWait?: (cancel: () => void) => void;
  done: (answered: ApiResponse) => void;
}

type Attempt = 'gone' | { answered: ApiResponse } | Held;
type Held = { wait: number; hit: FaultHit | undefined };

/** Serves a request, whose path may name its world, when it passes the gate. */
export function passRequest(whole: ApiRequest, worlds: Worlds, passing: PassingRequest): void {
  const bytes = whole.body?.length ?? 0;
  const pass = (held?: Held): void => worlds.gate?.pass(() => attemptAt(whole, worlds, passing, held), finish, bytes);
  const finish = (outcome: Passed<Attempt>): void => {
    if ('rejected' in outcome) return passing.done(respondUnserved(whole, worlds.default, outcome.rejected));
    const { result } = outcome;
    if (result === 'gone') return;
    if ('answered' in result) return passing.done(result.answered);
    const timer = setTimeout(() => pass(result), result.wait);
    passing.onWait?.(() => clearTimeout(timer));
  };
  pass();
}

function attemptAt(whole: ApiRequest, worlds: Worlds, passing: PassingRequest, held?: Held): Attempt {
  const { started, attempt, world: name } = passing;
  const problem = attempt?.();
  if (problem === 'gone') return problem;
  const place = name === undefined ? findPlace(whole.path, whole.headers, worlds) : undefined;
  const { entry, path, prefix } = place ?? { entry: worlds.enter(name ?? worlds.default.name), path: '', prefix: '' };
  // The journal has the request itself where nothing is to be taken off.
  const request = prefix === '' ? whole : { ...whole, path, mountPath: `${whole.mountPath}${prefix}` };
  if ('rejected' in entry) return { answered: respondRejected(request, entry.rejected, worlds) };
  const { world } = entry;
  if (problem !== undefined) {
    recordExchange(request, { response: problem, atFault: 'client' }, world, started);
    return { answered: problem };
  }
  if (held !== undefined || isUndisturbed(world))
    return { answered: handleRequest(request, world, { started, hit: held?.hit }) };
  const { hit, delay } = holdBack(request, world);
  return delay === 0 ? { answered: handleRequest(request, world, { started, hit }) } : { wait: delay, hit };
}
