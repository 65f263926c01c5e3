import { readBasePaths, createBases, type Bases, createMatcher, type Matcher } from './operations/match.js';
import { bundleFiles, type Bundle } from './document/bundle.js';
import { findSequenceKind } from './media-types.js';
import type { Note, Notes, SourceDocument } from './document/document.js';
import { createNotes, readDocument, rejectEndless, escapePointer, parseSource } from './document/document.js';
import { isSwagger, showVersion, upgradeSwagger } from './document/upgrade.js';
import { createCompilers } from './schemas/compile-schemas.js';
import { findContradiction, repairSchema, isRule, noteDialect, readDialect, type Dialect } from './schemas/dialect.js';
import { asObject, asText } from './document/plain.js';
import type { RemoteReader, Fetched, FetchedText, FetchOptions } from './remote/read-remote.js';
import { isWebUrl, createRemoteReader, hidePassword, withoutUser } from './remote/read-remote.js';
import { ERROR_SCHEMA, readOperations } from './operations/operations.js';
import type { Operation, Security, SecurityScheme } from './model.js';
import { createSecurityReader, readSecuritySchemes } from './security.js';
import type { Corrections } from './resources/candidates.js';
import type { GivenRecords } from './resources/resource.js';
import { createValidator, type Validator } from './schemas/violation.js';
import { FILES, splitPointer, pointerOf } from './document/references.js';
import { shorten } from './document/json.js';
import type { OpenApiNode } from './document/openapi-nodes.js';
import { PetstoreMockError } from '../errors.js';

export interface Contract {
  document: SourceDocument;
  title: string;
  version: string;
  basePath: string;
  operations: Operation[];
  /** Those that a run cannot ask, since they are at another host. Default: none. */
  elsewhere?: readonly Operation[];
  security: Security;
  securitySchemes: readonly SecurityScheme[];
  match: Matcher;
  bases: Bases;
  validate: Validator;
  /** JSON Pointer to the schema of the Error body, for responses that belong to no operation. */
  errorSchemaPointer: string | undefined;
  corrections?: Corrections;
  givenRecords?: GivenRecords;
  /** Whether a run creates and changes nothing: it reads the records that are there. */
  readOnly?: boolean;
  /** Oddities of the document, and how they are handled. Grows as schemas are compiled. */
  listNotes(): readonly Note[];
}

export interface LoadContractOptions {
  shownAs?: string;
  /** Whether it was checked before (the shipped one was), so schemas are compiled when needed. Default: `false`. */
  trusted?: boolean;
  /** Whether it may refer to files outside its folder. Default: `false`. */
  allowOutsideRefs?: boolean;
  /** Whether documents at URLs that it refers to are fetched. Default: `false`. */
  allowRemoteRefs?: boolean;
  /** Whether a document at a URL may be at a private address. Default: `false`. */
  allowPrivateHosts?: boolean;
  /** The user's statements about its resources. Default: none, everything is inferred. */
  corrections?: Corrections | undefined;
}

/** Reads an OpenAPI document. Throws a {@link PetstoreMockError} with file and line if it is none at all. */
export function loadContract(path: string, options: LoadContractOptions = {}): Contract {
  if (isWebUrl(path)) {
    const { entry, from, readRemote } = openContract(path, options);
    return rejectTooDeep(entry.file, () => createContract(entry, from, options, readRemote));
  }
  rejectEndless(path, options.shownAs);
  const isTolerant = options.trusted !== true;
  const entry = readDocument(path, { code: 'unusable-contract', isTolerant, kind: 'contract', ...options });
  const readRemote = options.allowRemoteRefs === true ? createRemoteReader() : undefined;
  return rejectTooDeep(entry.file, () => createContract(entry, path, options, readRemote));
}

