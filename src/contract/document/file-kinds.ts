/** The kinds of files that the programs read, with the name of each and the fields that identify it. */
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

const MAY_BE_EMPTY: readonly FileKind[] = ['runner', 'mock'];

/**
 * A message that a file is empty, or of another kind than expected; `undefined` if it may be of the expected kind, or
 * if its kind is unclear.
 */
export function findKindProblem(text: string, root: unknown, expected: FileKind): string | undefined {
  if (text.trim() === '') return MAY_BE_EMPTY.includes(expected) ? undefined : 'the file is empty.';
  if (typeof root !== 'object' || root === null || Array.isArray(root)) return undefined;
  const keys = Object.keys(root);
  if (KINDS[expected].isOne(keys)) return undefined;
  const foreign = expected === 'contract' ? findForeignKind(root) : undefined;
  if (foreign !== undefined) return foreign;
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
  ['an Insomnia export', EXPORT, isInsomnia],
  ['a HAR file', 'it holds recorded exchanges; give the OpenAPI document of the interface', isHar],
  ['a GraphQL schema', NO_HTTP, (root) => '__schema' in root || '__schema' in membersOf(root['data'])],
  ['a Google API Discovery document', EXPORT, ({ discoveryVersion }) => discoveryVersion !== undefined],
  ['a Smithy model', EXPORT, ({ smithy, shapes }) => smithy !== undefined && shapes !== undefined],
  ['an Avro schema', REFER, ({ type, fields }) => type === 'record' && Array.isArray(fields)],
  ['a config of Swagger UI', 'give the document that its `url` or `urls` names', isSwaggerConfig],
  ['a Kubernetes manifest', OF_PACKAGE, ({ apiVersion, kind }) => apiVersion !== undefined && kind !== undefined],
  [
    'a Compose file',
    OF_PACKAGE,
    ({ services, paths }) => paths === undefined && Object.keys(membersOf(services)).length > 0,
  ],
  ['a JSON Schema', REFER, isJsonSchema],
  ['a package.json of npm', OF_PACKAGE, isPackage],
];

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function isPostman(root: Record<string, unknown>): boolean {
  const { info, item } = 'collection' in root ? membersOf(root['collection']) : root;
  const { schema, _postman_id: id } = membersOf(info);
  return String(schema).includes('getpostman.com') || id !== undefined || (Array.isArray(item) && info !== undefined);
}

function isInsomnia({ _type, type, resources, __export_format: format }: Record<string, unknown>): boolean {
  const isFormat5 = typeof type === 'string' && /\binsomnia\.rest\b/.test(type);
  return isFormat5 || format !== undefined || (_type === 'export' && Array.isArray(resources));
}

function isHar({ log }: Record<string, unknown>): boolean {
  return Array.isArray(membersOf(log)['entries']);
}

function isSwaggerConfig({ configUrl, urls, oauth2RedirectUrl, paths }: Record<string, unknown>): boolean {
  return paths === undefined && (configUrl !== undefined || oauth2RedirectUrl !== undefined || Array.isArray(urls));
}

function isJsonSchema({ $schema, $id, $defs, definitions, type, properties, paths }: Record<string, unknown>): boolean {
  if (paths !== undefined) return false;
  const isOfSchema = [properties, $defs, definitions].some((each) => Object.keys(membersOf(each)).length > 0);
  return (
    /json-schema\.org/.test(String($schema)) ||
    (isOfSchema && (typeof type === 'string' || $id !== undefined || $defs !== undefined))
  );
}

function isPackage({ name, version, paths, info }: Record<string, unknown>): boolean {
  return typeof name === 'string' && typeof version === 'string' && paths === undefined && info === undefined;
}

function findForeignKind(root: object): string | undefined {
  const found = FOREIGN.find(([, , isOne]) => isOne(root as Record<string, unknown>));
  return found === undefined ? undefined : describeForeign(found[0], found[1]);
}

/** The same of texts that are neither JSON nor YAML, or YAML by chance. */
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

/** What a text is that cannot be an OpenAPI document, and what to do: a sentence. */
export function findForeignText(text: string): string | undefined {
  const begin = text.replace(/^[\uFEFF\s]+/, '').slice(0, 20_000);
  if (/^[{[]/.test(begin) || (!begin.startsWith('<') && /^["']?(?:openapi|swagger)["']?\s*:/m.test(begin)))
    return undefined;
  const found = FOREIGN_TEXTS.find(([, , begins]) => begins.test(begin));
  return found === undefined ? undefined : describeForeign(found[0], found[1]);
}

function describeForeign(name: string, todo: string): string {
  return `this is ${name}, not an OpenAPI document: ${todo}.`;
}

function hasAny(...names: string[]) {
  return (keys: readonly string[]): boolean => names.some((name) => keys.includes(name));
}

function hasAll(...names: string[]) {
  return (keys: readonly string[]): boolean => names.every((name) => keys.includes(name));
}
