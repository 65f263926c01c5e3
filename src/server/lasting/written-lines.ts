import { crc32 } from 'node:zlib';
import { parseJsonWithin, printJson } from '../../contract/document/json.js';
import type { Change } from '../../mock/world/changes.js';
import { CannotKeep } from './pass-in-turns.js';

/** Changes that are kept together, as a line: a checksum, a space, and JSON. */
export function writeLine(changes: readonly Change[]): string {
  const text = printJson(changes);
  return `${checksum(text)} ${text}\n`;
}

/** Engines take no more as one value, and JavaScript makes no text that is much longer. */
const MOST_BYTES = 200 * 1024 * 1024;

/** What is to be kept as one text. Throws a {@link CannotKeep} if it is too long. */
export function writeWhole(write: () => string): string {
  const tooMuch = new CannotKeep({ status: 507, message: 'this changes more at once than can be kept' });
  try {
    const text = write();
    if (Buffer.byteLength(text) > MOST_BYTES) throw tooMuch;
    return text;
  } catch (error) {
    throw error instanceof RangeError ? tooMuch : error;
  }
}

/** The changes of a line; `undefined` if it is not whole. */
export function readLine(line: Buffer): Change[] | undefined {
  const text = line.toString('utf8', CHECKSUM_LENGTH + 1);
  if (line.toString('latin1', 0, CHECKSUM_LENGTH) !== checksum(text)) return undefined;
  return readChanges(text);
}

/** Changes as JSON; `undefined` for anything else. */
export function readChanges(text: string): Change[] | undefined {
  const parsed = parseJsonWithin(text, MOST_DEPTH);
  return parsed.ok && Array.isArray(parsed.value) ? (parsed.value as Change[]) : undefined;
}

/** Records are as deep as a body may be, and have all of this around them. */
const MOST_DEPTH = 1000;

const CHECKSUM_LENGTH = 8;

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(CHECKSUM_LENGTH, '0');
}
