import type { IncomingMessage, ServerResponse, IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { ApiRequest, ApiResponse, TransportFault } from '../../contract/model.js';
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
import type { Gate, Passed, Worlds, WorldEntry } from '../../mock/world/worlds.js';
import { createErrorResponse } from '../../mock/response/errors.js';
import { allowOrigins, respondRejected } from './outside.js';
// Not the globals, which tests may replace by fake timers: the mock must still respond.
import { setImmediate, setTimeout } from 'node:timers';
import type { Pool } from '../../mock/world/journal.js';
import { WORLDS_PATH } from '../world-names.js';

type Middleware = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;

/** The header fields on which a response depends (RFC 9110 section 12.5.5), so that caches store the variants separately. */
const VARY = { withCors: 'Origin, Prefer, X-Petstore-World', withoutCors: 'Prefer, X-Petstore-World' };

/** Serves every request below the base path and below the prefix of a world; all others are passed on. */
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
  const { method = 'GET', baseUrl = '' } = request;
  const headers = request.headers as ApiRequest['headers'];
  return { method, path, mountPath: `${baseUrl}${prefix}`, query: target.query, headers, body: undefined };
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

/** Why a message is rejected that Node's parser accepts, or would reject without a reason. */
export function findMessageProblem(request: IncomingMessage): ApiResponse | undefined {
  const { headers, httpVersion } = request;
  const host = findHostProblem(request);
  if (host !== undefined) return createErrorResponse(400, host);
  if (headers['transfer-encoding'] !== undefined) return findCodingProblem(request, headers['transfer-encoding']);
  const { expect } = headers;
  // RFC 9110 section 10.1.1: expectations in HTTP/1.0 are ignored.
  if (expect === undefined || httpVersion === '1.0' || expect.toLowerCase() === '100-continue') return undefined;
  return createErrorResponse(417, `Expect is ${expect}; the mock only knows 100-continue`);
}

/** RFC 9112 section 3.2: HTTP/1.1 requires one, and no message may have two. */
function findHostProblem({ headers, rawHeaders, httpVersion }: IncomingMessage): string | undefined {
  const { host } = headers;
  if (host === undefined) return httpVersion === '1.0' ? undefined : 'the header field Host is missing';
  // Node keeps the first field and silently drops the others.
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts > 1) return 'there is more than one header field Host';
  if (host === lastGoodHost) return undefined;
  if (!HOST.test(host)) return 'the header field Host is not a host with an optional port';
  lastGoodHost = host;
  return undefined;
}

/** Characters of a host or an address in brackets, then a port (RFC 3986 section 3.2.2); an empty one is allowed. */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

let lastGoodHost = '';

/** Only the last coding can mark the end of a body, and in HTTP/1.0 none can (RFC 9112 sections 6.1 and 6.3). */
function findCodingProblem({ httpVersion }: IncomingMessage, field: string): ApiResponse | undefined {
  const codings = field
    .toLowerCase()
    .split(',')
    .map((each) => each.trim());
  if (httpVersion === '1.0' || codings.at(-1) !== 'chunked') {
    const version = httpVersion === '1.0' ? ' in HTTP/1.0' : '';
    return createErrorResponse(400, `with Transfer-Encoding: ${field}${version}, the end of the body cannot be found`, {
      Connection: 'close',
    });
  }
  if (codings.length === 1) return undefined;
  return createErrorResponse(501, `the body is sent with Transfer-Encoding: ${field}; the mock reads only chunked`);
}

type Target = { path: string; query: string };

/** Express moves the mount path from `url` to `baseUrl`. */
export type MountedRequest = IncomingMessage & { baseUrl?: string };

/** The path and the query of a request target, which may be a whole URL (RFC 9112 section 3.2.2). */
function splitTarget(url: string): Target {
  const target = url.startsWith('/') ? url : url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '');
  const question = target.indexOf('?');
  if (question === -1) return { path: target, query: '' };
  return { path: target.slice(0, question), query: target.slice(question + 1) };
}

