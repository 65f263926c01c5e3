import { PetstoreMockError } from '../errors.js';
import { bundleFiles } from './document/bundle.js';
import { parseSource, readDocument, type SourceDocument } from './document/document.js';
import { createMatcher, type Matcher } from './operations/match.js';
import { ERROR_SCHEMA, readOperations } from './operations/operations.js';
import type { Operation } from './model.js';
import { checkReferences } from './document/references.js';
import { shorten } from './document/json.js';
import { createValidator, type Validator } from './validate.js';

/** The contract, loaded: what both the mock and the runner read. */
export interface Contract {
  document: SourceDocument;
  title: string;
  version: string;
  /** The path of the first server: `/v1`; `''` when it has none. */
  basePath: string;
  operations: Operation[];
  /** Finds the operation for a method and a raw path below the base path. */
  match: Matcher;
  validate: Validator;
  /** JSON Pointer to the schema of the Error body, for answers that belong to no operation; `undefined` when there is none. */
  errorSchemaPointer: string | undefined;
}

export interface LoadContractOptions {
  /** How the file is named in messages. Default: the path as given. */
  shownAs?: string;
  /**
   * The document was checked before (the one that ships), so schemas are
   * compiled when they are first needed. Default `false`: everything is checked now.
   */
  trusted?: boolean;
}

/**
 * Reads an OpenAPI 3 document in YAML or JSON, with the files it refers to, in
 * stages: read, bundle, operations, validators. Throws a {@link PetstoreMockError}
 * with file and line when it cannot be served.
 */
export function loadContract(path: string, options: LoadContractOptions = {}): Contract {
  const entry = readDocument(path, { code: 'unusable-contract', kind: 'contract', ...options });
  checkVersion(entry);
  return createContract(options.trusted === true ? entry : bundleFiles(entry, path), options);
}

/** {@link loadContract} of a text in memory; files that it refers to are looked for where the process runs. */
export function parseContract(text: string, options: LoadContractOptions & { shownAs: string }): Contract {
  const entry = parseSource(text, { ...options, code: 'unusable-contract' });
  checkVersion(entry);
  return createContract(bundleFiles(entry, options.shownAs), options);
}

function createContract(document: SourceDocument, options: LoadContractOptions): Contract {
  if (options.trusted !== true) checkReferences(document);
  const operations = readOperations(document);
  if (operations.length === 0) throw unusable(document, '/paths', 'the document has no operations.');
  const validate = createValidator(document, operations);
  if (options.trusted !== true) validate.compileAll();
  return {
    document,
    title: document.textAt('/info/title') ?? 'API',
    version: document.textAt('/info/version') ?? '',
    basePath: readBasePath(document),
    operations,
    match: createMatcher(operations),
    validate,
    errorSchemaPointer: document.at(ERROR_SCHEMA) === undefined ? undefined : ERROR_SCHEMA,
  };
}

function checkVersion(document: SourceDocument): void {
  const version = document.at('/openapi');
  if (typeof version === 'string' && /^3\.[01]\./.test(version)) return;
  if (document.at('/swagger') !== undefined) throw unusable(document, '/swagger', describeSwagger(document));
  const found = version === undefined ? 'it has no `openapi` field' : `its \`openapi\` field is ${shorten(version)}`;
  throw unusable(
    document,
    version === undefined ? '' : '/openapi',
    `this is not an OpenAPI 3.0 or 3.1 document: ${found}.`,
  );
}

function describeSwagger(document: SourceDocument): string {
  const convert = `npx swagger2openapi ${document.file} --outfile openapi.yaml`;
  return `this is a Swagger ${String(document.at('/swagger'))} document, and OpenAPI 3.0 or 3.1 is needed; convert it: ${convert}.`;
}

/** The path of the first server with its variables at their defaults (OpenAPI 3.1, Server Object). */
function readBasePath(document: SourceDocument): string {
  const url = document.at('/servers/0/url');
  if (typeof url !== 'string') return '';
  const resolved = url.replace(
    /\{([^}]+)\}/g,
    (_, name: string) => document.textAt(`/servers/0/variables/${name}/default`) ?? '',
  );
  // A relative server URL is resolved against where the document is served; its path is all that counts here.
  const parsed = URL.canParse(resolved, 'http://localhost') ? new URL(resolved, 'http://localhost') : undefined;
  if (parsed === undefined) throw unusable(document, '/servers/0/url', `the server's address ${resolved} is no URL.`);
  return parsed.pathname.replace(/\/+$/, '');
}

function unusable(document: SourceDocument, pointer: string, message: string): PetstoreMockError {
  return new PetstoreMockError('unusable-contract', message, document.placeOf(pointer));
}