function createContract(
  entry: SourceDocument,
  path: string,
  options: LoadContractOptions,
  readRemote: RemoteReader | undefined,
): Contract {
  const trusted = options.trusted === true;
  const bundleAll = (one: SourceDocument): Bundle => bundleFiles(one, path, { ...options, readRemote });
  const swagger = isSwagger(entry) ? bundleAll(entry) : undefined;
  const source = swagger === undefined ? entry : upgradeSwagger(swagger);
  let bundled: Bundle | undefined;
  const bundle = (): Bundle => (bundled ??= bundleAll(source));
  const document: SourceDocument = {
    ...(trusted ? source : repair(bundle()).document),
    allows: (pointer, value) => validate.value(pointer, value).length === 0,
  };
  const notes = trusted ? createNotes(source) : bundle().notes;
  for (const { place, message } of swagger?.notes.list() ?? []) notes.add(place, message);
  for (const { place, message } of entry.oddities ?? []) notes.add(place, message);
  const operations = readOperations(document, notes);
  if (operations.length === 0) {
    const paths = Object.keys(asObject(document.at('/paths'))).filter((each) => !each.startsWith('x-'));
    const isUnserved = paths.length > 0 && paths.every((each) => !each.startsWith('/'));
    const where = isUnserved ? ' at a path that begins with a slash' : '';
    notes.add('/paths', `the document has no operation${where}, so there is nothing to serve.`);
  }
  const validate = createValidator({
    document,
    operations,
    createCompilers: () => createCompilers({ document, nodes: bundle().nodes, notes }),
  });
  const roots = readBasePaths(document, notes, isWebUrl(path) ? path : undefined);
  const match = createMatcher(operations);
  if (!trusted) noteImpossible(document, operations, notes);
  return {
    document,
    title: document.textAt('/info/title') ?? 'API',
    version: showVersion(document.at('/info/version')),
    basePath: roots[0] ?? '',
    operations,
    // Its oddities were noted with the operations.
    security: createSecurityReader(document, createNotes(document))('/security').security,
    securitySchemes: readSecuritySchemes(document),
    match,
    bases: createBases(operations, roots, match),
    validate,
    errorSchemaPointer: document.at(ERROR_SCHEMA) === undefined ? undefined : ERROR_SCHEMA,
    listNotes: () => notes.list(),
    ...(options.corrections === undefined ? {} : { corrections: options.corrections }),
  };
}

export function leaveOutElsewhere(contract: Contract): Contract {
  const operations = contract.operations.filter(({ server }) => server?.elsewhere === undefined);
  if (operations.length === contract.operations.length) return contract;
  const match = createMatcher(operations);
  const elsewhere = contract.operations.filter((each) => !operations.includes(each));
  return { ...contract, operations, elsewhere, match, bases: createBases(operations, contract.bases.roots, match) };
}

function noteImpossible(document: SourceDocument, operations: readonly Operation[], notes: Notes): void {
  for (const { requestBody, responses } of operations) {
    const contents = [...(requestBody?.content ?? []), ...responses.flatMap(({ content }) => content)];
    for (const { schemaPointer } of contents) {
      const found = schemaPointer === undefined ? undefined : findContradiction(document, schemaPointer);
      if (found !== undefined)
        notes.add(
          found.pointer,
          `no value is valid here: \`${found.name}\` is required, but \`additionalProperties: false\` allows only the properties listed beside it.`,
        );
    }
  }
}

function repair(bundle: Bundle): Bundle {
  const { notes } = bundle;
  const dialect = readDialect(bundle.document.root);
  noteDialect(bundle.document, notes);
  for (const node of bundle.nodes) {
    const { type, value, pointer } = node;
    noteNode(node, bundle, dialect);
    if (type === 'Schema') repairSchema(value as Record<string, unknown>, pointer, { notes, dialect });
    const name = pointer.slice(pointer.lastIndexOf('/') + 1).replaceAll('~1', '/');
    if (type !== 'MediaType' || !name.includes('/')) continue;
    const unread = ['itemEncoding', 'prefixEncoding', ...(findSequenceKind(name) === undefined ? ['itemSchema'] : [])];
    for (const field of unread.filter((each) => (value as Fields)[each] !== undefined))
      notes.add(`${pointer}/${field}`, `${field} of ${name} is not checked.`);
  }
  return bundle;
}

type Fields = Readonly<Record<string, unknown>>;

function noteNode({ type, value, pointer }: OpenApiNode, bundle: Bundle, dialect: Dialect): void {
  const fields = value as Fields;
  const { notes } = bundle;
  if (typeof fields['$ref'] === 'string' && !IS_MAP.has(type))
    return noteBesideReference(type, fields, { pointer, bundle, dialect });
  const { schema, content, externalValue } = fields;
  // OpenAPI 3.1.1, Parameter Object: schema or content, but not both.
  if ((type === 'Parameter' || type === 'Header') && schema !== undefined && content !== undefined) {
    const own = asText(fields['name']) ?? pointer.slice(pointer.lastIndexOf('/') + 1);
    notes.add(`${pointer}/content`, `${own} has both schema and content; content is ignored.`);
  }
  if (type === 'Schema') noteMapping(fields, pointer, bundle);
  const isShown = ['value', 'dataValue', 'serializedValue'].some((name) => fields[name] !== undefined);
  if (type !== 'Example' || typeof externalValue !== 'string' || isShown) return;
  if (bundle.isMissing(externalValue, pointer))
    notes.add(`${pointer}/externalValue`, `there is no file ${externalValue}; this example is ignored.`);
}

