import { type Compilers, validateWithinSteps, requireForValidators } from './schemas/compile-schemas.js';
import { escapePointer, type SourceDocument } from './document/document.js';
import { findSequenceKind, readSequence, coversMediaType, findContent } from './media-types.js';
import { parseJson } from './document/json.js';
import type { SentPart } from './forms.js';
import type { ApiResponse } from './message.js';
import { leavesSuccessOpen, findResponse, isClientsOwn } from './operations/operations.js';
import type { Content, Operation, ResponseHeader, ResponseRule } from './model.js';
import type { ParameterReading } from './parameters.js';
import { readText } from './read-text.js';
import { createViolation, type MessagePart, type Violation, collectErrors } from './schemas/violation.js';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { asObject } from './document/plain.js';
import { pointerOf, referenceOf, resolveAt } from './document/references.js';

/** Checks the parts of messages against the contract. Every list is empty when the part keeps it. */
export interface Validator {
  /** Path, query and header values, in the order of the contract; header fields that clients send unasked only have to be there. */
  parameters(operation: Operation, reading: ParameterReading): Violation[];
  requestBody(operation: Operation, mediaType: string, value: unknown, parts?: readonly SentPart[]): Violation[];
  response(operation: Operation, response: ApiResponse): Violation[];
  /** The header fields of a response against those that the contract describes. */
  headers(rule: ResponseRule, headers: ApiResponse['headers']): Violation[];
  /** A value against the schema at a JSON Pointer into the contract. */
  value: ValidateValue;
  /** Compiles everything now, so that every schema that cannot be used is noted. */
  compileAll(): void;
}

/** `createCompilers` is asked for when a schema is needed that is not precompiled. */
export function createValidator({
  document,
  operations,
  createCompilers,
}: Pick<Checking, 'document'> & { operations: readonly Operation[]; createCompilers: () => Compilers }): Validator {
  let lazily: Compilers | undefined;
  const compilers = (): Compilers => (lazily ??= createCompilers());
  const ready = document.createValidators?.(requireForValidators);
  const value = validateBy(document, (at) => ready?.answers[at] ?? compilers().answers.compile(at));
  const answers = { document, validate: value };
  const validate = validateBy(document, (at) => ready?.requests[at] ?? compilers().requests.compile(at));
  const requests = { document, validate };
  return {
    value,
    parameters: (operation, reading) => findParameterViolations(requests, operation, reading),
    requestBody(operation, mediaType, data, parts = []) {
      const content = findContent(operation.requestBody?.content ?? [], mediaType);
      if (content === undefined) return [];
      const inParts = parts.flatMap((part) => findPartViolations(requests, content, part));
      return [...validateContent(requests, content, data), ...inParts];
    },
    headers: (rule, headers) => rule.headers.flatMap((header) => findHeaderViolations(answers, header, headers)),
    response: (operation, response) => findResponseViolations(answers, operation, response),
    compileAll() {
      const made = compilers();
      for (const pointer of operations.flatMap(listRequestSchemas)) made.requests.compile(pointer);
      for (const pointer of operations.flatMap(listResponseSchemas)) made.answers.compile(pointer);
    },
  };
}

export function listRequestSchemas({ parameters, requestBody }: Operation): string[] {
  return [
    ...parameters.flatMap(({ schemaPointer }) => schemaPointer ?? []),
    ...listContentSchemas(requestBody?.content ?? []),
  ];
}

export function listResponseSchemas({ responses }: Operation): string[] {
  return responses.flatMap(({ headers, content }) => [
    ...headers.flatMap(({ schemaPointer }) => schemaPointer ?? []),
    ...listContentSchemas(content),
  ]);
}

function listContentSchemas(content: readonly Content[]): string[] {
  return content.flatMap(({ schemaPointer, itemPointer }) => [schemaPointer ?? [], itemPointer ?? []].flat());
}

type Checking = { document: SourceDocument; validate: ValidateValue };

type Place = { part: MessagePart; pointer: string };

function describeMissing({ document }: Checking, at: Place, owner: string): Violation {
  const [message, contractPointer] = [`${at.part}${at.pointer} is required`, `${owner}/required`];
  const found = { rule: 'required', expected: 'present', actual: 'nothing' };
  return createViolation(document, { ...at, ...found, message, contractPointer });
}

