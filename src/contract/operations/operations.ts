import { createServerReader, findInQuery, listTemplateNames, readTail, readTemplate } from './match.js';
import { escapePointer, type SourceDocument } from '../document/document.js';
import { shorten } from '../document/json.js';
import type { Notes } from '../document/notes.js';
import { asList, asObject, asText, isObject, splitList } from '../document/plain.js';
import { resolveAt } from '../document/references.js';
import {
  bareMediaType,
  normalizeMediaType,
  readParameterized,
  FORM,
  findSequenceKind,
  MULTIPART,
  isJsonMediaType,
} from '../media-types.js';
import type { Content, Operation, OwnServer, Parameter, RequestBody, ResponseRule } from '../model.js';
import { asksForCredentials, createSecurityReader, type SecurityReader } from '../security.js';
import { listProperties, readValueShape } from './properties.js';
import { saysUnauthenticated } from './said-in-words.js';
import { readEncoding, readHeaders, readParameter } from './read-parameter.js';
import { isRule } from '../schemas/keywords.js';

/** `query` since OpenAPI 3.2. */
const METHODS = splitList('get put post delete options head patch trace query');

export const ERROR_SCHEMA = '/components/schemas/Error';

export function readOperations(document: SourceDocument, notes: Notes): Operation[] {
  const readSecurity = createSecurityReader(document, notes);
  const readOwnServer = createServerReader(document, notes);
  const operations = listPaths(document, notes)
    .flatMap((path) => readPathItem(document, path, { notes, readSecurity, readOwnServer }))
    .map(nameAlone(notes));
  for (const operation of operations) noteOperation(document, operation, notes);
  return operations;
}

function nameAlone(notes: Notes): (operation: Operation) => Operation {
  const seen = new Set<string>();
  return (operation) => {
    const { id, method, path, pointer } = operation;
    if (!seen.has(id)) {
      seen.add(id);
      return operation;
    }
    const name = `${method} ${path}`;
    notes.add(
      `${pointer}/operationId`,
      `two operations have the operationId ${id}; the second is called ${name} instead.`,
    );
    return { ...operation, id: name };
  };
}

/** The documented response for a status: the exact one, else its range, else `default` (OpenAPI 3.1, Responses Object). */
export function findResponse(operation: Operation, status: number): ResponseRule | undefined {
  const find = (text: string): ResponseRule | undefined => operation.responses.find((rule) => rule.status === text);
  return find(String(status)) ?? find(`${Math.floor(status / 100)}XX`) ?? find('default');
}

/** The media types of an operation's answers; `application/json`, for its errors, if no answer has a body. */
export function listMediaTypes(operation: Operation): string[] {
  const types = operation.responses.flatMap(({ content }) => content.map(({ mediaType }) => mediaType));
  return types.length === 0 ? ['application/json'] : [...new Set(types)];
}

interface Shared {
  notes: Notes;
  readSecurity: SecurityReader;
  readOwnServer: (owners: readonly string[]) => OwnServer | undefined;
}

function readPathItem(document: SourceDocument, path: string, shared: Shared): Operation[] {
  const item = resolveAt(document, `/paths/${escapePointer(path)}`);
  const pathItem = asObject(item.value);
  const read = (method: string, at: string): Operation =>
    readOperation(document, { path, method, item: item.pointer, at: `${item.pointer}/${at}` }, shared);
  const usual = METHODS.filter((method) => isObject(pathItem[method]));
  // OpenAPI 3.2, Path Item Object.
  const others = Object.keys(asObject(pathItem['additionalOperations']));
  return [
    ...usual.map((method) => read(method, method)),
    ...others.map((method) => read(method, `additionalOperations/${escapePointer(method)}`)),
  ];
}

