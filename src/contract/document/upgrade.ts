// Swagger 2.0 as OpenAPI 3.0. Our own, since OpenAPI 3 cannot say all that Swagger 2.0 does (`tsv`, lists in lists, `pipes` in a
// path), which no converter keeps, and since each value has to keep its place in the file.
import { FORM, MULTIPART, isJsonMediaType } from '../media-types.js';
import { PetstoreMockError } from '../../errors.js';
import type { Bundle } from './bundle.js';
import { createSource, escapePointer, parsePointer, type SourceDocument, type Notes } from './document.js';
import { shorten } from './json.js';
import { asList, asObject, asText } from './plain.js';
import { resolveAt } from './references.js';

type Fields = Record<string, unknown>;

/** Says that a document was Swagger 2.0, so that `collectionFormat` has its meaning in schemas. */
export const WAS_SWAGGER = 'x-swagger';

/** A Swagger 2.0 document, with every reference local, as OpenAPI 3.0; each value keeps the place of its origin. */
export function upgradeSwagger({ document, nodes, notes }: Bundle): SourceDocument {
  for (const schema of nodes.flatMap(({ type, value }) => (type === 'Schema' ? [value as Fields] : []))) {
    const { $ref, discriminator } = schema;
    if (typeof $ref === 'string') schema['$ref'] = $ref.replace(/^#\/definitions\//, '#/components/schemas/');
    if (typeof discriminator === 'string') schema['discriminator'] = { propertyName: discriminator };
  }
  const upgrade: Upgrade = { document, origins: new WeakMap(), notes };
  const source = asObject(upgrade.document.root);
  const [host, basePath] = [asText(source['host']), asText(source['basePath'])];
  const named = (owner: string, make: (upgrade: Upgrade, pointer: string) => Fields): Fields => {
    const made = mapNamed(upgrade, owner, (pointer) => make(upgrade, pointer));
    return from(upgrade, owner, made);
  };
  const servers = listServers(host, basePath, asList(source['schemes']));
  const root = {
    openapi: '3.0.4',
    [WAS_SWAGGER]: source['swagger'],
    ...Object.fromEntries(Object.entries(source).filter(([name]) => !MOVED.includes(name))),
    servers: from(upgrade, host === undefined ? '/basePath' : '/host', servers),
    components: {
      schemas: from(upgrade, '/definitions', { ...asObject(source['definitions']) }),
      parameters: named('/parameters', upgradeParameter),
      securitySchemes: named('/securityDefinitions', upgradeScheme),
    },
    paths: named('/paths', upgradePath),
  };
  const { listParts } = document;
  return {
    ...createSource(document.file, root, (pointer) => document.placeOf(findOrigin(root, pointer, upgrade))),
    ...(listParts === undefined ? {} : { listParts }),
  };
}

type Upgrade = { document: SourceDocument; origins: WeakMap<object, string>; notes: Notes };

function from<Made extends object>({ origins }: Upgrade, pointer: string, made: Made): Made {
  for (const [key, value] of Object.entries(made)) if (value === undefined) delete (made as Fields)[key];
  origins.set(made, pointer);
  return made;
}

function findOrigin(root: unknown, pointer: string, { origins }: Upgrade): string {
  let [value, origin] = [root, ''];
  for (const part of parsePointer(pointer)) {
    value = (value as Fields | undefined)?.[part];
    const own = typeof value === 'object' && value !== null ? origins.get(value) : undefined;
    origin = own ?? `${origin}/${escapePointer(part)}`;
  }
  return origin;
}

const MOVED = ['swagger', 'host', 'basePath', 'schemes', 'consumes', 'produces', 'definitions', 'parameters', 'responses', 'securityDefinitions']; // prettier-ignore

function mapNamed(upgrade: Upgrade, owner: string, make: (pointer: string) => unknown): Fields {
  const names = Object.keys(asObject(upgrade.document.at(owner)));
  return Object.fromEntries(names.map((name) => [name, make(`${owner}/${escapePointer(name)}`)]));
}

function listServers(host: string | undefined, basePath: string | undefined, schemes: readonly unknown[]): object[] {
  if (host === undefined) return basePath === undefined ? [] : [{ url: basePath }];
  const path = basePath === undefined ? '' : basePath.replace(/^(?=[^/])/, '/');
  return (schemes.length === 0 ? ['http'] : schemes).map((scheme) => ({ url: `${String(scheme)}://${host}${path}` }));
}

const FLOWS: Readonly<Record<string, string>> = { application: 'clientCredentials', accessCode: 'authorizationCode' };

function upgradeScheme(upgrade: Upgrade, at: string): Fields {
  const { value, pointer } = resolveAt(upgrade.document, at);
  const { flow, authorizationUrl, tokenUrl, scopes, ...scheme } = asObject(value);
  if (scheme['type'] === 'basic') return from(upgrade, pointer, { ...scheme, type: 'http', scheme: 'basic' });
  if (scheme['type'] !== 'oauth2') return from(upgrade, pointer, scheme);
  const name = asText(flow) ?? 'implicit';
  return from(upgrade, pointer, {
    ...scheme,
    flows: { [FLOWS[name] ?? name]: { authorizationUrl, tokenUrl, scopes: scopes ?? {} } },
  });
}

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

function upgradePath(upgrade: Upgrade, at: string): Fields {
  const { value, pointer } = resolveAt(upgrade.document, at);
  const item = asObject(value);
  const parameters = listParameters(upgrade, pointer);
  const entries = Object.entries(item).map(([name, inside]) => {
    if (name === 'parameters') return [name, upgradeParameters(upgrade, parameters)];
    return [name, METHODS.has(name) ? upgradeOperation(upgrade, `${pointer}/${name}`, parameters) : inside];
  });
  return from(upgrade, pointer, Object.fromEntries(entries) as Fields);
}

type Used = { at: string; pointer: string; source: Fields };

function listParameters({ document }: Upgrade, owner: string): Used[] {
  return [...asList(document.at(`${owner}/parameters`)).keys()].map((index) => {
    const at = `${owner}/parameters/${index}`;
    const { value, pointer } = resolveAt(document, at);
    return { at, pointer, source: asObject(value) };
  });
}

const isOfBody = ({ source }: Used): boolean => source['in'] === 'body' || source['in'] === 'formData';

function upgradeParameters(upgrade: Upgrade, parameters: readonly Used[]): unknown[] {
  return parameters
    .filter((each) => !isOfBody(each))
    .map(({ at, pointer }) =>
      /^\/parameters\/[^/]+$/.test(pointer)
        ? from(upgrade, at, { $ref: `#/components${encodeURI(pointer)}` })
        : upgradeParameter(upgrade, pointer),
    );
}

function upgradeOperation(upgrade: Upgrade, at: string, ofPath: readonly Used[]): Fields {
  const { document } = upgrade;
  const { value, pointer } = resolveAt(document, at);
  const { consumes, produces, schemes: _schemes, parameters, responses, ...operation } = asObject(value);
  const own = listParameters(upgrade, pointer);
  const isReplaced = (one: Used): boolean =>
    own.some(
      ({ source: { in: place, name } }) =>
        place === one.source['in'] && (place === 'body' || name === one.source['name']),
    );
  const ofBody = [...ofPath.filter((each) => !isReplaced(each)), ...own].filter(isOfBody);
  // An operation's own media types, or those of the document.
  const listTypes = (types: unknown, all: string): string[] =>
    asList(types ?? document.at(all)).filter((type) => typeof type === 'string');
  const types = listTypes(produces, '/produces');
  const made = mapNamed(upgrade, `${pointer}/responses`, (each) => upgradeResponse(upgrade, each, types));
  return from(upgrade, pointer, {
    ...operation,
    parameters: parameters === undefined ? undefined : upgradeParameters(upgrade, own),
    requestBody: upgradeBody(upgrade, ofBody, listTypes(consumes, '/consumes')),
    responses: responses === undefined ? undefined : from(upgrade, `${pointer}/responses`, made),
  });
}

function upgradeBody(upgrade: Upgrade, used: readonly Used[], consumes: readonly string[]): Fields | undefined {
  const body = used.find(({ source }) => source['in'] === 'body');
  if (body === undefined) return used.length === 0 ? undefined : upgradeForm(upgrade, used, consumes);
  for (const { source, at } of used.filter((each) => each.source['in'] === 'formData'))
    upgrade.notes.add(
      at,
      `an operation cannot have both a body and formData; ${String(source['name'])} in formData is ignored.`,
    );
  const { description, required, schema, 'x-example': example, 'x-examples': examples } = body.source;
  const content = (consumes.length === 0 ? ['application/json'] : consumes).map((type) => {
    const shown = asObject(examples)[type] ?? asObject(example)[type] ?? example;
    return [type, from(upgrade, body.pointer, { schema, example: shown })];
  });
  return from(upgrade, body.pointer, { description, required, content: Object.fromEntries(content) as Fields });
}

function upgradeForm(upgrade: Upgrade, used: readonly Used[], consumes: readonly string[]): Fields {
  const owner = used[0]?.at.replace(/\/\d+$/, '') ?? '';
  const properties: Fields = {};
  const encoding: Fields = {};
  const required: unknown[] = [];
  for (const { source, pointer } of used) {
    const name = String(source['name']);
    const schema = upgradeRules(upgrade, source, pointer);
    const none = { type: 'string', maxLength: 0 };
    properties[name] = source['allowEmptyValue'] === true ? from(upgrade, pointer, { anyOf: [schema, none] }) : schema;
    if (source['required'] === true) required.push(name);
    if (source['type'] !== 'array') continue;
    encoding[name] = from(upgrade, pointer, { style: 'form', explode: source['collectionFormat'] === 'multi' });
  }
  const schema = { type: 'object', properties: from(upgrade, owner, properties), required };
  const media = from(upgrade, owner, { schema: from(upgrade, owner, schema), encoding });
  const stated = consumes.filter((type) => [FORM, MULTIPART].some((each) => type.toLowerCase().startsWith(each)));
  const hasFile = used.some(({ source }) => source['type'] === 'file');
  const types = stated.length > 0 ? stated : hasFile ? [MULTIPART] : [FORM, MULTIPART];
  if (stated.length === 0 && consumes.length > 0)
    upgrade.notes.add(owner, `a form cannot be sent as ${consumes.join(' or ')}; it is read as ${types.join(' or ')}.`);
  const content = Object.fromEntries(types.map((type) => [type, media]));
  return from(upgrade, owner, { required: required.length > 0, content });
}

function upgradeRules(upgrade: Upgrade, source: Fields, pointer: string): Fields {
  const { name, in: _in, required, allowEmptyValue, description, schema, 'x-example': example, ...rules } = source;
  // Some documents give it a schema, as OpenAPI 3 does.
  if (schema !== undefined) return from(upgrade, `${pointer}/schema`, { ...asObject(schema) });
  const ofFile = rules['type'] === 'file' ? { type: 'string', format: 'binary' } : {};
  return from(upgrade, pointer, { ...rules, ...ofFile, ...(example === undefined ? {} : { example }) });
}

/** What OpenAPI 3 calls them; it has no other separator, and none of them in a path or a header field. */
const STYLES: Readonly<Record<string, string>> = { ssv: 'spaceDelimited', pipes: 'pipeDelimited' };

function upgradeParameter(upgrade: Upgrade, at: string): Fields {
  const { value, pointer } = resolveAt(upgrade.document, at);
  const source = asObject(value);
  const { name, in: place, required, description, allowEmptyValue, deprecated, collectionFormat } = source;
  const explode = collectionFormat === 'multi' && place === 'query';
  if (collectionFormat === 'multi' && !explode)
    upgrade.notes.add(
      `${pointer}/collectionFormat`,
      `collectionFormat multi is for query and formData alone; ${String(name)} in ${String(place)} is read as csv.`,
    );
  const style = place === 'query' ? STYLES[asText(collectionFormat) ?? ''] : undefined;
  const schema = upgradeRules(upgrade, source, pointer);
  const made = { name, in: place, required, description, allowEmptyValue, deprecated, style, explode, schema };
  return from(upgrade, pointer, made);
}

function upgradeResponse(upgrade: Upgrade, at: string, produces: readonly string[]): Fields {
  const { value, pointer } = resolveAt(upgrade.document, at);
  const { schema, examples, headers, ...response } = asObject(value);
  const isFile = asObject(schema)['type'] === 'file';
  const usual = produces.length > 0 ? produces : [isFile ? '*/*' : 'application/json'];
  const types = schema === undefined ? [] : usual;
  const shown = Object.entries(asObject(examples)).filter(([type]) => type.includes('/'));
  const more = shown.map(([type]) => type).filter((type) => !types.some((each) => isSameType(each, type)));
  const content = [...types, ...more].map((type) => {
    // A file may be JSON of any kind.
    const ofFile = isJsonMediaType(type) ? {} : { type: 'string', format: 'binary' };
    const example = shown.find(([each]) => isSameType(each, type))?.[1];
    return [type, from(upgrade, pointer, { schema: isFile ? ofFile : schema, example })];
  });
  const made = mapNamed(upgrade, `${pointer}/headers`, (each) => {
    const source = asObject(upgrade.document.at(each));
    const { description } = source;
    return from(upgrade, each, { description, schema: upgradeRules(upgrade, source, each) });
  });
  return from(upgrade, pointer, {
    ...response,
    headers: headers === undefined ? undefined : from(upgrade, `${pointer}/headers`, made),
    content: content.length === 0 ? undefined : from(upgrade, pointer, Object.fromEntries(content) as Fields),
  });
}

function isSameType(one: string, other: string): boolean {
  const [plain, otherPlain] = [one, other].map((type) => type.split(';')[0]?.trim().toLowerCase());
  return plain === otherPlain;
}

/** Whether a document is Swagger 2.0. Throws a {@link PetstoreMockError} if it is not an OpenAPI document. */
export function isSwagger(document: SourceDocument): boolean {
  const [version, swagger] = [document.at('/openapi'), document.at('/swagger')];
  if (/^3(\.|$)/.test(showVersion(version))) return false;
  if (/^2(\.|$)/.test(showVersion(swagger))) return true;
  if (swagger !== undefined) throw notOpenApi(document, '/swagger', `its \`swagger\` field is ${shorten(swagger)}`);
  const found = version === undefined ? 'it has no `openapi` field' : `its \`openapi\` field is ${shorten(version)}`;
  throw notOpenApi(document, version === undefined ? '' : '/openapi', found);
}

/** A version may be written as a number. */
export const showVersion = (version: unknown): string =>
  typeof version === 'string' || typeof version === 'number' ? String(version) : '';

function notOpenApi(document: SourceDocument, pointer: string, found: string): PetstoreMockError {
  const message = `this is not an OpenAPI 3 or Swagger 2.0 document: ${found}.`;
  return new PetstoreMockError('unusable-contract', message, document.placeOf(pointer));
}
