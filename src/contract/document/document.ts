import { closeSync, fstatSync, openSync, readSync, statSync, type Stats } from 'node:fs';
import { PetstoreMockError, type ErrorCode, type SourcePlace, formatPlace } from '../../errors.js';
import { asObject, asText, isObject } from './plain.js';
import { findPrecompiled } from './precompiled.js';
import { parseJsonText, parseYaml, type ParsedText } from './yaml.js';

export interface SourceDocument extends Omit<ParsedText, 'findPlace'> {
  file: string;
  /** The value at a JSON Pointer (RFC 6901); `undefined` if there is none. */
  at(pointer: string): unknown;
  textAt(pointer: string): string | undefined;
  /** The place of the value at a pointer, or of its nearest ancestor that exists. */
  placeOf(pointer: string): SourcePlace;
  /** Whether a value keeps the schema at a pointer. Default: nobody can say. */
  allows?: (pointer: string, value: unknown) => boolean;
  listParts?: () => readonly DocumentPart[];
}

export type DocumentPart = { file: string; problem: string | undefined };

export interface ReadOptions {
  shownAs?: string;
  code: ErrorCode;
  /** Whether mistakes that other tools read are read and noted, not rejected. Default: `false`. */
  isTolerant?: boolean;
  /** A file that is clearly of another kind is rejected, and the message names that kind. Default: any kind. */
  kind?: FileKind;
}

/** Reads a file. Throws a {@link PetstoreMockError} with file and line if it cannot be read or is not YAML. */
export function readDocument(path: string, options: ReadOptions): SourceDocument {
  const file = options.shownAs ?? path;
  const text = readText(path, file);
  if (text.includes('\0')) throw new PetstoreMockError(options.code, 'this is not text.', { file });
  return parseSource(text, { ...options, shownAs: file });
}

export function parseSource(text: string, options: ReadOptions & { shownAs: string }): SourceDocument {
  const { shownAs: file, kind, code } = options;
  const foreign = kind === 'contract' ? findForeignText(text) : undefined;
  if (foreign !== undefined) throw new PetstoreMockError(code, foreign, { file, line: 1, column: 1 });
  const parsed = findPrecompiled(text) ?? parseJsonText(text, file) ?? parseYaml(text, { ...options, file });
  const { findPlace, root, ...rest } = parsed;
  const source = createSource(file, root, (pointer) => ({ file, ...findPlace(parsePointer(pointer)) }));
  const problem = kind === undefined ? undefined : findKindProblem(text, root, kind);
  if (problem !== undefined) throw new PetstoreMockError(code, problem, source.placeOf(''));
  return { ...source, isPrecompiled: false, ...rest };
}

export function createSource(file: string, root: unknown, placeOf: SourceDocument['placeOf']): SourceDocument {
  const at = (pointer: string): unknown => parsePointer(pointer).reduce(stepInto, root);
  return { file, root, at, textAt: (pointer) => asText(at(pointer)), placeOf };
}

