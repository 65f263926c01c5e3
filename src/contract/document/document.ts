import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { PetstoreMockError, type ErrorCode, type SourcePlace } from '../../errors.js';
import { findKindProblem, type FileKind } from './file-kinds.js';
import { findPrecompiled } from './precompiled.js';
import { parseJsonText } from './json-text.js';
import { parseYaml, type CreateValidators } from './yaml.js';

/** A YAML or JSON file, read, with the place of every value. */
export interface SourceDocument {
  /** The file's name as it is shown to a person. */
  file: string;
  /** The whole content as plain data; integers past 2^53 are `bigint`. */
  root: unknown;
  /** The value at a JSON Pointer (RFC 6901); `undefined` when there is none. */
  at(pointer: string): unknown;
  /** The text at a pointer; `undefined` when there is none, or something else. */
  textAt(pointer: string): string | undefined;
  /** The place of the value at a pointer, or of its nearest ancestor that exists. */
  placeOf(pointer: string): SourcePlace;
  /** Whether it ships, and was read and checked when the package was built. */
  isPrecompiled?: boolean;
  /** Validators of a contract that ships, compiled when the package was built. */
  createValidators?: CreateValidators;
  /** JSON of the resources of a contract that ships, inferred when the package was built. */
  resources?: string;
  /** Where a name stands a second time in a mapping, of which the last counts. */
  repeated?: readonly SourcePlace[];
  /** The files that it was put together from, and those that it refers to in vain. */
  listParts?: () => readonly DocumentPart[];
}

/** A file that a document refers to. */
export interface DocumentPart {
  /** Its path, as messages name it, or its URL. */
  file: string;
  /** Why it is not a part of the whole. */
  problem: string | undefined;
}

export interface ReadOptions {
  /** How the file is named in messages. Default: the path as given. */
  shownAs?: string;
  /** The code of the error that a file which cannot be used throws. */
  code: ErrorCode;
  /** Whether a mapping may name a key twice, of which the last counts. Default: `false`. */
  allowRepeated?: boolean;
  /** A file that is clearly of another kind is refused by what it is. Default: any will do. */
  kind?: FileKind;
}

/** Reads a file. Throws a {@link PetstoreMockError} with file and line when it cannot be read or is no YAML. */
export function readDocument(path: string, options: ReadOptions): SourceDocument {
  const file = options.shownAs ?? path;
  const text = readText(path, file);
  if (text.includes('\0')) throw new PetstoreMockError(options.code, 'this is not text.', { file });
  const document = parseSource(text, { ...options, shownAs: file });
  const problem = options.kind === undefined ? undefined : findKindProblem(text, document.root, options.kind);
  if (problem !== undefined) throw new PetstoreMockError(options.code, problem, document.placeOf(''));
  return document;
}

/** {@link readDocument} of a text that is already in memory. */
export function parseSource(text: string, options: ReadOptions & { shownAs: string }): SourceDocument {
  const file = options.shownAs;
  const parsed = findPrecompiled(text) ?? parseJsonText(text) ?? parseYaml(text, { ...options, file });
  const source = createSource(file, parsed.root, (pointer) => ({ file, ...parsed.findPlace(parsePointer(pointer)) }));
  const { createValidators, resources, isPrecompiled = false } = parsed;
  return {
    ...source,
    isPrecompiled,
    ...(createValidators === undefined ? {} : { createValidators }),
    ...(resources === undefined ? {} : { resources }),
    ...(parsed.repeated === undefined ? {} : { repeated: parsed.repeated }),
  };
}

/** A document of content that was read already. */
export function createSource(file: string, root: unknown, placeOf: SourceDocument['placeOf']): SourceDocument {
  const at = (pointer: string): unknown => parsePointer(pointer).reduce(step, root);
  return {
    file,
    root,
    at,
    textAt(pointer) {
      const value = at(pointer);
      return typeof value === 'string' ? value : undefined;
    },
    placeOf,
  };
}

/** The steps of a JSON Pointer (RFC 6901), unescaped. */
export function parsePointer(pointer: string): string[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** One step of a JSON Pointer, escaped (RFC 6901 section 3). */
export function escapePointer(part: string): string {
  // Most names need none, and documents have many.
  return /[~/]/.test(part) ? part.replaceAll('~', '~0').replaceAll('/', '~1') : part;
}

/** Reads a text file. Throws a {@link PetstoreMockError} that says why it cannot. */
export function readText(path: string, shownAs: string = path): string {
  try {
    return readWhole(path);
  } catch (error) {
    throw new PetstoreMockError('unreadable-file', `cannot read ${shownAs}: ${explainReadError(error, path)}.`);
  }
}

/** Throws a {@link PetstoreMockError} for a pipe or a device, on which nobody may ever write and which may never end. */
export function refuseEndless(path: string, shownAs: string = path): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.isFile() || stats.isDirectory()) return;
  throw new PetstoreMockError('unreadable-file', `cannot read ${shownAs}: it is a pipe or a device, not a file.`);
}

/** Far above any file that people write; a device has no end. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;

function readWhole(path: string): string {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    // What is no file has no size: a pipe, which ends, or a device, which may not.
    if (size === 0) return readToTheEnd(file);
    if (size > MAX_FILE_BYTES) throw tooLong();
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

function readToTheEnd(file: number): string {
  const chunks: Buffer[] = [];
  for (let length = 0; ;) {
    const chunk = Buffer.allocUnsafe(65_536);
    const read = readSync(file, chunk);
    if (read === 0) return Buffer.concat(chunks).toString('utf8');
    chunks.push(chunk.subarray(0, read));
    length += read;
    if (length > MAX_FILE_BYTES) throw tooLong();
  }
}

function tooLong(): Error {
  return Object.assign(new Error('too long'), { code: 'EFBIG' });
}

function explainReadError(error: unknown, path: string): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' && /^https?:\/\//i.test(path)) return 'this is a URL; only files can be read';
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EISDIR') return 'it is a folder';
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied';
  if (code === 'ENOTDIR') return 'a part of the path is a file, not a folder';
  if (code === 'ELOOP') return 'its links lead in a circle';
  if (code === 'EFBIG') return `it is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB`;
  return code ?? String(error);
}

function step(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}
