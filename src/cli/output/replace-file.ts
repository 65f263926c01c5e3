import { randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Replaces a file with a text: writes it beside the file, syncs, then renames it
 * over the file, so that after an interruption the file has either the old or the
 * new content, complete. Owner and permissions stay. Throws what the file system throws.
 */
export function replaceFile(path: string, text: string): void {
  const existing = statSync(path, { throwIfNoEntry: false });
  try {
    const beside = writeBeside(path, text, existing);
    try {
      renameSync(beside, path);
    } catch (error) {
      unlinkSync(beside);
      throw error;
    }
    syncFolder(dirname(path));
  } catch (error) {
    if (existing === undefined || !isFixedInPlace(error)) throw error;
    writeInPlace(path, text);
  }
}

/** Enough to notice a full disk, and far less than a report. */
const TRIAL = 'x'.repeat(65_536);

/** Does everything that {@link replaceFile} does except the change; throws what it would throw. */
export function tryToReplaceFile(path: string): void {
  const existing = statSync(path, { throwIfNoEntry: false });
  // A file that its owner made read-only is not replaced, even if the folder would allow it.
  if (existing !== undefined) accessSync(path, constants.W_OK);
  try {
    unlinkSync(writeBeside(path, TRIAL, existing));
  } catch (error) {
    if (existing === undefined || !isFixedInPlace(error)) throw error;
    closeSync(openSync(path, 'r+'));
  }
}

function writeBeside(path: string, text: string, existing: Stats | undefined): string {
  // Not derived from the file's name, which may already have the maximum length.
  const beside = join(dirname(path), `.petstore-${process.pid}-${randomBytes(4).toString('hex')}.tmp`);
  const file = openSync(beside, 'wx', existing === undefined ? 0o666 : 0o600);
  try {
    if (existing !== undefined) adopt(file, existing);
    writeFileSync(file, text);
    fsyncSync(file);
  } catch (error) {
    unlinkSync(beside);
    throw error;
  } finally {
    closeSync(file);
  }
  return beside;
}

function adopt(file: number, { mode, uid, gid }: Stats): void {
  try {
    fchownSync(file, uid, gid);
  } catch {
    // Only root may give a file to another owner; the content matters more.
  }
  fchmodSync(file, mode & 0o7777);
}

/** A file in a folder without write permission, or mounted alone into a container, can only be changed in place. */
function isFixedInPlace(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'EROFS', 'EBUSY', 'EXDEV'].includes((error as NodeJS.ErrnoException).code ?? '');
}

function writeInPlace(path: string, text: string): void {
  const bytes = Buffer.from(text);
  const file = openSync(path, 'r+');
  try {
    writeFileSync(file, bytes);
    ftruncateSync(file, bytes.length);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** The new name is safe only when the folder is synced; not every system can do that. */
function syncFolder(folder: string): void {
  try {
    const handle = openSync(folder, 'r');
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch {
    // The file itself is synced.
  }
}
