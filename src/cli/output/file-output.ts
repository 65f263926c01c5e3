import {
  accessSync,
  appendFileSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { PetstoreMockError } from '../../errors.js';
import { replaceFile, tryToReplaceFile } from './replace-file.js';

/** A place to write a text to at the end of a run: a file, a pipe, a device, an output of this process. */
export interface FileOutput {
  /** As it was given. */
  readonly path: string;
  /** Where that leads, with links followed; two outputs with the same place are one. */
  readonly place: string;
  /** Throws a `PetstoreMockError` (`bad-option`) that gives the reason if it cannot write. */
  write(text: string): void;
}

type Kind = 'stream' | 'file' | 'pipe' | 'device';

/** Names of this process' own outputs, which cannot be opened by name when they are sockets. */
const STREAM = /^\/(?:dev\/std(out|err)|(?:dev|proc\/self)\/fd\/([12]))$/;

/**
 * Makes sure that a path can be written, and changes nothing except that the
 * folder then exists: the user learns before the run, not after it.
 * Throws a `PetstoreMockError` (`bad-option`).
 */
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
  explained(path, () => appendFileSync(path, text));
}

const PROBES: Readonly<Record<Kind, (place: string) => void>> = {
  stream: () => {},
  file: (place) => {
    makeFolder(dirname(place));
    tryToReplaceFile(place);
  },
  // The reader may come later.
  pipe: (place) => accessSync(place, constants.W_OK),
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
    const reader = openSync(place, constants.O_WRONLY | constants.O_NONBLOCK);
    try {
      writeTo(place, text);
    } finally {
      closeSync(reader);
    }
  },
  device: writeTo,
};

function writeTo(place: string, text: string): void {
  const file = openSync(place, constants.O_WRONLY | constants.O_NOCTTY);
  try {
    // A full device fails even when nothing is written.
    if (text === '') writeSync(file, text);
    else writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
}

/** Where a path leads. Links to files that are already open lead nowhere, so they stay as they are. */
function followLinks(path: string): string {
  if (STREAM.test(path)) return path;
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return path;
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile() && !found.isDirectory()) return path;
  return followLinks(resolve(realpathSync(dirname(path)), readlinkSync(path)));
}

function kindOf(place: string): Kind {
  if (STREAM.test(place)) return 'stream';
  const found = statSync(place, { throwIfNoEntry: false });
  if (found === undefined || found.isFile()) return 'file';
  if (found.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' });
  if (found.isFIFO()) return 'pipe';
  if (found.isCharacterDevice()) return 'device';
  throw Object.assign(new Error('a disk or a socket'), { code: 'ENODEV' });
}

/** One by one: below `/proc`, Node's recursive `mkdir` does not terminate. */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder);
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
    if (!isThere || !statSync(folder).isDirectory()) throw isThere ? notAFolder() : error;
  }
}

function notAFolder(): Error {
  return Object.assign(new Error('no folder'), { code: 'ENOTDIR' });
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
