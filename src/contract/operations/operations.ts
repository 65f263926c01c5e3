import type {
  Content,
  Operation,
  Parameter,
  RequestBody,
  ResponseHeader,
  ResponseRule,
  SchemaObject,
} from '../model.js';
import { PetstoreMockError } from '../../errors.js';
import { escapePointer, type SourceDocument } from '../document/document.js';
import { asList, asObject, asText } from '../document/plain.js';
import { listProperties } from './properties.js';
import { readParameter } from './read-parameter.js';
import { resolveAt, type Resolved } from '../document/references.js';
import { shorten } from '../document/json.js';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Where the Error body is described (interface, section 7). */
export const ERROR_SCHEMA = '/components/schemas/Error';

/** Reads every operation of an OpenAPI document. Throws a {@link PetstoreMockError} with the place of what cannot be read. */
export function readOperations(document: SourceDocument): Operation[] {
  const paths = asObject(document.at('/paths'));
  const operations = Object.keys(paths).flatMap((path) => readPathItem(document, path));
  const seen = new Map<string, Operation>();
  for (const operation of operations) {
    if (seen.has(operation.id)) {
      throw unusable(document, operation.pointer, `two operations have the operationId ${operation.id}.`);
    }
    seen.set(operation.id, operation);
  }
  return operations;
}

/** The documented response for a status: the exact one, else its range, else `default` (OpenAPI 3.1, Responses Object). */
export function findResponse(operation: Operation, status: number): ResponseRule | undefined {
  const find = (text: string): ResponseRule | undefined => operation.responses.find((rule) => rule.status === text);
  return find(String(status)) ?? find(`${Math.floor(status / 100)}XX`) ?? find('default');
}

/** The media types that an operation answers with; `application/json` where it answers with no body, for its errors. */
export function listMediaTypes(operation: Operation): string[] {
  const types = operation.responses.flatMap(({ content }) => content.map(({ mediaType }) => mediaType));
  return types.length === 0 ? ['application/json'] : [...new Set(types)];
}

function readPathItem(document: SourceDocument, path: string): Operation[] {
  const item = resolveAt(document, `/paths/${escapePointer(path)}`);
  const pathItem = asObject(item.value);
  return METHODS.filter((method) => pathItem[method] !== undefined).map((method) =>
    readOperation(document, path, method, item),
  );
}

function readOperation(document: SourceDocument, path: string, method: string, item: Resolved): Operation {
  const pointer = `${item.pointer}/${method}`;
  const source = asObject(document.at(pointer));
  const operation: Operation = {
    id: asText(source['operationId']) ?? `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    parameters: readParameters(document, item.pointer, pointer),
    requestBody: source['requestBody'] === undefined ? undefined : readBody(document, `${pointer}/requestBody`),
    responses: readResponses(document, pointer),
    secured: isSecured(source['security'] ?? document.at('/security')),
    deprecated: source['deprecated'] === true,
    sunset: readSunset(document, `${pointer}/x-sunset`),
    successor: asText(source['x-successor']),
    pointer,
  };
  checkPathParameters(document, operation);
  return operation;
}

function readParameters(document: SourceDocument, itemPointer: string, operationPointer: string): Parameter[] {
  const byKey = new Map<string, Parameter>();
  // An operation's own parameter replaces the path's of the same name and place (OpenAPI 3.1, Operation Object).
  for (const owner of [itemPointer, operationPointer]) {
    const list = asList(document.at(`${owner}/parameters`));
    for (const index of list.keys()) {
      const parameter = readParameter(document, `${owner}/parameters/${index}`);
      byKey.set(`${parameter.in} ${parameter.name}`, parameter);
    }
  }
  return [...byKey.values()];
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
  return Object.keys(responses).map((status) => {
    const { pointer } = resolveAt(document, `${operationPointer}/responses/${escapePointer(status)}`);
    return {
      status: status === 'default' ? status : status.toUpperCase(),
      content: readContent(document, pointer),
      headers: readHeaders(document, pointer),
      pointer,
    };
  });
}

/** `Content-Type` is described by the content (OpenAPI 3.1, Response Object). */
function readHeaders(document: SourceDocument, owner: string): ResponseHeader[] {
  const names = Object.keys(asObject(document.at(`${owner}/headers`)));
  return names
    .filter((name) => name.toLowerCase() !== 'content-type')
    .map((name) => {
      const { value, pointer } = resolveAt(document, `${owner}/headers/${escapePointer(name)}`);
      const schema = resolveAt(document, `${pointer}/schema`);
      return {
        name,
        required: asObject(value)['required'] === true,
        schema: asObject(schema.value),
        schemaPointer: schema.value === undefined ? undefined : schema.pointer,
        pointer,
      };
    });
}

function readContent(document: SourceDocument, owner: string): Content[] {
  const content = asObject(document.at(`${owner}/content`));
  return Object.keys(content).map((mediaType) => {
    const schemaPointer = `${owner}/content/${escapePointer(mediaType)}/schema`;
    return {
      mediaType: mediaType.split(';')[0]?.trim().toLowerCase() ?? mediaType,
      schemaPointer: document.at(schemaPointer) === undefined ? undefined : schemaPointer,
      fieldSchemas: readFieldSchemas(document, schemaPointer),
    };
  });
}

function readFieldSchemas(document: SourceDocument, schemaPointer: string): Record<string, SchemaObject> {
  const { value, pointer } = resolveAt(document, schemaPointer);
  const names = Object.keys(asObject(asObject(value)['properties']));
  const resolve = (name: string): unknown => resolveAt(document, `${pointer}/properties/${escapePointer(name)}`).value;
  return Object.fromEntries(names.map((name) => [name, asObject(resolve(name))]));
}

/** A list of requirements of which an empty one means that no credentials are needed (OpenAPI 3.1, Security Requirement Object). */
function isSecured(requirements: unknown): boolean {
  const list = asList(requirements);
  return list.length > 0 && list.every((requirement) => Object.keys(asObject(requirement)).length > 0);
}

function checkPathParameters(document: SourceDocument, operation: Operation): void {
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
  const declared = inPath.map(({ name }) => name);
  const inTemplate = [...operation.path.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] ?? '');
  for (const name of inTemplate) {
    if (!declared.includes(name)) {
      throw unusable(
        document,
        operation.pointer,
        `the path ${operation.path} names {${name}}, but no path parameter of that name is declared.`,
      );
    }
  }
  // It is required and can never be sent.
  const stray = inPath.find(({ name }) => !inTemplate.includes(name));
  if (stray !== undefined) {
    throw unusable(document, stray.pointer, `the path ${operation.path} does not name {${stray.name}}.`);
  }
  const partly = operation.path.split('/').find((segment) => /[{}]/.test(segment) && !/^\{[^{}]+\}$/.test(segment));
  if (partly !== undefined) {
    throw unusable(document, operation.pointer, `a path parameter takes a whole segment, unlike ${partly}.`);
  }
}

function readSunset(document: SourceDocument, pointer: string): string | undefined {
  const day = document.at(pointer);
  if (day === undefined) return undefined;
  if (typeof day === 'string' && isDay(day)) return day;
  throw unusable(document, pointer, `x-sunset is a day such as 2030-12-05, not ${shorten(day)}.`);
}

/** `Date.parse` takes the 31st of February for the 3rd of March. */
function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(`${text}T`);
}

function unusable(document: SourceDocument, pointer: string, message: string): PetstoreMockError {
  return new PetstoreMockError('unusable-contract', message, document.placeOf(pointer));
}
