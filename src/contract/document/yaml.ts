import type { ValidateFunction } from 'ajv';
import type { Document, LineCounter, Node, ParseOptions, ScalarTag, Tags } from 'yaml';
import { PetstoreMockError, type ErrorCode, type SourcePlace } from '../../errors.js';
import { findAliasProblem, isMerge, listSources } from './aliases.js';
import { Decimal } from '../numbers/decimal.js';
import { normalizeInteger, parseNumberLiteral } from './json.js';
import { loadYaml } from './load-when-needed.js';

/** The content of a text in YAML or JSON, with places. */
export interface ParsedText {
  /** The whole content as plain data; integers past 2^53 are `bigint`. */
  root: unknown;
  /** The place of the value at these keys, or of its nearest ancestor that exists. */
  findPlace(path: readonly string[]): TextPlace;
  /** Whether it ships, so that it was read and checked when the package was built. */
  isPrecompiled?: boolean;
  /** For a contract that was compiled when the package was built. */
  createValidators?: CreateValidators;
  /** JSON of the resources of a shipped contract, inferred when the package was built. */
  resources?: string;
  /** Where a mapping repeats a name; the last occurrence counts. */
  repeated?: readonly SourcePlace[];
}

/** Validators by the JSON Pointer of their schema. */
export interface PrecompiledValidators {
  requests: Readonly<Record<string, ValidateFunction>>;
  answers: Readonly<Record<string, ValidateFunction>>;
}

/** Makes the validators, with the modules that they require. */
export type CreateValidators = (require: (name: string) => unknown) => PrecompiledValidators;

/** Both count from 1. */
export interface TextPlace {
  line: number;
  column: number;
}

export interface YamlOptions {
  file: string;
  code: ErrorCode;
  /** Whether a mapping may repeat a key. Default: `false`. */
  allowRepeated?: boolean;
}

/** Parses YAML. Throws a {@link PetstoreMockError} with file and line for anything else. */
export function parseYaml(text: string, { file, code, allowRepeated = false }: YamlOptions): ParsedText {
  const { LineCounter, parseDocument } = loadYaml();
  const lines = new LineCounter();
  const yaml = parseDocument(text, {
    lineCounter: lines,
    intAsBigInt: true,
    prettyErrors: false,
    merge: true,
    customTags: (tags) => tags.map(readExactly),
  });
  const unusable = (message: string, offset: number): PetstoreMockError =>
    new PetstoreMockError(code, message, { file, ...placeAt(lines, offset) });
  const isRepeated = (error: { code: string }): boolean => allowRepeated && error.code === 'DUPLICATE_KEY';
  const repeated = yaml.errors
    .filter(isRepeated)
    .map(({ pos }) => ({ file, line: lines.linePos(pos[0]).line, column: lines.linePos(pos[0]).col }));
  const problem = yaml.errors.find((error) => !isRepeated(error));
  if (problem !== undefined) {
    const tooDeep = problem.code === 'RESOURCE_EXHAUSTION';
    const message = tooDeep ? 'this YAML is nested too deeply.' : `this is not valid YAML: ${problem.message}`;
    throw unusable(message, problem.pos[0]);
  }
  const aliases = findAliasProblem(yaml);
  if (aliases !== undefined) throw unusable(`this YAML cannot be used: ${aliases.why}.`, offsetOf(aliases.node));
  const root = exactIntegers(yaml.toJS({ maxAliasCount: -1 }));
  const findPlace: ParsedText['findPlace'] = (path) => placeAt(lines, findOffset(yaml, path));
  return repeated.length === 0 ? { root, findPlace } : { root, findPlace, repeated };
}

/** The number that a JSON text would have there, with all its digits. */
function readExactly(tag: Tags[number]): Tags[number] {
  if (typeof tag !== 'object' || tag.tag !== FLOAT || tag.collection !== undefined) return tag;
  return {
    ...tag,
    resolve(text: string, onError: (message: string) => void, options: ParseOptions) {
      const exact = parseNumberLiteral(text);
      return exact === undefined || typeof exact === 'number' ? tag.resolve(text, onError, options) : exact;
    },
  };
}

const FLOAT = 'tag:yaml.org,2002:float';

function exactIntegers(value: unknown): unknown {
  if (typeof value === 'bigint') return normalizeInteger(value);
  if (Array.isArray(value)) return value.map(exactIntegers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, exactIntegers(item)]));
}

/** Prints YAML with every number as its digits. Equal objects stand there each in full. */
export function printYaml(value: unknown, options: { lineWidth?: number } = {}): string {
  const printed: ScalarTag = {
    tag: FLOAT,
    default: true,
    identify: (each) => each instanceof Decimal,
    resolve: (text) => text,
    stringify: (item) => String(item.value),
  };
  return loadYaml().stringify(value, { aliasDuplicateObjects: false, customTags: [printed], ...options });
}

function placeAt(lines: LineCounter, offset: number): TextPlace {
  const { line, col: column } = lines.linePos(offset);
  return { line, column };
}

function findOffset(yaml: Document, path: readonly string[]): number {
  let node: unknown = yaml.contents;
  let offset = offsetOf(node);
  for (const key of path) {
    const next = childOf(yaml, node, key);
    if (next === undefined) break;
    offset = next.offset;
    node = next.node;
  }
  return offset;
}

function childOf(yaml: Document, parent: unknown, key: string): { node: unknown; offset: number } | undefined {
  const { isAlias, isMap, isScalar, isSeq } = loadYaml();
  const node = isAlias(parent) ? parent.resolve(yaml) : parent;
  if (isMap(node)) {
    // People look for the key, not for the beginning of its value.
    const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
    if (pair !== undefined) return { node: pair.value, offset: offsetOf(pair.key) };
    const sources = node.items.filter(isMerge).flatMap(({ value }) => listSources(yaml, value));
    return sources.map((source) => childOf(yaml, source, key)).find((child) => child !== undefined);
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