function readOperation(
  document: SourceDocument,
  { path, method, item, at }: Record<'path' | 'method' | 'item' | 'at', string>,
  { notes, readSecurity, readOwnServer }: Shared,
): Operation {
  // OpenAPI has no references in place of operations, but documents do.
  const { pointer } = resolveAt(document, at);
  const source = asObject(document.at(pointer));
  const parameters = readParameters(document, [item, pointer], notes);
  const server = readOwnServer([pointer, item]);
  const { security, scopes } = readSecurity(source['security'] === undefined ? '/security' : `${pointer}/security`);
  // `This endpoint is not authenticated`, where the document asks for credentials by default: it was forgotten to write `security: []`.
  const isOpen = source['security'] === undefined && asksForCredentials(security) && saysUnauthenticated(source);
  if (isOpen)
    notes.add(
      pointer,
      'its text says that it needs no credentials, and it has no `security` of its own: none are asked for',
    );
  return {
    id: asText(source['operationId']) ?? `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    ...(server === undefined ? {} : { server }),
    parameters: fitToPath(parameters, { path, pointer, notes }),
    requestBody: isObject(source['requestBody']) ? readBody(document, `${pointer}/requestBody`) : undefined,
    responses: readResponses(document, pointer),
    security,
    scopes,
    secured: asksForCredentials(security) && !isOpen,
    deprecated: source['deprecated'] === true,
    sunset: readSunset(document, `${pointer}/x-sunset`, notes),
    successor: asText(source['x-successor']),
    pointer,
  };
}

function readParameters(document: SourceDocument, owners: readonly string[], notes: Notes): Parameter[] {
  const byKey = new Map<string, { parameter: Parameter; owner: string }>();
  // An operation's own parameter replaces the path's of the same name and place (OpenAPI 3.1.1, Operation Object).
  for (const owner of owners) {
    const list = asList(document.at(`${owner}/parameters`));
    for (const index of list.keys()) {
      const read = readParameter(document, `${owner}/parameters/${index}`, notes);
      if (read === undefined) continue;
      const parameter = read.style === 'querystring' ? { ...read, ...readQueryEncoding(document, read) } : read;
      const key = `${parameter.in} ${parameter.name}`;
      const message = `there are two parameters ${parameter.name} in ${parameter.in}; the last one is used.`;
      if (byKey.get(key)?.owner === owner) notes.add(parameter.pointer, message);
      byKey.set(key, { parameter, owner });
    }
  }
  return [...byKey.values()].map(({ parameter }) => parameter);
}

/** OpenAPI 3.2.0, Encoding Object: it applies to forms. */
function readQueryEncoding(document: SourceDocument, { pointer, schemaPointer }: Parameter): Pick<Content, 'encoding'> {
  const form = resolveAt(document, `${pointer}/content/${escapePointer(FORM)}`).pointer;
  const { encoding } = readEncoding(document, form, schemaPointer);
  return encoding === undefined ? {} : { encoding };
}

function fitToPath(
  parameters: readonly Parameter[],
  { path, pointer, notes }: { path: string; pointer: string; notes: Notes },
): Parameter[] {
  const names = new Set(listTemplateNames(path));
  const fitting = parameters.flatMap((parameter): Parameter[] => {
    const { in: place, name, pointer: at } = parameter;
    if (place !== 'path' || names.delete(name)) return [parameter];
    const queried = findInQuery(path, name);
    notes.add(
      at,
      queried === undefined
        ? `the path ${path} does not contain {${name}}, so the parameter is ignored.`
        : `the path ${path} has a query, which is not part of a path; ${queried} is a query parameter.`,
    );
    return queried === undefined ? [] : [{ ...parameter, name: queried, in: 'query', required: false, style: 'form' }];
  });
  const undeclared = [...names].map((name) => {
    notes.add(pointer, `the path ${path} contains {${name}}, but no parameter declares it; any text is accepted.`);
    const own = { name, pointer, schema: {}, schemaPointer: undefined, shape: { types: ['string'] } };
    return Object.assign(own, { in: 'path', required: true, style: 'simple', explode: false } as const);
  });
  return [...fitting, ...undeclared];
}

function readBody(document: SourceDocument, at: string): RequestBody {
  const { value, pointer } = resolveAt(document, at);
  const content = readContent(document, pointer);
  const fields = content.flatMap(({ schemaPointer }) =>
    schemaPointer === undefined ? [] : [...listProperties(document, schemaPointer)],
  );
  return { required: asObject(value)['required'] === true, content, fields: new Set(fields), pointer };
}

function readResponses(document: SourceDocument, operationPointer: string): ResponseRule[] {
  const responses = asObject(document.at(`${operationPointer}/responses`));
  const statuses = Object.keys(responses).filter(isStatus);
  return statuses.map((key) => {
    const { pointer } = resolveAt(document, `${operationPointer}/responses/${escapePointer(key)}`);
    const status = key === 'default' ? key : key.toUpperCase();
    return { status, content: readContent(document, pointer), headers: readHeaders(document, pointer), pointer };
  });
}

function readContent(document: SourceDocument, owner: string): Content[] {
  return Object.keys(asObject(document.at(`${owner}/content`))).map((name) => readMediaType(document, owner, name));
}

function readMediaType(document: SourceDocument, owner: string, name: string): Content {
  // OpenAPI 3.2: a media type may be a reference.
  const { pointer } = resolveAt(document, `${owner}/content/${escapePointer(name)}`);
  const at = `${pointer}/schema`;
  const schemaPointer = document.at(at) === undefined ? undefined : at;
  const bare = bareMediaType(name);
  // A form may be sent under a range, too.
  const isForm = bare === FORM || bare.startsWith('multipart/') || /^(?:application|\*)\/\*$/.test(bare);
  const shape = isForm || bare.startsWith('text/') ? readValueShape(document, schemaPointer) : { types: [] };
  const encoding = isForm ? readEncoding(document, pointer, schemaPointer) : {};
  const item = `${pointer}/itemSchema`;
  const isSequence = document.at(item) !== undefined && findSequenceKind(name) !== undefined;
  const isUtf8 = /^utf-?8$/i.test(readParameterized(name).parameters['charset'] ?? '');
  return {
    mediaType: normalizeMediaType(name),
    schemaPointer,
    ...(isSequence ? { itemPointer: item } : {}),
    shape,
    ...encoding,
    ...(isUtf8 ? { isUtf8 } : {}),
  };
}

function readSunset(document: SourceDocument, pointer: string, notes: Notes): string | undefined {
  const day = document.at(pointer);
  if (day === undefined) return undefined;
  const text = asText(day) ?? '';
  const time = Date.parse(`${text}T00:00:00Z`);
  // `Date.parse` reads the 31st of February as the 3rd of March.
  if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(`${text}T`)) return text;
  notes.add(pointer, `x-sunset must be a day such as 2030-12-05, not ${shorten(day)}; it is ignored.`);
  return undefined;
}

/** The paths that can be served, which begin with a slash; notes those that do not, and those that are the same (OpenAPI 3.1.1, Paths Object). */
function listPaths(document: SourceDocument, notes: Notes): string[] {
  const all = Object.entries(asObject(document.at('/paths'))).filter(([path]) => !path.startsWith('x-'));
  const known = new Map<string, string>();
  return all.flatMap(([path, item]) => {
    const pointer = `/paths/${escapePointer(path)}`;
    if (!path.startsWith('/')) {
      if (typeof item === 'object')
        notes.add(pointer, `the path ${path} does not begin with a slash; its operations are ignored.`);
      return [];
    }
    if (path.length > LONGEST_PATH) {
      notes.add(pointer, `the path ${shorten(path)} is longer than a request may be; its operations are ignored.`);
      return [];
    }
    const texts = readTemplate(path).map(({ text }) => text.replaceAll(/\{[^{}]+\}/g, '{}'));
    const same = `${texts.join('/')}#${readTail(path)}`;
    const first = known.get(same);
    known.set(same, first ?? path);
    if (first !== undefined)
      notes.add(
        pointer,
        `the paths ${first} and ${path} differ only in parameter names; if both have an operation with the same method, the first one is used.`,
      );
    return [path];
  });
}

