// Not the globals, which tests may replace by fake timers: the mock must still respond.
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { setImmediate, setTimeout } from 'node:timers';
import type { ApiResponse, TransportFault } from '../../contract/message.js';
import type { Pool } from '../../mock/world/memory.js';
import type { WorldEntry, Worlds } from '../../mock/world/worlds.js';
import { WORLDS_PATH } from '../world-names.js';

export type Target = { path: string; query: string };

/** Express moves the mount path from `url` to `baseUrl`. */
export type MountedRequest = IncomingMessage & { baseUrl?: string };

/** The path and the query of a request target, which may be a whole URL (RFC 9112 section 3.2.2). */
export function splitTarget(url: string): Target {
  const target = url.startsWith('/') ? url : url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '');
  const question = target.indexOf('?');
  if (question === -1) return { path: target, query: '' };
  return { path: target.slice(0, question), query: target.slice(question + 1) };
}

const SHORT_BYTES = 16 * 1024;

export function isShort(headers: IncomingHttpHeaders): boolean {
  return Number(headers['content-length'] ?? Infinity) <= SHORT_BYTES;
}

/** Whether a body follows (RFC 9112 section 6.3). */
export function hasBody(headers: IncomingHttpHeaders): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** The destination of a request: its world, the prefix that names it (`/worlds/w3`, or `''`), and the path after that. */
export type Destination = { entry: WorldEntry; prefix: string; path: string };

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

/** Whether {@link findPlace} finds one. Asking does not make the world. */
export function isInApi(path: string, worlds: Worlds): boolean {
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

/** The outcome of reading a body: its bytes, or that it was too long, or that there was no room. */
export type BodyBytes = { body: Uint8Array | undefined; bodyLongerThan?: number; bodyHadNoRoom?: true };

export interface BodyLimits {
  /** The largest size of this body in bytes. */
  most: number;
  /** The memory for the bodies of all connections. */
  pool: Pool;
  /** While this is open, a body counts in the pool: what is made of it takes as much again. Default: until it is passed on. */
  response?: ServerResponse | undefined;
  /** Whether to retain the bytes; otherwise they are only counted. Default: `true`. */
  isWanted?: boolean;
}

/** This much of a body is read even if there is no room, so that short bodies always get through. */
const FREE_BYTES = 65_536;

/** Passes a body on once, when it is complete, too long or without room. An aborted request is never passed on. */
export function readBodyBytes(
  request: IncomingMessage & { body?: unknown },
  { most, pool, response, isWanted = true }: BodyLimits,
  done: (body: BodyBytes) => void,
): void {
  // A body parser of the surrounding app has already consumed the stream.
  if (request.readableEnded) return done({ body: request.body === undefined ? undefined : toBytes(request.body) });
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
  // Without a listener, the error of an aborted upload would end the process.
  request.on('error', () => {});
}

function toBytes(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

type Out = { response: ServerResponse; vary: string };

export function deliver(answered: ApiResponse, method: string, out: Out): void {
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

export function send({ status, headers, body }: ApiResponse, method: string, { response, vary }: Out): void {
  // The client disconnected, or the surrounding app responded in the meantime.
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
    // Without a response, the client must not wait for one.
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

/**
 * Calls back at the end of the current turn of the event loop, in the order of the calls. Responses that leave together
 * cost much less than with work in between, since each wakes a client; one waits at most for the other requests of the turn.
 */
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
