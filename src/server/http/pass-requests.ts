import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiRequest, ApiResponse } from '../../contract/message.js';
import type { FaultHit } from '../../mock/faults/faults.js';
import {
  handleRequest,
  isRejectedUnread,
  respondUnserved,
  holdBack,
  isUndisturbed,
} from '../../mock/handle-request.js';
import { longestBody } from '../../mock/request/read-body.js';
import type { Gate, Passed, WorldEntry, Worlds } from '../../mock/world/worlds.js';
import { recordExchange } from '../../mock/response/outgoing.js';
import { hasBody, isShort, mountPathOf, splitTarget, VARY, type Middleware, type Target } from './incoming.js';
import { allowOrigins, findMessageProblem, respondRejected } from './outside.js';
import { readBodyBytes, type BodyBytes, type BodyLimits, deliver } from './send-answer.js';
import { findPlace, isInApi } from './select-world.js';

/** The middleware of worlds that outlast the process: a request is served when it passes the gate, and answered when what it changed is kept. */
export function passRequests(worlds: Worlds, gate: Gate, { cors }: { cors: boolean }): Middleware {
  const vary = cors ? VARY.withCors : VARY.withoutCors;
  return (request, response, next) => {
    const target = splitTarget(request.url ?? '/');
    if (!isInApi(target.path, worlds)) return next();
    const arrived = { request, response, target, worlds, gate, vary, started: worlds.default.clock.elapsed() };
    if (cors && request.headers.origin !== undefined) return allowOrigins(request, response, () => receive(arrived));
    receive(arrived);
  };
}

interface Arrived {
  request: IncomingMessage;
  response: ServerResponse;
  target: Target;
  worlds: Worlds;
  gate: Gate;
  vary: string;
  started: number;
}

/** Reads the body. How long it may be is asked of the world; a short one may have its length anywhere. */
function receive(arrived: Arrived): void {
  const { request, response, gate } = arrived;
  const { headers } = request;
  if (findMessageProblem(request) !== undefined || !hasBody(headers)) return serve(arrived, {});
  const read = (limits: BodyLimits): void =>
    readBodyBytes(request, { ...limits, response }, (body) => {
      if (!response.destroyed) serve(arrived, body);
    });
  const { profile, memory } = arrived.worlds.default;
  if (isShort(headers)) return read({ most: longestBody(profile), pool: memory.bodies });
  gate.pass(
    () => findLimits(arrived),
    (outcome) => {
      if (!('rejected' in outcome) && outcome.result !== undefined) read(outcome.result);
      else serve(arrived, { bodyLongerThan: 0 });
    },
  );
}

function findLimits(arrived: Arrived): BodyLimits | undefined {
  const { request, target, worlds } = arrived;
  const place = findPlace(target.path, request.headers, worlds);
  if (place === undefined || 'rejected' in place.entry) return undefined;
  const { world } = place.entry;
  const isWanted = !isRejectedUnread(toApiRequest(arrived, place, {}), world);
  return { most: longestBody(world.profile), pool: world.memory.bodies, isWanted };
}

function serve(arrived: Arrived, body: Partial<BodyBytes>): void {
  const { request, response, target, worlds, vary, started } = arrived;
  const { method = 'GET' } = request;
  const place = { prefix: '', path: target.path };
  passRequest(toApiRequest(arrived, place, body), worlds, {
    started,
    attempt: () => (response.destroyed ? 'gone' : findMessageProblem(request)),
    onWait: (cancel) => void response.once('close', cancel),
    done: (answered) => deliver(answered, method, { response, vary }),
  });
}

function toApiRequest(
  { request, target }: Arrived,
  { prefix, path }: { prefix: string; path: string },
  body: Partial<BodyBytes>,
): ApiRequest {
  return {
    method: request.method ?? 'GET',
    path,
    mountPath: `${mountPathOf(request)}${prefix}`,
    query: target.query,
    headers: request.headers as ApiRequest['headers'],
    body: undefined,
    ...body,
  };
}

export interface PassingRequest {
  started: number;
  /** The world of a request whose path does not say it. Default: the path or the header does. */
  world?: string;
  /** Asked at each attempt: whether the client has gone, or what its message is refused with. Default: neither. */
  attempt?: () => 'gone' | ApiResponse | undefined;
  onWait?: (cancel: () => void) => void;
  done: (answered: ApiResponse) => void;
}

/** What an attempt at a request came to. */
type Attempt = 'gone' | { answered: ApiResponse } | Held;

/** A request that is held back, with the faults that struck it. */
interface Held {
  wait: number;
  hit: FaultHit | undefined;
}

/** Serves a request, whose path may name its world, when it passes the gate. */
export function passRequest(whole: ApiRequest, worlds: Worlds, passing: PassingRequest): void {
  const { gate } = worlds;
  const bytes = whole.body?.length ?? 0;
  const pass = (attempt: () => Attempt): void => gate?.pass(attempt, (outcome) => finish(outcome), bytes);
  const finish = (outcome: Passed<Attempt>): void => {
    if ('rejected' in outcome) return passing.done(respondUnserved(whole, worlds.default, outcome.rejected));
    const { result } = outcome;
    if (result === 'gone') return;
    if ('answered' in result) return passing.done(result.answered);
    const timer = setTimeout(() => pass(() => attemptAt(whole, worlds, passing, result)), result.wait);
    passing.onWait?.(() => clearTimeout(timer));
  };
  pass(() => attemptAt(whole, worlds, passing));
}

function attemptAt(
  whole: ApiRequest,
  worlds: Worlds,
  { started, attempt, world: name }: PassingRequest,
  held?: Held,
): Attempt {
  const problem = attempt?.();
  if (problem === 'gone') return problem;
  const { entry, request } = find(whole, worlds, name);
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

/** The world of a request, and the request below it. The journal has the request itself where nothing is to be taken off. */
function find(whole: ApiRequest, worlds: Worlds, name: string | undefined): { entry: WorldEntry; request: ApiRequest } {
  if (name !== undefined) return { entry: worlds.enter(name), request: whole };
  const place = findPlace(whole.path, whole.headers, worlds);
  const { entry, path, prefix } = place ?? { entry: { world: worlds.default }, path: whole.path, prefix: '' };
  return { entry, request: prefix === '' ? whole : { ...whole, path, mountPath: `${whole.mountPath}${prefix}` } };
}
