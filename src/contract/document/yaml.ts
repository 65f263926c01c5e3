import type { ValidateFunction } from 'ajv';
import type { CST, Document, LineCounter, Node, ParseOptions, Parser, ScalarTag, Tags, YAMLError, Pair } from 'yaml';
import { PetstoreMockError, type ErrorCode, type SourcePlace } from '../../errors.js';
import { Decimal, normalizeInteger, parseJsonWithin, parseNumberLiteral } from './json.js';
import { loadJsonParser, loadYaml } from './load-when-needed.js';

export interface ParsedText {
  root: unknown;
  findPlace: (path: readonly string[]) => TextPlace;
  isPrecompiled?: boolean;
  createValidators?: CreateValidators;
  resources?: string;
  oddities?: readonly Oddity[];
}

type Oddity = { place: SourcePlace; message: string };

const KEY_TWICE = 'a mapping has a key twice; the last one wins.';

export type CreateValidators = (
  require: (name: string) => unknown,
) => Record<'requests' | 'answers', Readonly<Record<string, ValidateFunction>>>;

export type TextPlace = { line: number; column: number };

export function parseYaml(
  written: string,
  { file, code, isTolerant = false }: { file: string; code: ErrorCode; isTolerant?: boolean },
): ParsedText {
  // YAML 1.2 section 5.4: a carriage return alone ends a line too.
  const text = written.replaceAll(/\r(?!\n)/g, '\n');
  const lines = new (loadYaml().LineCounter)();
  const unusable = (message: string, offset: number): PetstoreMockError =>
    new PetstoreMockError(code, message, { file, ...placeAt(lines, offset) });
  const findProblem = ({ errors }: Document): YAMLError | undefined =>
    errors.find((error) => !isTolerant || !HARMLESS.test(`${error.code} ${error.message}`));
  const oddities: Oddity[] = [];
  const note = (offset: number, message: string): unknown =>
    oddities.push({ place: { file, ...placeAt(lines, offset) }, message });
  const choosing = { isTolerant, unusable, note };
  let yaml = chooseDocument(compose(text, lines, choosing), choosing);
  const problem = findProblem(yaml);
  if (problem !== undefined) {
    const other = isTolerant ? chooseDocument(compose(text, lines, choosing, true), choosing) : yaml;
    if (findProblem(other) !== undefined) throw unusable(`this is not valid YAML: ${problem.message}`, problem.pos[0]);
    note(
      problem.pos[0],
      'a quoted or bracketed value continues at the indentation of its key, which YAML does not allow; it is read as other tools read it.',
    );
    yaml = other;
  }
  const aliases = findAliasProblem(yaml);
  if (aliases !== undefined) throw unusable(`this YAML cannot be used: ${aliases.why}.`, offsetOf(aliases.node));
  for (const { code: kind, pos } of yaml.errors) if (kind === 'DUPLICATE_KEY') note(pos[0], KEY_TWICE);
  for (const { code: kind, message, pos } of yaml.warnings)
    if (kind === 'TAG_RESOLVE_FAILED')
      note(pos[0], `the tag ${message.replace(/^.*: /, '')} is unknown; its value is read without it.`);
  const root = exactIntegers(yaml.toJS({ maxAliasCount: -1 }));
  const findPlace: ParsedText['findPlace'] = (path) => placeAt(lines, findOffset(yaml, path));
  return isTolerant && oddities.length > 0 ? { root, findPlace, oddities } : { root, findPlace };
}

const HARMLESS = /^(?:DUPLICATE_KEY|KEY_OVER_1024_CHARS|MISSING_CHAR Comments must be separated)/;

/** The documents of a stream, all by the core schema of YAML 1.2: dates stay texts, and so do `yes` and `12:30`. */
function compose(text: string, lines: LineCounter, choosing: Choosing, isLoose = false): Document[] {
  const { Composer, Parser } = loadYaml();
  const options = {
    intAsBigInt: true,
    prettyErrors: false,
    merge: true,
    schema: 'core',
    resolveKnownTags: false,
    logLevel: 'error',
    customTags: (tags: Tags) => tags.map(readExactly),
  } as const;
  const parser = new Parser(isLoose ? undefined : lines.addNewLine);
  if (isLoose) loosen(parser);
  return [...new Composer(options).compose(shallow(parser.parse(text), choosing), true, text.length)];
}

/** No real document is nested so deeply, and the recursion of parsers would end the process. */
const MAX_DEPTH = 500;

function* shallow(documents: Iterable<CST.Token>, { unusable }: Choosing): Generator<CST.Token> {
  for (const each of documents) {
    const open: [CST.Token, number][] = [[each, 0]];
    for (let found = open.pop(); found !== undefined; found = open.pop()) {
      const [token, depth] = found;
      if (depth > MAX_DEPTH) throw unusable(`this is nested more than ${MAX_DEPTH} levels deep.`, token.offset);
      const inside =
        'items' in token
          ? token.items.flatMap(({ key, value }) => [key, value])
          : 'value' in token
            ? [token.value]
            : [];
      for (const one of inside) if (typeof one === 'object' && one !== null) open.push([one, depth + 1]);
    }
    yield each;
  }
}

/** YAML 1.2.2 section 7.3.1 asks for one column more than libyaml does; `indentNext` is the least of the lexer. */
function loosen(parser: Parser): void {
  type Lexer = { indentNext: number } & Record<'parseQuotedScalar' | 'parseFlowCollection', () => Generator>;
  const { lexer } = parser as unknown as { lexer: Lexer };
  for (const name of ['parseQuotedScalar', 'parseFlowCollection'] as const) {
    const strict = lexer[name];
    lexer[name] = function* (this: Lexer) {
      const { indentNext } = this;
      this.indentNext = 0;
      const next = yield* strict.call(this);
      this.indentNext = indentNext;
      return next;
    };
  }
}

