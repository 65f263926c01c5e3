import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Pool } from '../../mock/world/memory.js';

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
