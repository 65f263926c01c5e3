import { crc32 } from 'node:zlib';
import { parseJsonWithin, printJson } from '../../contract/document/json.js';
import type { Change } from '../../mock/persistence/changes.js';
import { CannotKeep } from './pass-in-turns.js';

/** Changes as JSON behind a checksum of it and of the place where it is stored. Throws a {@link CannotKeep} if that is too long. */
export function sealChanges(changes: readonly Change[], place: string): string {
  return seal(() => printJson(changes), place);
}

/** {@link sealChanges} for changes that are JSON already. */
export function seal(write: () => string, place: string): string {
  return writeWhole(() => {
    const text = write();
    return `${checksum(place + text)} ${text}`;
  });
}

/** The changes that were stored at a place; `undefined` if they were damaged. */
export function unsealChanges(sealed: string, place: string): Change[] | undefined {
  const text = sealed.slice(CHECKSUM_LENGTH + 1);
  return sealed.slice(0, CHECKSUM_LENGTH) === checksum(place + text) ? readChanges(text) : undefined;
}

const MOST_BYTES = 200 * 1024 * 1024;

/** What is to be stored as one text. Throws a {@link CannotKeep} if it is too long. */
export function writeWhole(write: () => string): string {
  const tooMuch = new CannotKeep({ status: 507, message: 'the change is too large to be stored' });
  try {
    const text = write();
    if (Buffer.byteLength(text) > MOST_BYTES) throw tooMuch;
    return text;
  } catch (error) {
    throw error instanceof RangeError ? tooMuch : error;
  }
}

/** Changes as JSON; `undefined` for anything else. */
export function readChanges(text: string): Change[] | undefined {
  const parsed = parseJsonWithin(text, MOST_DEPTH);
  return parsed.ok && Array.isArray(parsed.value) ? (parsed.value as Change[]) : undefined;
}

/** Records are as deep as a body may be, and have all of this around them. */
const MOST_DEPTH = 1000;
const CHECKSUM_LENGTH = 8;

export function checksum(text: string): string {
  return crc32(text).toString(16).padStart(CHECKSUM_LENGTH, '0');
}

const CHUNK_LENGTH = 256 * 1024;

/** Changes as JSON, in texts of about so many characters, each made when it is asked for. */
export function* cutChunks(all: Iterable<Change>): Generator<string> {
  let texts: string[] = [];
  let length = 0;
  for (const change of all) {
    const text = printJson(change);
    texts.push(text);
    length += text.length;
    if (length < CHUNK_LENGTH) continue;
    yield `[${texts.join(',')}]`;
    [texts, length] = [[], 0];
  }
  if (texts.length > 0) yield `[${texts.join(',')}]`;
}