const IS_MAP = new Set<OpenApiNode['type']>(['Document', 'Swagger', 'Components', 'Paths', 'Responses']);

/** OpenAPI 3.0.4, Reference Object: additional properties are ignored. In 3.1 schemas may have them. */
function noteBesideReference(
  type: OpenApiNode['type'],
  fields: Fields,
  { pointer, bundle, dialect }: { pointer: string; bundle: Bundle; dialect: Dialect },
): void {
  if (type === 'Schema' && dialect.readsBesideReference) return;
  // Generators write the first three in OpenAPI 3.0, too, where they are read.
  const counts = (name: string): boolean =>
    !['nullable', 'readOnly', 'writeOnly', '$ref'].includes(name) &&
    (type === 'Schema' ? isRule(name) : !/^(?:x-|summary$|description$)/.test(name));
  const why = `has no effect${type === 'Schema' ? ' before OpenAPI 3.1' : ''}; it is ignored.`;
  for (const name of Object.keys(fields).filter(counts))
    bundle.notes.add(`${pointer}/${escapePointer(name)}`, `${name} beside a $ref ${why}`);
}

/** OpenAPI 3.1.1, Discriminator Object: a mapping leads to a schema, by its name or as a reference does. */
function noteMapping({ discriminator }: Fields, pointer: string, { document, notes }: Bundle): void {
  const { mount } = splitPointer(pointer);
  const isThere = (at: string | undefined): boolean =>
    at === undefined || [mount, ''].some((root) => document.at(`${root}${at}`) !== undefined);
  const leadsSomewhere = (target: string): boolean => {
    if (target.startsWith('#')) return isThere(pointerOf(target));
    // A file that no reference has led to is not looked for.
    if (/[/#]|\.(?:ya?ml|json)$/i.test(target)) return true;
    // In a file of its own, a schema has no name but the file's.
    const isFile = Object.keys(asObject(document.at(`/${FILES}`))).some((name) => name.endsWith(target));
    return isFile || ['/components/schemas', '/$defs'].some((owner) => isThere(`${owner}/${escapePointer(target)}`));
  };
  for (const [value, target] of Object.entries(asObject(asObject(discriminator)['mapping']))) {
    if (typeof target === 'string' && leadsSomewhere(target)) continue;
    notes.add(
      `${pointer}/discriminator/mapping/${escapePointer(value)}`,
      `the discriminator maps ${value} to ${shorten(target)}, which is not a schema; this mapping is ignored.`,
    );
  }
}

/** Throws a {@link PetstoreMockError} about the file where `work` overflows the stack: some thousand `$ref`s in a row. */
export function rejectTooDeep<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    // A stack that overflows is one in V8 (and not an `InternalError`, as elsewhere).
    if (!(error instanceof RangeError)) throw error;
    throw new PetstoreMockError(
      'unusable-contract',
      'its schemas refer to each other in a chain that is too long to follow; shorten it: a few hundred `$ref`s in a row can be read.',
      { file },
    );
  }
}

export interface UrlOptions {
  /** Whether what it refers to at other hosts is fetched. Default: `false`, only what is at its own origin. */
  allowRemoteRefs?: boolean | undefined;
  /** Whether its host may have a private address. Default: `false`. */
  allowPrivateHosts?: boolean | undefined;
}

interface FetchedContract {
  url: string;
  findProxy: FetchOptions['findProxy'];
  entry: FetchedText;
  parts: ReadonlyMap<string, Fetched>;
}

const contracts = new Map<string, FetchedContract>();
const MOST_PARTS = 200;
const REFERENCE = /\$ref["']?\s*:\s*["']?[^#"'\s]/;