/** Node takes request lines and header fields of 16 KiB together. */
const LONGEST_PATH = 8000;

function isStatus(key: string): boolean {
  return /^(?:[1-9]\d\d|[1-5]XX|default)$/i.test(key);
}

function noteOperation(document: SourceDocument, operation: Operation, notes: Notes): void {
  const { id, pointer, responses, requestBody } = operation;
  const keys = Object.keys(asObject(document.at(`${pointer}/responses`)));
  for (const key of keys.filter((each) => !isStatus(each) && !each.startsWith('x-')))
    notes.add(
      `${pointer}/responses/${escapePointer(key)}`,
      `a response needs a status, a range such as 4XX, or default, not ${shorten(key)}; it is ignored.`,
    );
  if (responses.length === 0)
    notes.add(pointer, `${id} documents no response; the mock returns 501 where it would return a success.`);
  for (const { status, content, pointer: at } of responses)
    if (/^(?:204|205|304|1\d\d)$/.test(status) && content.length > 0)
      notes.add(`${at}/content`, `a ${status} response has no body (RFC 9110); its \`content\` is ignored.`);
  for (const content of requestBody?.content ?? [])
    if (!isValidated(content) && hasRules(document, content))
      notes.add(content.schemaPointer ?? pointer, `the body ${content.mediaType} of ${id} is not validated.`);
}

