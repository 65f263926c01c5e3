import { createServerReader, type OwnServer } from '../base-path.js';
import { escapePointer, type SourceDocument } from '../document/document.js';
import { shorten } from '../document/json.js';
import type { Notes } from '../document/notes.js';
import { asList, asObject, asText } from '../document/plain.js';
import { resolveAt } from '../document/references.js';
import { bareMediaType, normalizeMediaType, readParameterized } from '../media-types.js';
import type { Content, Operation, Parameter, RequestBody, ResponseRule } from '../model.js';
import { asksForCredentials, createSecurityReader, type SecurityReader } from '../security/read-security.js';
import { saysUnauthenticated } from './said-in-words.js';
import { isStatus, listPaths, noteOperation } from './note-oddities.js';
import { findInQuery, listTemplateNames } from './path-template.js';
import { listProperties } from './properties.js';
import { FORM } from '../forms/media-types.js';
import { findSequenceKind } from '../forms/sequence.js';
import { readEncoding } from '../forms/encoding.js';
import { readHeaders, readParameter } from './read-parameter.js';
import { readValueShape } from './value-shape.js';

/** `query` since OpenAPI 3.2. */
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

/** Where the Error body is described (`#/components/schemas/Error`). */
export const ERROR_SCHEMA = '/components/schemas/Error';

/** Reads every operation of an OpenAPI document. An odd one is noted, and read as far as possible. */
export function readOperations(document: SourceDocument, notes: Notes): Operation[] {
  const readSecurity = createSecurityReader(document, notes);
  const readOwnServer = createServerReader(document, notes);
  const operations = listPaths(document, notes)
    .flatMap((path) => readPathItem(document, path, { notes, readSecurity, readOwnServer }))
    .map(nameAlone(notes));
  for (const operation of operations) noteOperation(document, operation, notes);
  return operations;
}

/** Names an operation whose id is taken like one that has no id. */
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

/** What the operations of a document share. */
interface Shared {
  notes: Notes;
  readSecurity: SecurityReader;
  readOwnServer: (owners: readonly string[]) => OwnServer | undefined;
}

function readPathItem(document: SourceDocument, path: string, shared: Shared): Operation[] {
  const item = resolveAt(document, `/paths/${escapePointer(path)}`);
  const pathItem = asObject(item.value);
  const usual = METHODS.filter((method) => isObject(pathItem[method])).map((method) => ({
    method,
    at: `${item.pointer}/${method}`,
  }));
  // OpenAPI 3.2, Path Item Object.
  const others = Object.keys(asObject(pathItem['additionalOperations'])).map((method) => ({
    method,
    at: `${item.pointer}/additionalOperations/${escapePointer(method)}`,
  }));
  return [...usual, ...others].map(({ method, at }) =>
    readOperation(document, { path, method, item: item.pointer, at }, shared),
  );
}

interface OperationPlace {
  path: string;
  method: string;
  /** JSON Pointers to the path item, and to the operation inside it. */
  item: string;
  at: string;
}

function readOperation(
  document: SourceDocument,
  { path, method, item, at }: OperationPlace,
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
      const isTwice = byKey.get(key)?.owner === owner;
      if (isTwice)
        notes.add(
          parameter.pointer,
          `there are two parameters ${parameter.name} in ${parameter.in}; the last one is used.`,
        );
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

/** The parameters of an operation, with exactly those `in: path` that its path names. */
function fitToPath(
  parameters: readonly Parameter[],
  { path, pointer, notes }: { path: string; pointer: string; notes: Notes },
): Parameter[] {
  const names = new Set(listTemplateNames(path));
  const fitting = parameters.flatMap((parameter) => {
    const { in: place, name, pointer: at } = parameter;
    if (place !== 'path' || names.delete(name)) return [parameter];
    const queried = findInQuery(path, name);
    if (queried !== undefined) return [takeFromQuery(parameter, { name: queried, path, notes })];
    notes.add(at, `the path ${path} does not contain {${name}}, so the parameter is ignored.`);
    return [];
  });
  const undeclared = [...names].map((name) => {
    notes.add(pointer, `the path ${path} contains {${name}}, but no parameter declares it; any text is accepted.`);
    return takeAnyText(name, pointer);
  });
  return [...fitting, ...undeclared];
}

function takeFromQuery(
  parameter: Parameter,
  { name, path, notes }: { name: string; path: string; notes: Notes },
): Parameter {
  notes.add(
    parameter.pointer,
    `the path ${path} has a query, which is not part of a path; ${name} is a query parameter.`,
  );
  return { ...parameter, name, in: 'query', required: false, style: 'form' };
}

function takeAnyText(name: string, pointer: string): Parameter {
  const any = {
    schema: {},
    schemaPointer: undefined,
    shape: { types: ['string'] },
    style: 'simple',
    explode: false,
  } as const;
  return { name, in: 'path', required: true, pointer, ...any };
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
  return statuses.map((status) => {
    const { pointer } = resolveAt(document, `${operationPointer}/responses/${escapePointer(status)}`);
    return {
      status: status === 'default' ? status : status.toUpperCase(),
      content: readContent(document, pointer),
      headers: readHeaders(document, pointer),
      pointer,
    };
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
  if (typeof day === 'string' && isDay(day)) return day;
  notes.add(pointer, `x-sunset must be a day such as 2030-12-05, not ${shorten(day)}; it is ignored.`);
  return undefined;
}

/** `Date.parse` reads the 31st of February as the 3rd of March. */
function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(`${text}T`);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
