import { readFileSync } from 'node:fs';
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type Alias,
  type Document,
  type Node,
} from 'yaml';
import { PetstoreMockError, type ErrorCode, type SourcePlace } from '../errors.js';
import { normalizeInteger } from './json.js';

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
}

export interface ReadOptions {
  /** How the file is named in messages. Default: the path as given. */
  shownAs?: string;
  /** The code of the error that a file which cannot be used throws. */
  code: ErrorCode;
}

/** Reads a file. Throws a {@link PetstoreMockError} with file and line when it cannot be read or is no YAML. */
export function readDocument(path: string, options: ReadOptions): SourceDocument {
  const file = options.shownAs ?? path;
  return parseSource(readText(path, file), { ...options, shownAs: file });
}

/** {@link readDocument} of a text that is already in memory. */
export function parseSource(text: string, options: ReadOptions & { shownAs: string }): SourceDocument {
  const file = options.shownAs;
  const lines = new LineCounter();
  const yaml = parseDocument(text, { lineCounter: lines, intAsBigInt: true, prettyErrors: false });
  const [problem] = yaml.errors;
  if (problem !== undefined) {
    const { line, col: column } = lines.linePos(problem.pos[0]);
    const tooDeep = problem.code === 'RESOURCE_EXHAUSTION';
    const message = tooDeep ? 'this YAML is nested too deeply.' : `this is not valid YAML: ${problem.message}`;
    throw new PetstoreMockError(options.code, message, { file, line, column });
  }
  const root = toPlain(yaml, (why) => {
    const { line, col: column } = lines.linePos(offsetOf(findAlias(yaml)));
    return new PetstoreMockError(options.code, `this YAML cannot be used: ${why}.`, { file, line, column });
  });
  return createSource(file, root, (pointer) => findPlace(yaml, lines, file, parsePointer(pointer)));
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
  return part.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Reads a text file. Throws a {@link PetstoreMockError} that says why it cannot. */
export function readText(path: string, shownAs: string = path): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new PetstoreMockError('unreadable-file', `cannot read ${shownAs}: ${explainReadError(error)}.`);
  }
}

function explainReadError(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EISDIR') return 'it is a folder';
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied';
  return code ?? String(error);
}

function toPlain(yaml: Document, unusable: (why: string) => Error): unknown {
  try {
    return exactIntegers(yaml.toJS({ maxAliasCount: 100 }));
  } catch (error) {
    // `yaml` throws a ReferenceError for an alias without an anchor and for a bomb of aliases.
    if (error instanceof ReferenceError) throw unusable(error.message);
    // The stack ends at an alias of what it stands in.
    if (error instanceof RangeError) throw unusable('it is nested too deeply, or contains itself');
    throw error;
  }
}

/** The alias to look at: the first without an anchor, else the first. */
function findAlias(yaml: Document): Node | undefined {
  const aliases: Alias[] = [];
  visit(yaml, { Alias: (_, alias) => void aliases.push(alias) });
  return aliases.find((alias) => alias.resolve(yaml) === undefined) ?? aliases[0];
}

function exactIntegers(value: unknown): unknown {
  if (typeof value === 'bigint') return normalizeInteger(value);
  if (Array.isArray(value)) return value.map(exactIntegers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, exactIntegers(item)]));
}

function step(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}

function findPlace(yaml: Document, lines: LineCounter, file: string, path: string[]): SourcePlace {
  let node: unknown = yaml.contents;
  let offset = offsetOf(node);
  for (const key of path) {
    const next = childOf(yaml, node, key);
    if (next === undefined) break;
    offset = next.offset;
    node = next.node;
  }
  const { line, col } = lines.linePos(offset);
  return { file, line, column: col };
}

function childOf(yaml: Document, parent: unknown, key: string): { node: unknown; offset: number } | undefined {
  const node = isAlias(parent) ? parent.resolve(yaml) : parent;
  if (isMap(node)) {
    // Where the key stands is where a person looks, not where its value begins.
    const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
    return pair && { node: pair.value, offset: offsetOf(pair.key) };
  }
  if (isSeq(node)) {
    const item = node.items[Number(key)];
    return item === undefined ? undefined : { node: item, offset: offsetOf(item) };
  }
  return undefined;
}

function offsetOf(node: unknown): number {
  return (node as Node | null | undefined)?.range?.[0] ?? 0;
}