/** Whether the mock reads a body of this media type, and so validates it. */
function isValidated({ mediaType, itemPointer, shape }: Content): boolean {
  const bare = bareMediaType(mediaType);
  if (itemPointer !== undefined || bare === FORM || bare === MULTIPART || isJsonMediaType(bare)) return true;
  if (bare.startsWith('text/')) return shape.types.length === 0 || shape.types.includes('string');
  return /^(?:application|\*)\/\*$/.test(bare);
}

/** Of a text or of bytes, `type: string` and its format say nothing that could be broken. */
function hasRules(document: SourceDocument, { schemaPointer = '' }: Content): boolean {
  const schema = asObject(schemaPointer === '' ? undefined : resolveAt(document, schemaPointer).value);
  return Object.keys(schema).some(
    (name) => isRule(name) && name !== 'format' && !(name === 'type' && schema[name] === 'string'),
  );
}

/** Whether a contract documents only errors of an operation (OpenAPI 3.1.1, Responses Object). */
export function leavesSuccessOpen({ responses }: Operation): boolean {
  return responses.length > 0 && responses.every((rule) => /^[345]/.test(rule.status));
}

/** Whether an operation documents both statuses with which services refuse an invalid request. */
export function statesBothRejections({ responses }: Pick<Operation, 'responses'>): boolean {
  return ['400', '422'].every((wanted) => responses.some(({ status }) => status === wanted));
}

/** Whether clients send a field unasked, as browsers do `Accept-Language` (RFC 9110): its value breaks no schema. */
export function isClientsOwn(name: string): boolean {
  return CLIENTS_OWN.test(name);
}

/** RFC 9110 sections 7.2, 10.1 and 12.5; the forbidden request headers of the Fetch standard; those of browsers. */
const CLIENTS_OWN =
  /^(?:accept-(?:language|encoding|charset)|user-agent|host|origin|referer|connection|keep-alive|content-length|cache-control|pragma|te|trailer|transfer-encoding|upgrade|upgrade-insecure-requests|via|dnt|priority|save-data|access-control-request-.*|sec-.*|proxy-.*)$/i;

/** draft-ietf-httpapi-idempotency-key-header: sending it again makes no second record. */
export function isRepeatKey(name: string): boolean {
  return /^(?:x-)?idempotency-key$/i.test(name);
}

/** Whether a request must say which version of a record it means (RFC 9110 section 13.1.1). */
export function requiresTag({ parameters }: Pick<Operation, 'parameters'>): boolean {
  return parameters.some(({ required, in: place, name }) => required && place === 'header' && isTagName(name));
}

export function isTagName(name: string): boolean {
  return /^if-match$/i.test(name);
}

/** Whether its answers say which version of a record they show. */
export function showsTag({ method, responses }: Pick<Operation, 'method' | 'responses'>): boolean {
  const successes = responses.filter(({ status }) => status.startsWith('2'));
  return method === 'GET' && successes.some(({ headers }) => headers.some(({ name }) => /^etag$/i.test(name)));
}