/** Fetches the contract for the next {@link openContract}. Says whether it is other than before. Throws if there is none. */
export async function fetchContract(
  given: string,
  { allowRemoteRefs, allowPrivateHosts, ...more }: UrlOptions & Pick<FetchOptions, 'findProxy'> = {},
): Promise<boolean> {
  const { fetchDocument } = await import('./remote/fetch-document.js');
  const before = contracts.get(withoutUser(given));
  // What the program was given, the library it calls is not.
  const url = given === withoutUser(given) ? (before?.url ?? given) : given;
  const findProxy = more.findProxy ?? before?.findProxy;
  const own = { url, allowPrivate: allowPrivateHosts };
  const entry = await fetchDocument(url, { own, isEntry: true, known: before?.entry, findProxy });
  if ('why' in entry) throw unreadable(url, entry.why);
  const from = entry.at ?? withoutUser(url);
  const parts = new Map<string, Fetched>();
  for (let isComplete = !REFERENCE.test(entry.text); !isComplete;) {
    const missing = new Set<string>();
    const readRemote: RemoteReader = (to) => {
      const part = parts.get(to);
      const isWanted = part === undefined && parts.size + missing.size < MOST_PARTS;
      if (isWanted && (isOfOrigin(to, from) || allowRemoteRefs === true)) missing.add(to);
      return part ?? { why: 'is not fetched' };
    };
    try {
      bundleFiles(parse(entry, url), from, { readRemote });
    } catch (error) {
      if (!(error instanceof PetstoreMockError)) throw error;
    }
    const fetchPart = async (to: string): Promise<void> => {
      const known = before?.parts.get(to);
      const options = known === undefined || 'why' in known ? {} : { known };
      parts.set(to, await fetchDocument(to, isOfOrigin(to, from) ? { ...options, own, findProxy } : options));
    };
    await Promise.all([...missing].map(fetchPart));
    isComplete = missing.size === 0;
  }
  const now = { url, findProxy, entry, parts };
  contracts.set(withoutUser(url), now);
  const writeOut = (one: FetchedContract): string => {
    const texts = [...one.parts].map(([at, part]) => JSON.stringify([at, 'why' in part ? part.why : part.text]));
    return [one.entry.text, ...texts.toSorted()].join('\n');
  };
  return before === undefined || writeOut(before) !== writeOut(now);
}

/** Fetches the contract where it is at a URL. Returns the `spec` to go on with, without user and password. */
export async function prepareSpec<Options extends UrlOptions & { spec?: string | undefined }>(
  options: Options,
  findProxy?: FetchOptions['findProxy'],
): Promise<Options['spec']> {
  const { spec } = options;
  if (spec === undefined || !isWebUrl(spec)) return spec;
  if (!URL.canParse(spec)) throw unreadable(spec, 'is not a URL');
  await fetchContract(spec, { ...options, findProxy });
  return withoutUser(spec);
}

function openContract(
  url: string,
  { allowRemoteRefs, allowPrivateHosts }: UrlOptions,
): { entry: SourceDocument; from: string; readRemote: RemoteReader } {
  if (!URL.canParse(url)) throw unreadable(url, 'is not a URL');
  const own = { url, allowPrivate: allowPrivateHosts };
  const known = contracts.get(withoutUser(url));
  const readOwn = createRemoteReader({ own });
  const readOther = createRemoteReader();
  const entry = known?.entry ?? createRemoteReader({ own, isEntry: true })(url);
  if ('why' in entry) throw unreadable(url, entry.why);
  const from = entry.at ?? withoutUser(url);
  const readRemote: RemoteReader = (to) => {
    if (isOfOrigin(to, from)) return known?.parts.get(to) ?? readOwn(to);
    if (allowRemoteRefs !== true)
      return { why: 'is not at the origin of the document; pass --allow-remote-refs to fetch it' };
    return known?.parts.get(to) ?? readOther(to);
  };
  return { entry: parse(entry, url), from, readRemote };
}

const unreadable = (url: string, why: string): PetstoreMockError =>
  new PetstoreMockError('unreadable-file', `${hidePassword(url)} ${why}.`);

function parse({ text }: FetchedText, url: string): SourceDocument {
  const shownAs = hidePassword(withoutUser(url));
  return parseSource(text, { shownAs, code: 'unusable-contract', kind: 'contract', isTolerant: true });
}

const isOfOrigin = (to: string, from: string): boolean =>
  URL.canParse(to) && new URL(to).origin === new URL(from).origin;
