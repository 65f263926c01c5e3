import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync, type Stats } from 'node:fs';
import { PetstoreMockError, type ErrorCode, type SourcePlace } from '../../errors.js';
import { findForeignText, findKindProblem, type FileKind } from './file-kinds.js';
import { findPrecompiled } from './precompiled.js';
import { parseJsonText } from './json-text.js';
import { parseYaml, type CreateValidators, type Oddity } from './yaml.js';

/** A YAML or JSON file as read, with the place of every value. */
export interface SourceDocument {
  /** The file's name in messages. */
  file: string;
  /** The whole content as plain data; integers past 2^53 are `bigint`. */
  root: unknown;
  /** The value at a JSON Pointer (RFC 6901); `undefined` if there is none. */
  at(pointer: string): unknown;
  /** The text at a pointer; `undefined` if there is none, or another value. */
  textAt(pointer: string): string | undefined;
  /** The place of the value at a pointer, or of its nearest ancestor that exists. */
  placeOf(pointer: string): SourcePlace;
  /** Whether it ships, so that it was read and checked when the package was built. */
  isPrecompiled?: boolean;
  /** Validators of a shipped contract, compiled when the package was built. */
  createValidators?: CreateValidators;
  /** JSON of the resources of a shipped contract, inferred when the package was built. */
  resources?: string;
  /** What is wrong with the text although its meaning is plain. */
  oddities?: readonly Oddity[];
  /** Whether a value keeps the schema at a pointer. Default: nobody can say. */
  allows?: (pointer: string, value: unknown) => boolean;
  /** Its files, and those that it refers to although they cannot be read. */
  listParts?: () => readonly DocumentPart[];
}

/** A file that a document refers to. */
export interface DocumentPart {
  /** Its path as shown in messages, or its URL. */
  file: string;
  /** Why it is missing from the whole. */
  problem: string | undefined;
}

export interface ReadOptions {
  /** The file's name in messages. Default: the path as given. */
  shownAs?: string;
  /** The code of the error for an unusable file. */
  code: ErrorCode;
  /** Whether mistakes that other tools read are read and noted, not rejected. Default: `false`. */
  isTolerant?: boolean;
  /**
   * The expected kind: a file that is clearly of another kind is refused, and the message names that kind. Default: any
   * kind.
   */
  kind?: FileKind;
}

/** Reads a file. Throws a {@link PetstoreMockError} with file and line if it cannot be read or is not YAML. */
export function readDocument(path: string, options: ReadOptions): SourceDocument {
  const file = options.shownAs ?? path;
  const text = readText(path, file);
  if (text.includes('\0')) throw new PetstoreMockError(options.code, 'this is not text.', { file });
  return parseSource(text, { ...options, shownAs: file });
}

/** {@link readDocument} for a text in memory. */
export function parseSource(text: string, options: ReadOptions & { shownAs: string }): SourceDocument {
  const file = options.shownAs;
  const foreign = options.kind === 'contract' ? findForeignText(text) : undefined;
  if (foreign !== undefined) throw new PetstoreMockError(options.code, foreign, { file, line: 1, column: 1 });
  const parsed = findPrecompiled(text) ?? parseJsonText(text, file) ?? parseYaml(text, { ...options, file });
  const source = createSource(file, parsed.root, (pointer) => ({ file, ...parsed.findPlace(parsePointer(pointer)) }));
  const problem = options.kind === undefined ? undefined : findKindProblem(text, parsed.root, options.kind);
  if (problem !== undefined) throw new PetstoreMockError(options.code, problem, source.placeOf(''));
  const { createValidators, resources, isPrecompiled = false } = parsed;
  return {
    ...source,
    isPrecompiled,
    ...(createValidators === undefined ? {} : { createValidators }),
    ...(resources === undefined ? {} : { resources }),
    ...(parsed.oddities === undefined ? {} : { oddities: parsed.oddities }),
  };
}

/** A document from content that was read before. */
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
  return (
    pointer
      .slice(1)
      .split('/')
      // Most names have no escape, and pointers are followed often.
      .map((part) => (part.includes('~') ? part.replaceAll('~1', '/').replaceAll('~0', '~') : part))
  );
}

/** One step of a JSON Pointer, escaped (RFC 6901 section 3). */
export function escapePointer(part: string): string {
  // Most names need no escape, and documents have many names.
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

/** Throws a {@link PetstoreMockError} for a pipe or a device, which may stay silent or never end. */
export function refuseEndless(path: string, shownAs: string = path): void {
  const stats = tryStat(path);
  if (stats === undefined || stats.isFile() || stats.isDirectory()) return;
  throw new PetstoreMockError('unreadable-file', `cannot read ${shownAs}: it is a pipe or a device, not a file.`);
}

/** `undefined` for what cannot be looked at; reading it says why. */
function tryStat(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** Far larger than any file that people write; a device has no end. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;

function readWhole(path: string): string {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    // Only files have a size; a pipe ends, but a device may not.
    if (size === 0) return readToTheEnd(file);
    if (size > MAX_FILE_BYTES) throw tooLong();
    return decode(readFileSync(file));
  } finally {
    closeSync(file);
  }
}

function readToTheEnd(file: number): string {
  const chunks: Buffer[] = [];
  for (let length = 0; ;) {
    const chunk = Buffer.allocUnsafe(65_536);
    const read = readSync(file, chunk);
    if (read === 0) return decode(Buffer.concat(chunks));
    chunks.push(chunk.subarray(0, read));
    length += read;
    if (length > MAX_FILE_BYTES) throw tooLong();
  }
}

/** UTF-8, or UTF-16 with a byte order mark, in which PowerShell writes what it redirects to a file. */
function decode(bytes: Buffer): string {
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE(0);
  if (mark === 0xff_fe || mark === 0xfe_ff)
    return new TextDecoder(mark === 0xff_fe ? 'utf-16le' : 'utf-16be').decode(bytes);
  return bytes.toString('utf8');
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
  if (code === 'ELOOP') return 'its symbolic links form a circle';
  if (code === 'EFBIG') return `it is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB`;
  return code ?? String(error);
}

function step(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}