function findParameterViolations(by: Checking, { parameters }: Operation, reading: ParameterReading): Violation[] {
  return parameters.flatMap(({ in: part, name, schemaPointer, pointer, required }) => {
    const at = { part, pointer: `/${name}` };
    const given = reading[part][name];
    if (given !== undefined) {
      const isUnchecked = schemaPointer === undefined || (part === 'header' && isClientsOwn(name));
      return isUnchecked ? [] : by.validate(schemaPointer, given, at);
    }
    const isSent =
      reading.badEscapes.some((bad) => bad.name === name) || (part === 'query' && reading.empty.includes(name));
    return required && !isSent ? [describeMissing(by, at, pointer)] : [];
  });
}

function findResponseViolations(by: Checking, operation: Operation, response: ApiResponse): Violation[] {
  const { status, headers } = response;
  const rule = findResponse(operation, status);
  if (rule !== undefined) {
    const inHeaders = rule.headers.flatMap((header) => findHeaderViolations(by, header, headers));
    return [...inHeaders, ...findBodyViolations(by, rule, response)];
  }
  if (status >= 200 && status < 300 && leavesSuccessOpen(operation)) return [];
  const listed = operation.responses.map((each) => each.status).join(', ');
  const message = `the status ${status} is not documented for ${operation.id}; it documents ${listed}`;
  const found = { rule: 'responses', expected: `one of ${listed}`, actual: String(status), message };
  const at = { part: 'status', pointer: '', contractPointer: `${operation.pointer}/responses` } as const;
  return [createViolation(by.document, { ...at, ...found })];
}

function findBodyViolations(by: Checking, rule: ResponseRule, { status, headers, body }: ApiResponse): Violation[] {
  const types = rule.content.map(({ mediaType }) => mediaType).join(' or ');
  const contractPointer = `${rule.pointer}/content`;
  if (body === undefined) {
    if (rule.content.length === 0 || hasNoContent(status)) return [];
    const found = {
      expected: `a body of ${types}`,
      actual: 'nothing',
      message: `the response ${rule.status} has no body`,
    };
    const at = { part: 'body', pointer: '', rule: 'content', contractPointer } as const;
    return [createViolation(by.document, { ...at, ...found })];
  }
  const content = findContent(rule.content, headers['Content-Type']);
  if (content === undefined) {
    const [expected, actual] = [types || 'no body', headers['Content-Type'] ?? 'nothing'];
    const message = `header/content-type must be ${expected}, but is ${actual}`;
    const at = { part: 'header', pointer: '/content-type', rule: 'content', contractPointer } as const;
    return [createViolation(by.document, { ...at, expected, actual, message })];
  }
  const violations = validateContent(by, content, body.value);
  // What a text of XML or CSV stands for is not known; where its schema is that of a text, it is.
  const isUnread = body.isAsWritten === true && violations.some((each) => !OF_TEXTS.has(each.rule));
  return isUnread ? [] : violations;
}

/** A body, and each item of one that is a sequence: its schema, if it has one, describes the list of all of them. */
function validateContent(by: Checking, { mediaType, schemaPointer, itemPointer }: Content, data: unknown): Violation[] {
  const kind = itemPointer === undefined ? undefined : findSequenceKind(mediaType);
  const value = kind !== undefined && typeof data === 'string' ? readSequence(data, kind) : data;
  const whole = schemaPointer === undefined ? [] : by.validate(schemaPointer, value);
  if (itemPointer === undefined || !Array.isArray(value)) return whole;
  const inItems = value.flatMap((item: unknown, index) => {
    const at = { part: 'body', pointer: `/${index}` } as const;
    if (item !== undefined) return by.validate(itemPointer, item, at);
    const found = { rule: 'itemSchema', expected: 'JSON', actual: 'another text', contractPointer: itemPointer };
    return [createViolation(by.document, { ...at, ...found, message: `body/${index} must be JSON` })];
  });
  return [...whole, ...inItems];
}

const OF_TEXTS = new Set(['minLength', 'maxLength', 'pattern', 'format', 'enum', 'const']);

/** Whatever the contract says: HTTP has none (RFC 9110 sections 15.3.5, 15.3.6 and 15.4.5). */
export function hasNoContent(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}

