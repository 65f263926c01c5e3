// Not the global, which tests may replace by a fake timer: the mock must still answer.
import type { OutgoingHttpHeaders, ServerResponse, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { ApiResponse, TransportFault } from '../../contract/message.js';
import { setTimeout } from 'node:timers';
import type { Pool } from '../../mock/world/memory.js';

export interface Out {
  response: ServerResponse;
  vary: string;
}

/** Sends an answer, or does to the connection what a fault says. */
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

export function send(answered: ApiResponse, method: string, out: Out): void {
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

/** Resets the connection instead of answering, or closes it in the middle of the body, as the fault specifies. */
function cutShort(
  { status, headers, body }: ApiResponse,
  cut: NonNullable<TransportFault['cut']>,
  response: ServerResponse,
): void {
  if (response.headersSent || response.destroyed) return;
  if (cut === 'reset') return announce(response, () => reset(response));
  const bytes = Buffer.from(body?.text ?? '');
  response.writeHead(status, { ...headers, 'Content-Length': Math.max(bytes.length, 1) });
  // The first half must leave before the connection closes.
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.socket?.destroy());
}

/** The time that a client has to read before the reset; some systems discard unread data at a reset. */
const READING_MS = 20;

/** Sends RST instead of the FIN of a normal end. */
function reset(response: ServerResponse): void {
  setTimeout(() => response.socket?.resetAndDestroy(), READING_MS);
}

/**
 * Calls back when earlier answers have left and the client cannot mistake the reset for the end of an idle
 * connection. Browsers and many other clients repeat a request, even a POST, if a reused
 * connection closes before the first byte, and the user never sees the failure.
 * An interim response provides that byte without being part of the answer (RFC 9110 section 15.2.1).
 */
function announce(response: ServerResponse, done: () => void): void {
  if (takesInterim(response)) return response.writeContinue(done);
  if (response.socket === null) response.once('socket', done);
  else done();
}

/** Node's clients send `node`, `undici` or no user agent. They repeat nothing, and `fetch` fails on an unexpected 100. */
const NODES_OWN: ReadonlySet<IncomingHttpHeaders['user-agent']> = new Set([undefined, 'node', 'undici']);

/** HTTP/1.0 has no interim responses. */
function takesInterim({ req }: ServerResponse): boolean {
  return req.httpVersion !== '1.0' && !NODES_OWN.has(req.headers['user-agent']);
}

/** The outcome of reading a body: its bytes, or that it was too long, or that there was no room. */
export interface BodyBytes {
  body: Uint8Array | undefined;
  bodyLongerThan?: number;
  bodyHadNoRoom?: true;
}

export interface BodyLimits {
  /** The largest size of this body in bytes. */
  most: number;
  /** The memory for the bodies of all connections. */
  pool: Pool;
  /** While this is open, a body counts in the pool: what is made of it takes as much again. Default: until it is passed on. */
  response?: ServerResponse | undefined;
  /** Whether to keep the bytes; otherwise they are only counted. Default: `true`. */
  isWanted?: boolean;
}

/** This much of a body is read even if there is no room, so that short bodies always get through. */
const FREE_BYTES = 65_536;

/**
 * Collects a request's body and passes it on once, when it is complete, too long or
 * without room. An aborted request is never passed on.
 */
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
    // Node reads and drops the rest, so that the client can read the answer.
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
  // Without a listener, the error of an aborted upload would end the process.
  request
    .on('data', onData)
    .on('end', onEnd)
    .on('error', () => {});
}

function toBytes(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}