const SHORT_BYTES = 16 * 1024;
const isShort = (headers: IncomingHttpHeaders): boolean => Number(headers['content-length'] ?? Infinity) <= SHORT_BYTES;

/** Whether a body follows (RFC 9112 section 6.3). */
function hasBody(headers: IncomingHttpHeaders): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** The destination of a request: its world, the prefix that names it (`/worlds/w3`, or `''`), and the path after that. */
type Destination = { entry: WorldEntry; prefix: string; path: string };

const PREFIX = `${WORLDS_PATH}/`;

/** The world of a request, from the prefix of its path or from its header; `undefined` outside the API. */
export function findPlace(whole: string, headers: IncomingHttpHeaders, worlds: Worlds): Destination | undefined {
  if (!isInApi(whole, worlds)) return undefined;
  const named = headers['x-petstore-world'] as string | undefined;
  if (!whole.startsWith(PREFIX)) {
    const entry = named === undefined ? { world: worlds.default } : worlds.enter(named);
    return { entry, prefix: '', path: whole };
  }
  const end = whole.indexOf('/', PREFIX.length);
  const [prefix, path] = [whole.slice(0, end), whole.slice(end)];
  const name = decode(whole.slice(PREFIX.length, end));
  if (named === undefined || named === name) return { entry: worlds.enter(name), prefix, path };
  const message = `the path names the world ${name}, the header X-Petstore-World the world ${named}; send one of them`;
  return { entry: { rejected: { status: 400, message: worlds.default.redact(message) } }, prefix, path };
}

function isInApi(path: string, worlds: Worlds): boolean {
  const { bases } = worlds.default.contract;
  if (!path.startsWith(PREFIX)) return bases.isServed(path);
  const end = path.indexOf('/', PREFIX.length);
  return end !== -1 && bases.isServed(path.slice(end));
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

type BodyBytes = { body: Uint8Array | undefined; bodyLongerThan?: number; bodyHadNoRoom?: true };

interface BodyLimits {
  /** The largest size of this body in bytes. */
  most: number;
  pool: Pool;
  /** While this is open, a body counts in the pool: what is made of it takes as much again. Default: until it is passed on. */
  response?: ServerResponse | undefined;
  /** Whether to retain the bytes; otherwise they are only counted. Default: `true`. */
  isWanted?: boolean;
}

const FREE_BYTES = 65_536;

/** Passes a body on once, when it is complete, too long or without room. An aborted request is never passed on. */
export function readBodyBytes(
  request: IncomingMessage & { body?: unknown },
  { most, pool, response, isWanted = true }: BodyLimits,
  done: (body: BodyBytes) => void,
): void {
  // A body parser of the surrounding app has already consumed the stream.
  if (request.readableEnded) {
    const { body } = request;
    if (body === undefined || body instanceof Uint8Array) return done({ body });
    return done({ body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) });
  }
  let chunks: Buffer[] = [];
  let length = 0;
  let taken = 0;
  const giveBack = (): void => {
    pool.used -= taken;
    taken = 0;
    chunks = [];
  };
  const finish = (body: BodyBytes): void => {
    // Node reads and drops the rest, so that the client can read the response.
    request.off('data', onData).off('end', onEnd).off('close', giveBack);
    chunks = [];
    if (body.body === undefined || response === undefined || response.destroyed) giveBack();
    else if (taken > 0) response.once('close', giveBack);
    done(body);
  };
  const onData = (chunk: Buffer): void => {
    length += chunk.length;
    if (length > most) return finish({ body: undefined, bodyLongerThan: most });
    if (!isWanted) return;
    chunks.push(chunk);
    if (length <= FREE_BYTES) return;
    if (taken === 0) request.once('close', giveBack);
    taken += chunk.length;
    pool.used += chunk.length;
    if (pool.used > pool.most) finish({ body: undefined, bodyHadNoRoom: true });
  };
  const onEnd = (): void => {
    if (!isWanted) return finish({ body: undefined, bodyLongerThan: 0 });
    finish({ body: chunks.length === 1 ? chunks[0] : Buffer.concat(chunks) });
  };
  request.on('data', onData).on('end', onEnd);
  request.on('error', () => {});
}

