import { closeSync, fstatSync, openSync, readFileSync, writeSync } from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { checksum } from './written-changes.js';

/** How far clients were told that their changes are stored. The database alone cannot tell a lost end from one that never was. */
export interface Acknowledged {
  /** The number of the last change of which a client was told. */
  last: number;
  /** The number up to which the disk itself has the changes. */
  flushed: number;
  /** Whether the machine has started since: what the disk did not have by then may be lost. */
  isBeforeBoot: boolean;
}

const NAME = 'acknowledged';
/** Increases when the folder is stored in another way. */
const FORMAT = 1;
const LENGTH = 64;

/** The file of a folder, which is overwritten in place: 64 bytes, less than a disk writes at once. */
export class AcknowledgedFile {
  readonly #descriptor: number;

  constructor(folder: string) {
    const path = join(folder, NAME);
    this.#descriptor = openSync(path, read(path) === undefined ? 'w+' : 'r+');
  }

  write(last: number, flushed: number): void {
    const text = `${FORMAT} ${last} ${flushed}`.padEnd(LENGTH - 10);
    writeSync(this.#descriptor, `${text} ${checksum(text)}\n`, 0, 'latin1');
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** What the file of a folder says; `none` if there is no file, `newer` if a later version wrote it, `damaged` if it was. */
export function readAcknowledged(folder: string): Acknowledged | 'none' | 'newer' | 'damaged' {
  const found = read(join(folder, NAME));
  if (found === undefined) return 'none';
  const { text, writtenAt } = found;
  const head = text.slice(0, LENGTH - 10);
  if (text !== `${head} ${checksum(head)}\n`) return 'damaged';
  const [format = 0, last = 0, flushed = 0] = head.trim().split(' ').map(Number);
  if (format > FORMAT) return 'newer';
  return { last, flushed, isBeforeBoot: writtenAt < Date.now() - uptime() * 1000 };
}

function read(path: string): { text: string; writtenAt: number } | undefined {
  try {
    const descriptor = openSync(path, 'r');
    try {
      return { text: readFileSync(descriptor, 'latin1'), writtenAt: fstatSync(descriptor).mtimeMs };
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