function findHeaderViolations(
  by: Checking,
  header: ResponseHeader,
  headers: ApiResponse['headers'],
  at: Place = { part: 'header', pointer: `/${header.name.toLowerCase()}` },
): Violation[] {
  const sent = Object.entries(headers).find(([name]) => name.toLowerCase() === header.name.toLowerCase())?.[1];
  if (sent === undefined) return header.required ? [describeMissing(by, at, header.pointer)] : [];
  const parsed = header.style === 'json' ? parseJson(sent) : undefined;
  if (parsed?.ok === false) {
    const { message: actual } = parsed.problem;
    const found = { rule: 'content', expected: 'JSON', actual, contractPointer: `${header.pointer}/content` };
    const message = `${at.part}${at.pointer} must be JSON, but ${actual}`;
    return [createViolation(by.document, { ...at, ...found, message })];
  }
  return header.schemaPointer === undefined ? [] : by.validate(header.schemaPointer, readText(sent, header), at);
}

/** A part whose media type or header fields are not those of its encoding (OpenAPI 3.0.4, Encoding Object). */
function findPartViolations(
  by: Checking,
  { encoding = {} }: Content,
  { name, mediaType, headers }: SentPart,
): Violation[] {
  const own = Object.hasOwn(encoding, name) ? encoding[name] : undefined;
  if (own === undefined) return [];
  const at = { part: 'body', pointer: `/${escapePointer(name)}` } as const;
  const inHeaders = (own.headers ?? []).flatMap((header) =>
    findHeaderViolations(by, header, headers, { ...at, pointer: `${at.pointer}/${header.name.toLowerCase()}` }),
  );
  const wanted = own.mediaType?.split(',').map((each) => each.trim()) ?? [];
  // Most clients label only files.
  const isWanted = mediaType === undefined || wanted.length === 0;
  if (isWanted || wanted.some((range) => coversMediaType(range, mediaType))) return inHeaders;
  const expected = wanted.join(' or ');
  const message = `body/${name} must be sent as ${expected}, but is sent as ${mediaType}`;
  const found = { rule: 'contentType', expected, actual: mediaType, contractPointer: `${own.pointer}/contentType` };
  return [...inHeaders, createViolation(by.document, { ...at, ...found, message })];
}

type ValidateValue = (schemaPointer: string, value: unknown, at?: Place) => Violation[];

function validateBy(document: SourceDocument, compile: (pointer: string) => ValidateFunction): ValidateValue {
  return (pointer, data, at = { part: 'body', pointer: '' }) => {
    const validate = compile(pointer);
    const isLong = Array.isArray(data) && data.length > MOST_AT_ONCE && isPlainList(document, pointer);
    const [errors, length] = [collectErrors(document), isLong ? data.length : 1];
    for (let from = 0; from < length; from += MOST_AT_ONCE) {
      const isValid = validateWithinSteps(validate, isLong ? data.slice(from, from + MOST_AT_ONCE) : data);
      if (isValid === undefined) return [describeEndless(document, pointer, at)];
      if (!isValid) errors.add(validate.errors as ErrorObject[], from);
    }
    return errors.translate(at);
  };
}

/** Ajv keeps all errors of what it is given, and those of a hundred thousand items fill the memory. */
const MOST_AT_ONCE = 500;

function describeEndless(document: SourceDocument, contractPointer: string, at: Place): Violation {
  const expected = 'nested less deeply, since the alternatives of its schema contain each other';
  const message = `${at.part}${at.pointer} must be ${expected}: its validation takes too many steps`;
  const found = { rule: 'oneOf', expected, actual: 'a deep value', message };
  return createViolation(document, { ...at, ...found, contractPointer });
}

/** What a schema can say of a list without regard to how many items it has or which stand beside which. */
const OF_EACH_ITEM = new Set(['$ref', 'type', 'items', 'title', 'description', 'example', 'examples', 'default']);

/** Whether a list keeps the schema at a pointer where each part of it does. */
function isPlainList(document: SourceDocument, pointer: string): boolean {
  const schema = asObject(document.at(pointer));
  if (!Object.keys(schema).every((key) => OF_EACH_ITEM.has(key))) return false;
  if (schema['items'] !== undefined) return true;
  const target = pointerOf(referenceOf(schema) ?? '');
  // A chain that comes back to where it was leads to no items.
  return target !== undefined && resolveAt(document, target).value !== undefined && isPlainList(document, target);
}