type Out = { response: ServerResponse; vary: string };

function deliver(answered: ApiResponse, method: string, out: Out): void {
  const { transport } = answered;
  if (transport === undefined) return send(answered, method, out);
  const now = (): void => {
    if (transport.cut === undefined) send(answered, method, out);
    else cutShort(answered, transport.cut, out.response);
  };
  if (transport.delay === 0) return now();
  const timer = setTimeout(now, transport.delay);
  out.response.once('close', () => clearTimeout(timer));
}

function send({ status, headers, body }: ApiResponse, method: string, { response, vary }: Out): void {
  if (response.headersSent || response.destroyed) return;
  try {
    // In Node 20, a literal with a spread before other properties takes thirty times as long.
    const fields: OutgoingHttpHeaders = Object.assign({}, headers);
    // From the `cors` library or from the surrounding app.
    const present = response.getHeader('Vary');
    const names = present === undefined ? [] : [present, vary].flat().join(', ').split(', ');
    fields['Vary'] = present === undefined ? vary : [...new Set(names)].join(', ');
    if (body !== undefined) fields['Content-Length'] = Buffer.byteLength(body.text);
    response.writeHead(status, fields).end(method === 'HEAD' ? undefined : body?.text);
  } catch (error) {
    response.destroy();
    throw error;
  }
}

/** The time that a client has to read before the reset; some systems discard unread data at a reset. */
const READING_MS = 20;

function cutShort(
  { status, headers, body }: ApiResponse,
  cut: NonNullable<TransportFault['cut']>,
  response: ServerResponse,
): void {
  if (response.headersSent || response.destroyed) return;
  if (cut === 'reset')
    return announce(response, () => void setTimeout(() => response.socket?.resetAndDestroy(), READING_MS));
  const bytes = Buffer.from(body?.text ?? '');
  response.writeHead(status, { ...headers, 'Content-Length': Math.max(bytes.length, 1) });
  // The first half must leave before the connection closes.
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.socket?.destroy());
}

/** Node's clients send `node`, `undici` or no user agent. They repeat nothing, and `fetch` fails on an unexpected 100. */
const NODES_OWN: ReadonlySet<IncomingHttpHeaders['user-agent']> = new Set([undefined, 'node', 'undici']);

/**
 * Calls back when earlier responses have left and the client cannot mistake the reset for the end of an idle connection:
 * browsers repeat a request, even a POST, if a reused connection closes before the first byte. An interim response is such
 * a byte, and no part of the response (RFC 9110 section 15.2.1); HTTP/1.0 has none.
 */
function announce(response: ServerResponse, done: () => void): void {
  const { httpVersion, headers } = response.req;
  if (httpVersion !== '1.0' && !NODES_OWN.has(headers['user-agent'])) return response.writeContinue(done);
  if (response.socket === null) response.once('socket', done);
  else done();
}

type Callback = () => void;

let answers: Callback[] = [];
let others: Callback[] = [];

/** Calls back at the end of the turn of the event loop: responses that leave together cost much less. */
export function atEndOfTurn(answer: Callback): void {
  if (answers.length === 0 && others.length === 0) setImmediate(callAll);
  answers.push(answer);
}

/** Calls back after all responses of the turn have left, for work for which no client waits. */
export function afterAnswers(callback: Callback): void {
  if (answers.length === 0 && others.length === 0) setImmediate(callAll);
  others.push(callback);
}

function callAll(): void {
  const due = [...answers, ...others];
  [answers, others] = [[], []];
  for (const callback of due) callAlone(callback);
}

/** A failing callback does not affect the others; its error is thrown after them, so that the bug is not hidden. */
export function callAlone(callback: Callback): void {
  try {
    callback();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
