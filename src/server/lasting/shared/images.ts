// Not the global, which tests may replace by a fake timer.
import { setImmediate } from 'node:timers/promises';
import { printJson } from '../../../contract/document/json.js';
import type { Change } from '../../../mock/world/changes.js';
import { readChanges } from '../written-changes.js';
import type { Engine } from './engine.js';

/** An image is everything that worlds held at a moment, as changes from nothing, in chunks. */
export interface WrittenImage {
  key: string;
  chunks: number;
  bytes: number;
}

const CHUNK_LENGTH = 256 * 1024;
/** An image that nobody makes the beginning goes away. */
const UNUSED_SECONDS = 120;
/** For those who are still reading it. */
const REPLACED_SECONDS = 60;
const CHUNKS_AT_ONCE = 16;

/** Writes an image while the process serves. Rejects with an `EngineError`. */
export async function writeImage(all: Iterable<Change>, key: string, engine: Engine): Promise<WrittenImage> {
  await engine.call('DEL', key);
  const image = { key, chunks: 0, bytes: 0 };
  for (const chunk of cutChunks(all)) {
    await engine.call('RPUSH', key, chunk);
    await engine.call('EXPIRE', key, UNUSED_SECONDS);
    image.chunks += 1;
    image.bytes += Buffer.byteLength(chunk);
    await setImmediate();
  }
  return image;
}

function* cutChunks(all: Iterable<Change>): Generator<string> {
  let texts: string[] = [];
  let length = 0;
  for (const change of all) {
    const text = printJson(change);
    texts.push(text);
    length += text.length;
    if (length < CHUNK_LENGTH) continue;
    yield `[${texts.join(',')}]`;
    texts = [];
    length = 0;
  }
  if (texts.length > 0) yield `[${texts.join(',')}]`;
}

/** The changes of an image; `undefined` if it is not whole. Rejects with an `EngineError`. */
export async function readImage(
  { key, chunks }: Pick<WrittenImage, 'key' | 'chunks'>,
  engine: Engine,
): Promise<Change[] | undefined> {
  const all: Change[] = [];
  let count = 0;
  for (let at = 0; at < chunks; at += CHUNKS_AT_ONCE) {
    const texts = (await engine.call('LRANGE', key, at, at + CHUNKS_AT_ONCE - 1)) as string[];
    for (const text of texts) {
      const changes = readChanges(text);
      if (changes === undefined) return undefined;
      for (const change of changes) all.push(change);
      count += 1;
    }
  }
  return count === chunks ? all : undefined;
}

/** An image that another one has replaced. */
export async function leaveImage(key: string, engine: Engine): Promise<void> {
  await engine.call('EXPIRE', key, REPLACED_SECONDS);
}