/** The steps of a JSON Pointer (RFC 6901), unescaped. */
export function parsePointer(pointer: string): string[] {
  const steps = pointer.split('/').slice(1);
  // Most names have no escape, and pointers are followed often.
  return pointer.includes('~') ? steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')) : steps;
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
export function rejectEndless(path: string, shownAs: string = path): void {
  let stats: Stats;
  try {
    stats = statSync(path);
  } catch {
    return;
  }
  if (stats.isFile() || stats.isDirectory()) return;
  throw new PetstoreMockError('unreadable-file', `cannot read ${shownAs}: it is a pipe or a device, not a file.`);
}

const MAX_FILE_BYTES = 256 * 1024 * 1024;

function readWhole(path: string): string {
  const file = openSync(path, 'r');
  try {
    // Only files have a size; a pipe ends, but a device may not.
    const { size } = fstatSync(file);
    const chunks: Buffer[] = [];
    for (let [length, read] = [0, -1]; read !== 0; length += read) {
      if (Math.max(size, length) > MAX_FILE_BYTES) throw Object.assign(new Error('too long'), { code: 'EFBIG' });
      const chunk = Buffer.allocUnsafe(Math.max(size - length, 65_536));
      read = readSync(file, chunk);
      chunks.push(chunk.subarray(0, read));
    }
    return decode(Buffer.concat(chunks));
  } finally {
    closeSync(file);
  }
}

/** UTF-8, or UTF-16 with a byte order mark, in which PowerShell writes what it redirects to a file. */
function decode(bytes: Buffer): string {
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE(0);
  if (mark === 0xff_fe || mark === 0xfe_ff)
    return new TextDecoder(mark === 0xff_fe ? 'utf-16le' : 'utf-16be').decode(bytes);
  return bytes.toString('utf8');
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

export function stepInto(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}

const KINDS = {
  contract: { name: 'an OpenAPI document', isOne: hasAny('openapi', 'swagger') },
  report: { name: 'the JSON report of a run', isOne: hasAll('summary', 'scenarios') },
  scenarios: { name: 'a scenario file', isOne: hasAny('scenarios') },
  profile: { name: 'a profile', isOne: hasAny('gaps') },
  resources: { name: 'a file of resources', isOne: hasAny('resources') },
  baseline: { name: 'a file of known deviations', isOne: hasAny('known') },
  fixtures: { name: 'a fixture pack', isOne: hasAny('pets', 'generate', 'records') },
  records: { name: 'a file of records', isOne: hasAny('records') },
  package: { name: 'a package.json of npm', isOne: hasAll('name', 'version') },
  schema: { name: 'a JSON Schema', isOne: hasAll('$schema', 'type') },
  runner: {
    name: 'a config file of petstore-conformance',
    isOne: hasAny('targets', 'target', 'api-key-env', 'report', 'timeout'),
  },
  mock: { name: 'a config file of petstore-mock', isOne: hasAny('port', 'host', 'fixtures', 'delay', 'count', 'log') },
} as const satisfies Record<string, { name: string; isOne: (keys: readonly string[]) => boolean }>;

export type FileKind = keyof typeof KINDS;

function findKindProblem(text: string, root: unknown, expected: FileKind): string | undefined {
  if (text.trim() === '') return expected === 'runner' || expected === 'mock' ? undefined : 'the file is empty.';
  if (!isObject(root)) return undefined;
  const keys = Object.keys(root);
  if (KINDS[expected].isOne(keys)) return undefined;
  const foreign = expected === 'contract' ? FOREIGN.find(([, , isOne]) => isOne(root)) : undefined;
  if (foreign !== undefined) return describeForeign(foreign);
  // An OpenAPI document without its version has names of our own files as well.
  if (expected === 'contract' && keys.includes('paths')) return undefined;
  const other = Object.values(KINDS).find(({ isOne }) => isOne(keys));
  return other === undefined ? undefined : `this is ${other.name}, not ${KINDS[expected].name}.`;
}

const EXPORT = 'convert it to OpenAPI first';
const NO_HTTP = 'only an HTTP interface that OpenAPI describes can be served and tested';
const OF_PACKAGE = 'give the path of the OpenAPI document itself';
const REFER = 'refer to it from the schemas of an OpenAPI document';

/** What people give in place of an OpenAPI document: its name, what to do, and the members by which it is known. */
const FOREIGN: readonly (readonly [name: string, todo: string, isOne: (root: Record<string, unknown>) => boolean])[] = [
  ['an AsyncAPI document', NO_HTTP, ({ asyncapi }) => asyncapi !== undefined],
  ['an Arazzo document', 'give the OpenAPI document that it names', ({ arazzo }) => arazzo !== undefined],
  ['an OpenAPI Overlay', 'apply it first, and give the result', ({ overlay }) => overlay !== undefined],
  ['a Swagger 1 document', EXPORT, ({ swaggerVersion }) => swaggerVersion !== undefined],
  ['a Postman collection', `${EXPORT}; Postman can generate a specification from a collection`, isPostman],
  ['a Postman environment', 'give an OpenAPI document', (root) => root['_postman_variable_scope'] !== undefined],
  [
    'an Insomnia export',
    EXPORT,
    ({ _type, type, resources, __export_format: format }) =>
      format !== undefined ||
      (_type === 'export' && Array.isArray(resources)) ||
      (typeof type === 'string' && /\binsomnia\.rest\b/.test(type)),
  ],
  [
    'a HAR file',
    'it holds recorded exchanges; give the OpenAPI document of the interface',
    ({ log }) => Array.isArray(asObject(log)['entries']),
  ],
  ['a GraphQL schema', NO_HTTP, (root) => '__schema' in root || '__schema' in asObject(root['data'])],
  ['a Google API Discovery document', EXPORT, ({ discoveryVersion }) => discoveryVersion !== undefined],
  ['a Smithy model', EXPORT, ({ smithy, shapes }) => smithy !== undefined && shapes !== undefined],
  ['an Avro schema', REFER, ({ type, fields }) => type === 'record' && Array.isArray(fields)],
  [
    'a config of Swagger UI',
    'give the document that its `url` or `urls` names',
    ({ configUrl, urls, oauth2RedirectUrl, paths }) =>
      paths === undefined && (configUrl !== undefined || oauth2RedirectUrl !== undefined || Array.isArray(urls)),
  ],
  ['a Kubernetes manifest', OF_PACKAGE, ({ apiVersion, kind }) => apiVersion !== undefined && kind !== undefined],
  [
    'a Compose file',
    OF_PACKAGE,
    ({ services, paths }) => paths === undefined && Object.keys(asObject(services)).length > 0,
  ],
  ['a JSON Schema', REFER, isJsonSchema],
  [
    'a package.json of npm',
    OF_PACKAGE,
    ({ name, version, paths, info }) =>
      typeof name === 'string' && typeof version === 'string' && paths === undefined && info === undefined,
  ],
];

function isPostman(root: Record<string, unknown>): boolean {
  const { info, item } = 'collection' in root ? asObject(root['collection']) : root;
  const { schema, _postman_id: id } = asObject(info);
  return String(schema).includes('getpostman.com') || id !== undefined || (Array.isArray(item) && info !== undefined);
}

function isJsonSchema({ $schema, $id, $defs, definitions, type, properties, paths }: Record<string, unknown>): boolean {
  if (paths !== undefined) return false;
  const isOfSchema = [properties, $defs, definitions].some((each) => Object.keys(asObject(each)).length > 0);
  return (
    /json-schema\.org/.test(String($schema)) ||
    (isOfSchema && (typeof type === 'string' || $id !== undefined || $defs !== undefined))
  );
}

const FOREIGN_TEXTS: readonly (readonly [name: string, todo: string, begins: RegExp])[] = [
  [
    'a web page (HTML)',
    'give the OpenAPI document that it shows, which often is at /openapi.json, /swagger.json or /v3/api-docs',
    /^(?:<!--[^]*?-->\s*)*<(?:!doctype html|html|head|body)\b/i,
  ],
  ['a WSDL document', EXPORT, /^<[^]{0,2000}?<?(?:\w+:)?(?:definitions|description)\b[^>]*\bwsdl\b/i],
  ['a WADL document', EXPORT, /^<[^]{0,2000}?wadl\.dev\.java\.net/i],
  ['an OData document', EXPORT, /^<(?:[^]{0,2000}?<)?(?:\w+:)?edmx\b/i],
  ['XML', 'give an OpenAPI document, in YAML or JSON', /^<[?!\w]/],
  ['a RAML document', EXPORT, /^#%RAML/],
  ['an API Blueprint', EXPORT, /^FORMAT:\s*1A/],
  ['a Protocol Buffers file', EXPORT, /^(?:\s|\/\/.*|\/\*[^]*?\*\/)*(?:syntax|edition)\s*=\s*["']/],
  [
    'a TypeSpec file',
    'compile it to OpenAPI, and give the result',
    /^(?:import "@typespec\/|using (?:TypeSpec|Http)\b)/m,
  ],
  ['a Smithy model', EXPORT, /^\$version:\s*"[12]/m],
  ['a Bruno request', EXPORT, /^meta \{\r?\n/],
  [
    'a GraphQL schema',
    NO_HTTP,
    /^(?:extend\s+)?(?:(?:type|interface|input|enum)\s+\w+[^\n{]*\{|schema\s*(?:@[^{]*)?\{|(?:union|scalar|directive)\s+@?\w+\b[^:]*$)/m,
  ],
];

function findForeignText(text: string): string | undefined {
  const begin = text.replace(/^[\uFEFF\s]+/, '').slice(0, 20_000);
  if (/^[{[]/.test(begin) || (!begin.startsWith('<') && /^["']?(?:openapi|swagger)["']?\s*:/m.test(begin)))
    return undefined;
  const found = FOREIGN_TEXTS.find(([, , begins]) => begins.test(begin));
  return found && describeForeign(found);
}

const describeForeign = ([name, todo]: readonly [name: string, todo: string, ...unknown[]]): string =>
  `this is ${name}, not an OpenAPI document: ${todo}.`;

function hasAny(...names: string[]) {
  return (keys: readonly string[]): boolean => names.some((name) => keys.includes(name));
}

function hasAll(...names: string[]) {
  return (keys: readonly string[]): boolean => names.every((name) => keys.includes(name));
}

/** `read`, called once for each object: its result is kept as long as the object. */
export function readOnce<Of extends object, Read>(read: (of: Of) => Read): (of: Of) => Read {
  const known = new WeakMap<Of, Read>();
  return (of) => {
    if (!known.has(of)) known.set(of, read(of));
    return known.get(of) as Read;
  };
}

export type Note = { message: string; readonly place: SourcePlace; times: number };

export interface Notes {
  /** `where` is the place, or a JSON Pointer to it. */
  add(where: string | SourcePlace, message: string): void;
  list(): readonly Note[];
}

export function createNotes(document: Pick<SourceDocument, 'placeOf'>): Notes {
  const notes = new Map<string, Note>();
  const places = new Set<string>();
  return {
    add(where, message) {
      // What several operations share is read for each of them.
      const place = `${typeof where === 'string' ? where : formatPlace(where)}\n${message}`;
      if (places.has(place)) return;
      places.add(place);
      const known = notes.get(message);
      if (known !== undefined) known.times += 1;
      else
        notes.set(message, {
          message,
          times: 1,
          // Finding a line takes longer than reading a document, so lines are looked up on demand.
          get place() {
            return typeof where === 'string' ? document.placeOf(where) : where;
          },
        });
    },
    list: () => [...notes.values()],
  };
}

export function describeNotes(notes: readonly Note[], most: number): string[] {
  const told = notes.slice(0, most).map(({ message, place, times }) => {
    const more = times === 1 ? '' : `, and ${times - 1} more like it`;
    return `${formatPlace(place)}: ${message.replace(/\.$/, '')}${more}`;
  });
  const rest = notes.length - told.length;
  return rest === 0 ? told : [...told, `${rest} more about the document; --check lists them all`];
}
