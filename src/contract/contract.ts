import { readBasePaths } from './base-path.js';
import { bundleFiles, type Bundle } from './document/bundle.js';
import { findSequenceKind } from './forms/sequence.js';
import { noteNode } from './document/note-node.js';
import { createNotes, type Note, type Notes } from './document/notes.js';
import { isSwagger, showVersion, upgradeSwagger } from './document/upgrade.js';
import { createCompilers } from './schemas/compile-schemas.js';
import { findContradiction } from './schemas/impossible.js';
import { noteDialect, readDialect } from './schemas/dialect.js';
import { repairSchema } from './schemas/keywords.js';
import { readDocument, refuseEndless, type SourceDocument } from './document/document.js';
import { asObject } from './document/plain.js';
import { refuseTooDeep } from './document/too-deep.js';
import { openContract } from './remote/contract-at-url.js';
import { isWebUrl } from './remote/fetched.js';
import { createRemoteReader, type RemoteReader } from './remote/read-remote.js';
import { createBases, type Bases } from './operations/bases.js';
import { createMatcher, type Matcher } from './operations/match.js';
import { ERROR_SCHEMA, readOperations } from './operations/operations.js';
import type { Operation, Security, SecurityScheme } from './model.js';
import { createSecurityReader, readSecuritySchemes } from './security/read-security.js';
import type { Corrections } from './resources/corrections/correction.js';
import type { GivenRecords } from './resources/given-records.js';
import { createValidator, type Validator } from './validate.js';

/** The contract, loaded: what both the mock and the runner read. */
export interface Contract {
  document: SourceDocument;
  title: string;
  version: string;
  /** The path of the first server: `/v1`; `''` if it has none. */
  basePath: string;
  operations: Operation[];
  /** Those that a run cannot ask, since they are at another host. Default: none. */
  elsewhere?: readonly Operation[];
  /** The security of a request that matches no operation. */
  security: Security;
  /** Every security scheme that can be checked. */
  securitySchemes: readonly SecurityScheme[];
  /** Finds the operation for a method and a raw path below the base path. */
  match: Matcher;
  /** Its base paths, where the servers of operations add others to {@link Contract.basePath}. */
  bases: Bases;
  validate: Validator;
  /**
   * JSON Pointer to the schema of the Error body, for answers that belong to no operation; `undefined` if there is
   * none.
   */
  errorSchemaPointer: string | undefined;
  /** The user's statements about its resources. */
  corrections?: Corrections;
  /** The user's own records, which the runner sends in place of what it would make up. */
  givenRecords?: GivenRecords;
  /** Whether a run creates and changes nothing: it reads the records that are there. */
  readOnly?: boolean;
  /** Oddities of the document, and how they are handled. Grows as schemas are compiled. */
  listNotes(): readonly Note[];
}

export interface LoadContractOptions {
  /** The file's name in messages. Default: the path as given. */
  shownAs?: string;
  /**
   * Whether the document was checked before (the shipped one was), so that schemas are compiled only when needed.
   * Default `false`: everything is checked now.
   */
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

/**
 * Reads an OpenAPI document in YAML or JSON, a file or at a URL, with the files it refers to, in stages: read, upgrade, bundle, repair,
 * operations, validators. An odd part costs only that part and is noted. Throws a {@link PetstoreMockError} with file
 * and line if it is not an OpenAPI document at all.
 */
export function loadContract(path: string, options: LoadContractOptions = {}): Contract {
  if (isWebUrl(path)) {
    const { entry, from, readRemote } = openContract(path, options);
    return refuseTooDeep(entry.file, () => createContract(entry, from, options, readRemote));
  }
  refuseEndless(path, options.shownAs);
  const isTolerant = options.trusted !== true;
  const entry = readDocument(path, { code: 'unusable-contract', isTolerant, kind: 'contract', ...options });
  const readRemote = options.allowRemoteRefs === true ? createRemoteReader() : undefined;
  return refuseTooDeep(entry.file, () => createContract(entry, path, options, readRemote));
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
  if (operations.length === 0) notes.add('/paths', tellNothing(document));
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

function tellNothing(document: SourceDocument): string {
  const paths = Object.keys(asObject(document.at('/paths'))).filter((path) => !path.startsWith('x-'));
  const isUnserved = paths.length > 0 && paths.every((path) => !path.startsWith('/'));
  const where = isUnserved ? ' at a path that begins with a slash' : '';
  return `the document has no operation${where}, so there is nothing to serve.`;
}

/** A contract without the operations that are at another host. Its notes say so. */
export function leaveOutElsewhere(contract: Contract): Contract {
  const operations = contract.operations.filter(({ server }) => server?.elsewhere === undefined);
  if (operations.length === contract.operations.length) return contract;
  const match = createMatcher(operations);
  const elsewhere = contract.operations.filter((each) => !operations.includes(each));
  return { ...contract, operations, elsewhere, match, bases: createBases(operations, contract.bases.roots, match) };
}

/** Notes the bodies of which no value is what the contract says. */
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

/** Removes from the schemas what no validator could apply. */
function repair(bundle: Bundle): Bundle {
  const { notes } = bundle;
  const dialect = readDialect(bundle.document.root);
  noteDialect(bundle.document, notes);
  for (const node of bundle.nodes) {
    const { type, value, pointer } = node;
    noteNode(node, bundle, dialect);
    if (type === 'MediaType') noteUnread(value as Record<string, unknown>, pointer, notes);
    if (type === 'Schema') repairSchema(value as Record<string, unknown>, pointer, { notes, dialect });
  }
  return bundle;
}

/** Notes what OpenAPI 3.2 says of a media type and nothing here applies. */
function noteUnread(mediaType: Readonly<Record<string, unknown>>, pointer: string, notes: Notes): void {
  const name = pointer.slice(pointer.lastIndexOf('/') + 1).replaceAll('~1', '/');
  const kind = findSequenceKind(name);
  for (const field of ['itemEncoding', 'prefixEncoding', ...(kind === undefined ? ['itemSchema'] : [])]) {
    if (mediaType[field] !== undefined && name.includes('/'))
      notes.add(`${pointer}/${field}`, `${field} of ${name} is not checked.`);
  }
}
