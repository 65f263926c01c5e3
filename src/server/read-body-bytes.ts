import type { IncomingMessage } from 'node:http';

/** What came of a body: its bytes, or that it is too long. */
export interface BodyBytes {
  body: Uint8Array | undefined;
  bodyLongerThan?: number;
}

/**
 * Collects a request's body and hands it on once, when it is whole or longer
 * than `most` bytes. A request that the client aborts is never handed on.
 */
export function readBodyBytes(
  request: IncomingMessage & { body?: unknown },
  most: number,
  done: (body: BodyBytes) => void,
): void {
  // A parser of the app that this is mounted in has consumed the stream before us.
  if (request.readableEnded) return done({ body: request.body === undefined ? undefined : toBytes(request.body) });
  const chunks: Buffer[] = [];
  let length = 0;
  const onData = (chunk: Buffer): void => {
    length += chunk.length;
    if (length <= most) {
      chunks.push(chunk);
      return;
    }
    // The rest is read and dropped by Node, so that the client gets to read the answer.
    request.off('data', onData).off('end', onEnd);
    done({ body: undefined, bodyLongerThan: most });
  };
  const onEnd = (): void => done({ body: chunks.length === 1 ? chunks[0] : Buffer.concat(chunks) });
  // Without a listener the error of an aborted upload would end the process.
  request
    .on('data', onData)
    .on('end', onEnd)
    .on('error', () => {});
}

function toBytes(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}
