import * as fs from 'node:fs';
import { dirname, resolve, join } from 'node:path';
import { PetstoreMockError } from '../../errors.js';
import { randomBytes } from 'node:crypto';

/** A place to write a text to at the end of a run: a file, a pipe, a device, an output of this process. */
export interface FileOutput {
  readonly path: string;
  /** Where that leads, with links followed; two outputs with the same place are one. */
  readonly place: string;
  /** Throws a `PetstoreMockError` (`bad-option`) that gives the reason if it cannot write. */
  write(text: string): void;
}

type Kind = 'stream' | 'file' | 'pipe' | 'device';

/** Names of this process' own outputs, which cannot be opened by name when they are sockets. */
const STREAM = /^\/(?:dev\/std(out|err)|(?:dev|proc\/self)\/fd\/([12]))$/;

/** Makes sure that a path can be written: the user learns before the run. Throws `bad-option`. */
export function openFileOutput(path: string): FileOutput {
  return explained(path, () => {
    const place = followLinks(resolve(path));
    const kind = kindOf(place);
    PROBES[kind](place);
    return { path, place, write: (text) => explained(path, () => WRITERS[kind](place, text)) };
  });
}

/** Appends to a file that other programs append to as well. Throws a `PetstoreMockError` (`bad-option`). */
export function appendToFile(path: string, text: string): void {
  explained(path, () => fs.appendFileSync(path, text));
}

const PROBES: Readonly<Record<Kind, (place: string) => void>> = {
  stream: () => {},
  file: (place) => {
    makeFolder(dirname(place));
    tryToReplaceFile(place);
  },
  // The reader may come later.
  pipe: (place) => fs.accessSync(place, fs.constants.W_OK),
  device: (place) => writeTo(place, ''),
};

const WRITERS: Readonly<Record<Kind, (place: string, text: string) => void>> = {
  stream: (place, text) => {
    const [, name, number] = STREAM.exec(place) ?? [];
    (name === 'err' || number === '2' ? process.stderr : process.stdout).write(text);
  },
  file: replaceFile,
  pipe: (place, text) => {
    // Opening a pipe that nobody reads would block forever.
    withFile(place, fs.constants.O_WRONLY | fs.constants.O_NONBLOCK, () => writeTo(place, text));
  },
  device: writeTo,
};

function withFile(path: string, flags: string | number, use: (file: number) => void): void {
  const file = fs.openSync(path, flags);
  try {
    use(file);
  } finally {
    fs.closeSync(file);
  }
}

function writeTo(place: string, text: string): void {
  withFile(place, fs.constants.O_WRONLY | fs.constants.O_NOCTTY, (file) => {
    // A full device fails even when nothing is written.
    if (text === '') fs.writeSync(file, text);
    else fs.writeFileSync(file, text);
  });
}

/** Where a path leads. Links to files that are already open lead nowhere, so they stay as they are. */
function followLinks(path: string): string {
  if (STREAM.test(path)) return path;
  if (fs.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return path;
  const found = fs.statSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile() && !found.isDirectory()) return path;
  return followLinks(resolve(fs.realpathSync(dirname(path)), fs.readlinkSync(path)));
}

function kindOf(place: string): Kind {
  if (STREAM.test(place)) return 'stream';
  const found = fs.statSync(place, { throwIfNoEntry: false });
  if (found === undefined || found.isFile()) return 'file';
  if (found.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' });
  if (found.isFIFO()) return 'pipe';
  if (found.isCharacterDevice()) return 'device';
  throw Object.assign(new Error('a disk or a socket'), { code: 'ENODEV' });
}

/** One by one: below `/proc`, Node's recursive `mkdir` does not terminate. */
function makeFolder(folder: string): void {
  if (fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    fs.mkdirSync(folder);
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
    if (!isThere || !fs.statSync(folder).isDirectory())
      throw isThere ? Object.assign(new Error('no folder'), { code: 'ENOTDIR' }) : error;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'nothing can be created there',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'it is on a read-only file system',
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would exceed the allowed size',
  ELOOP: 'its symbolic links form a circle',
  ENAMETOOLONG: 'the name is too long',
  ENODEV: 'it is neither a file nor a pipe',
  ENXIO: 'no process reads the pipe',
  EPIPE: 'the reader of the pipe has closed it',
};

function explained<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    throw new PetstoreMockError('bad-option', `cannot write ${path}: ${REASONS[code] ?? code}.`);
  }
}

/** Writes beside the file, syncs and renames: an interruption leaves the old or the new content, complete. */
function replaceFile(path: string, text: string): void {
  const existing = fs.statSync(path, { throwIfNoEntry: false });
  try {
    const beside = writeBeside(path, text, existing);
    try {
      fs.renameSync(beside, path);
    } catch (error) {
      fs.unlinkSync(beside);
      throw error;
    }
    syncFolder(dirname(path));
  } catch (error) {
    if (existing === undefined || !isFixedInPlace(error)) throw error;
    const bytes = Buffer.from(text);
    withFile(path, 'r+', (file) => {
      fs.writeFileSync(file, bytes);
      fs.ftruncateSync(file, bytes.length);
      fs.fsyncSync(file);
    });
  }
}

/** Enough to notice a full disk, and far less than a report. */
const TRIAL = 'x'.repeat(65_536);

/** Does everything that {@link replaceFile} does except the change; throws what it would throw. */
function tryToReplaceFile(path: string): void {
  const existing = fs.statSync(path, { throwIfNoEntry: false });
  // A file that its owner made read-only is not replaced, even if the folder would allow it.
  if (existing !== undefined) fs.accessSync(path, fs.constants.W_OK);
  try {
    fs.unlinkSync(writeBeside(path, TRIAL, existing));
  } catch (error) {
    if (existing === undefined || !isFixedInPlace(error)) throw error;
    fs.closeSync(fs.openSync(path, 'r+'));
  }
}

function writeBeside(path: string, text: string, existing: fs.Stats | undefined): string {
  // Not derived from the file's name, which may already have the maximum length.
  const beside = join(dirname(path), `.petstore-${process.pid}-${randomBytes(4).toString('hex')}.tmp`);
  const file = fs.openSync(beside, 'wx', existing === undefined ? 0o666 : 0o600);
  try {
    if (existing !== undefined) adopt(file, existing);
    fs.writeFileSync(file, text);
    fs.fsyncSync(file);
  } catch (error) {
    fs.unlinkSync(beside);
    throw error;
  } finally {
    fs.closeSync(file);
  }
  return beside;
}

function adopt(file: number, { mode, uid, gid }: fs.Stats): void {
  try {
    fs.fchownSync(file, uid, gid);
  } catch {
    // Only root may give a file to another owner; the content matters more.
  }
  fs.fchmodSync(file, mode & 0o7777);
}

/** A file in a folder without write permission, or mounted alone into a container, can only be changed in place. */
const isFixedInPlace = (error: unknown): boolean =>
  ['EACCES', 'EPERM', 'EROFS', 'EBUSY', 'EXDEV'].includes((error as NodeJS.ErrnoException).code ?? '');

/** The new name is safe only when the folder is synced; not every system can do that. */
function syncFolder(folder: string): void {
  try {
    withFile(folder, 'r', fs.fsyncSync);
  } catch {
    // The file itself is synced.
  }
}

/** Keeps a failing output from ending the process; `| head -1` is no failure, anything else is reported once. */
export function watchOutput(stream: Pick<NodeJS.WriteStream, 'on'>, onFailure: (code: string) => void): void {
  let told = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (told || error.code === 'EPIPE') return;
    told = true;
    onFailure(error.code ?? String(error));
  });
}