interface Choosing {
  isTolerant: boolean;
  unusable: (message: string, offset: number) => PetstoreMockError;
  note: (offset: number, message: string) => void;
}

/** Of several documents in one text, the first that says to be one of OpenAPI; else the first. Empty ones are none. */
function chooseDocument(all: readonly Document[], { isTolerant, unusable, note }: Choosing): Document {
  const full = all.filter(
    ({ contents, errors }) =>
      errors.length > 0 || !(contents === null || (loadYaml().isScalar(contents) && contents.value === null)),
  );
  const [first = all[0] as Document, second] = full;
  if (second === undefined) return first;
  if (!isTolerant) throw unusable('this is not valid YAML: there is more than one document.', offsetOf(second));
  const chosen = full.find((each) => each.has('openapi') || each.has('swagger')) ?? first;
  note(offsetOf(chosen.contents), `there are ${full.length} YAML documents in this file; only this one is read.`);
  return chosen;
}

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
    ({ offset, node } = next);
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
  const item = isSeq(node) ? node.items[Number(key)] : undefined;
  return item === undefined ? undefined : { node: item, offset: offsetOf(item) };
}

const offsetOf = (node: unknown): number => (node as Node | null | undefined)?.range?.[0] ?? 0;
const MAX_VALUES = 1_000_000;

function findAliasProblem(yaml: Document): { why: string; node: Node } | undefined {
  const { isAlias, isCollection, isMap, isPair } = loadYaml();
  const anchors = new Map<string, Node>();
  const sizes = new Map<unknown, number>();
  let problem: ReturnType<typeof findAliasProblem>;
  let total = 0;
  const report = (node: unknown, why: string): number => {
    problem ??= { why, node: node as Node };
    return 0;
  };

  const measure = (node: unknown): number => {
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target === undefined)
        return report(node, `the alias *${node.source} has no anchor &${node.source} before it`);
      const size = sizes.get(target);
      if (size === undefined) return report(node, `the alias *${node.source} refers to a value that contains itself`);
      total += size;
      return total > MAX_VALUES ? report(node, `its aliases expand to more than ${MAX_VALUES} values`) : size;
    }
    if (isPair(node)) return measure(node.key) + measure(node.value);
    const { anchor } = (node ?? {}) as { anchor?: string };
    if (anchor !== undefined) anchors.set(anchor, node as Node);
    const items: unknown[] = isCollection(node) ? node.items : [];
    const size = items.reduce<number>((sum, item) => sum + measure(item), 1);
    sizes.set(node, size);
    for (const { key, value } of isMap(node) ? node.items.filter(isMerge) : []) {
      const isMapping = listSources(yaml, value).every(isMap);
      if (!isMapping) report(key, 'the value of << is neither a mapping nor a list of mappings');
    }
    return size;
  };

  total += measure(yaml.contents);
  return problem;
}

function isMerge({ key }: Pair): boolean {
  const { value } = (key ?? {}) as { value?: unknown };
  return typeof value === 'symbol' && value.description === '<<';
}

function listSources(yaml: Document, value: unknown): unknown[] {
  const { isAlias, isSeq } = loadYaml();
  const follow = (node: unknown): unknown => (isAlias(node) ? node.resolve(yaml) : node);
  const source = follow(value);
  return isSeq(source) ? source.items.map(follow) : [source];
}

/** A text that is JSON, in a tenth of the time that YAML takes; of any other, the YAML parser reports the mistakes. */
export function parseJsonText(text: string, file: string): ParsedText | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  const parsed = parseJsonWithin(text, MAX_DEPTH);
  if (!parsed.ok) return undefined;
  // Places are computed only when a message needs one.
  let finder: ((path: readonly string[]) => TextPlace) | undefined;
  const findPlace: ParsedText['findPlace'] = (path) => (finder ??= createFinder(text))(path);
  // A name is a text before a colon; a colon within a text is part of that text.
  let keys = 0;
  for (const [, colon] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g)) if (colon !== undefined) keys += 1;
  const repeats = keys !== countKeys(parsed.value);
  return { root: parsed.value, findPlace, ...(repeats ? { oddities: listRepeated(text, file) } : {}) };
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null || value instanceof Decimal) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce((sum: number, each) => sum + countKeys(each), own);
}

function listRepeated(text: string, file: string): Oddity[] {
  const toPlace = createLineFinder(text);
  const found: Oddity[] = [];
  const seen: Set<string>[] = [];
  loadJsonParser().visit(text, {
    onObjectBegin: () => void seen.push(new Set()),
    onObjectEnd: () => void seen.pop(),
    onObjectProperty(name, offset) {
      const names = seen.at(-1);
      if (names?.has(name) === true) found.push({ place: { file, ...toPlace(offset) }, message: KEY_TWICE });
      names?.add(name);
    },
  });
  return found;
}

function createFinder(text: string): (path: readonly string[]) => TextPlace {
  const { parseTree } = loadJsonParser();
  const tree = parseTree(text);
  const toPlace = createLineFinder(text);
  return (path) => {
    let node = tree;
    let offset = tree?.offset ?? 0;
    for (const key of path) {
      // If a name is repeated, the last value counts.
      const property =
        node?.type === 'object' ? node.children?.findLast((each) => each.children?.[0]?.value === key) : undefined;
      const next = property?.children?.[1] ?? (node?.type === 'array' ? node.children?.[Number(key)] : undefined);
      if (next === undefined) break;
      offset = property?.offset ?? next.offset;
      node = next;
    }
    return toPlace(offset);
  };
}

function createLineFinder(text: string): (offset: number) => TextPlace {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}
