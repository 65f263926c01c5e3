import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PetstoreMockError } from '../../errors.js';
import type { Change } from '../../mock/world/changes.js';
import { checksum, readChanges } from './written-changes.js';

const NAME = /^state-(\d+)\.log$/;
const NEWLINE = 10;

/** The changes in a folder of earlier versions, which had them in lines, each behind its checksum. */
export interface EarlierFolder {
  changes: Change[][];
  /** Whether the last line was not whole, so that a process that was killed was still writing it. */
  isCut: boolean;
}

/** Whether a folder has files of earlier versions. */
export function isEarlierFolder(folder: string): boolean {
  return listFiles(folder).length > 0;
}

/**
 * Reads the newest file that has anything: the next one was begun empty. Throws a `PetstoreMockError` for a line that was
 * damaged.
 */
export function readEarlierFolder(folder: string): EarlierFolder {
  const files = listFiles(folder).map((name) => ({
    path: join(folder, name),
    bytes: readFileSync(join(folder, name)),
  }));
  const { path, bytes } = files.find((file) => file.bytes.length > 0) ?? { path: folder, bytes: Buffer.alloc(0) };
  const changes: Change[][] = [];
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(NEWLINE, start);
    if (end === -1) return { changes, isCut: true };
    const line = bytes.toString('utf8', start, end);
    const text = line.slice(9);
    const read = line.slice(0, 8) === checksum(text) ? readChanges(text) : undefined;
    if (read === undefined) {
      const message =
        'this line was damaged after it was written; restore the file from a copy, or remove its folder to start anew.';
      throw new PetstoreMockError('unusable-data', message, { file: path, line: changes.length + 1 });
    }
    changes.push(read);
    start = end + 1;
  }
  return { changes, isCut: false };
}

/** Removes what earlier versions had in a folder, once it is stored anew. */
export function removeEarlierFiles(folder: string): void {
  const own = readdirSync(folder).filter((name) => NAME.test(name) || /^(?:new\.log|in-use|turn-\d+)$/.test(name));
  for (const name of own) rmSync(join(folder, name), { force: true });
}

/** The files with changes, the newest first. */
function listFiles(folder: string): string[] {
  const numberOf = (name: string): number => Number(NAME.exec(name)?.[1]);
  return readdirSync(folder)
    .filter((name) => NAME.test(name))
    .sort((one, other) => numberOf(other) - numberOf(one));
}
