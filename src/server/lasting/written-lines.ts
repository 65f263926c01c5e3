import { crc32 } from 'node:zlib';
import { parseJsonWithin, printJson } from '../../contract/document/json.js';
import type { Change } from '../../mock/world/changes.js';

/** Changes that are kept together, as a line: a checksum, a space, and JSON. */
export function writeLine(changes: readonly Change[]): string {
  const text = printJson(changes);
  return `${checksum(text)} ${text}\n`;
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
