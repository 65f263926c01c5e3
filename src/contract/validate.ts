import { type Compilers, validateWithinSteps } from './schemas/compile-schemas.js';
import { escapePointer, type SourceDocument } from './document/document.js';
import { requireForValidators } from './schemas/ajv-keywords.js';
import { findSequenceKind, readSequence, coversMediaType, findContent } from './media-types.js';
import { parseJson } from './document/json.js';
import type { SentPart } from './forms.js';
import type { ApiResponse } from './message.js';
import { leavesSuccessOpen, findResponse, isClientsOwn } from './operations/operations.js';
import type { Content, Operation, ResponseHeader, ResponseRule } from './model.js';
import type { ParameterReading } from './parameters.js';
import { readText } from './read-text.js';
import {
  createViolation,
  type MessagePart,
  type Violation,
  collectErrors,
  translateErrors,
} from './schemas/violation.js';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { asObject } from './document/plain.js';
import { pointerOf, referenceOf, resolveAt } from './document/references.js';

/** Checks the parts of messages against the contract. Every list is empty when the part keeps it. */
export interface Validator {
  /** Path, query and header values, in the order of the contract; header fields that clients send unasked only have to be there. */
  parameters(operation: Operation, reading: ParameterReading): Violation[];
  /** A parsed request body, sent as a media type; of a multipart body also its parts. */
  requestBody(operation: Operation, mediaType: string, value: unknown, parts?: readonly SentPart[]): Violation[];
  /** Status, content type and body of a response. */
  response(operation: Operation, response: ApiResponse): Violation[];
  /** The header fields of a response against those that the contract describes. */
  headers(rule: ResponseRule, headers: ApiResponse['headers']): Violation[];
  /** A value against the schema at a JSON Pointer into the contract. */
  value: ValidateValue;
  /** Compiles everything now, so that every schema that cannot be used is noted. */
  compileAll(): void;
}

interface ValidatorOptions {
  document: SourceDocument;
  operations: readonly Operation[];
  /** Asked for when a schema is needed that is not precompiled. */
  createCompilers: () => Compilers;
}

export function createValidator({ document, operations, createCompilers }: ValidatorOptions): Validator {
  let lazily: Compilers | undefined;
  const compilers = (): Compilers => (lazily ??= createCompilers());
  const ready = document.createValidators?.(requireForValidators);
  const value = validateBy(document, (pointer) => ready?.answers[pointer] ?? compilers().answers.compile(pointer));
  const sentValue = validateBy(
    document,
    (pointer) => ready?.requests[pointer] ?? compilers().requests.compile(pointer),
  );

  return {
    value,
    parameters: (operation, reading) => findParameterViolations(document, operation, reading, sentValue),
    requestBody(operation, mediaType, data, parts = []) {
      const content = findContent(operation.requestBody?.content ?? [], mediaType);
      if (content === undefined) return [];
      const inParts = parts.flatMap((part) => findPartViolations(document, content, part, sentValue));
      return [...validateContent(document, content, data, sentValue), ...inParts];
    },
    headers: (rule, headers) => findAllHeaderViolations(document, rule, headers, value),
    response: (operation, response) => findResponseViolations(document, operation, response, value),
    compileAll() {
      const made = compilers();
      for (const pointer of operations.flatMap(listRequestSchemas)) made.requests.compile(pointer);
      for (const pointer of operations.flatMap(listResponseSchemas)) made.answers.compile(pointer);
    },
  };
}

/** The schemas of what an operation is sent. */
export function listRequestSchemas({ parameters, requestBody }: Operation): string[] {
  return [
    ...parameters.flatMap(({ schemaPointer }) => schemaPointer ?? []),
    ...listContentSchemas(requestBody?.content ?? []),
  ];
}

/** The schemas of what an operation answers. */
export function listResponseSchemas({ responses }: Operation): string[] {
  return responses.flatMap(({ headers, content }) => [
    ...headers.flatMap(({ schemaPointer }) => schemaPointer ?? []),
    ...listContentSchemas(content),
  ]);
}

function listContentSchemas(content: readonly Content[]): string[] {
  return content.flatMap(({ schemaPointer, itemPointer }) => [schemaPointer ?? [], itemPointer ?? []].flat());
}

function findParameterViolations(
  document: SourceDocument,
  operation: Operation,
  reading: ParameterReading,
  validate: ValidateValue,
): Violation[] {
  const violations: Violation[] = [];
  for (const parameter of operation.parameters) {
    const { in: part, name, schemaPointer, pointer, required } = parameter;
    const at = { part, pointer: `/${name}` };
    const given = reading[part][name];
    if (given !== undefined) {
      if (schemaPointer === undefined || (part === 'header' && isClientsOwn(name))) continue;
      violations.push(...validate(schemaPointer, given, at));
    } else if (
      required &&
      !reading.badEscapes.some((bad) => bad.name === name) &&
      !(part === 'query' && reading.empty.includes(name))
    ) {
      violations.push(describeMissing(document, at, `${pointer}/required`));
    }
  }
  return violations;
}

interface Place {
  part: MessagePart;
  pointer: string;
}

function describeMissing(document: SourceDocument, at: Place, contractPointer: string): Violation {
  return createViolation(document, {
    ...at,
    rule: 'required',
    expected: 'present',
    actual: 'nothing',
    message: `${at.part}${at.pointer} is required`,
    contractPointer,
  });
}

function findResponseViolations(
  document: SourceDocument,
  operation: Operation,
  response: ApiResponse,
  validate: ValidateValue,
): Violation[] {
  const rule = findResponse(operation, response.status);
  if (rule === undefined)
    return response.status >= 200 && response.status < 300 && leavesSuccessOpen(operation)
      ? []
      : [describeUndocumentedStatus(document, operation, response)];
  const inBody = findBodyViolations(document, rule, response, validate);
  if (rule.headers.length === 0) return inBody;
  return [...findAllHeaderViolations(document, rule, response.headers, validate), ...inBody];
}

function findAllHeaderViolations(
  document: SourceDocument,
  rule: ResponseRule,
  headers: ApiResponse['headers'],
  validate: ValidateValue,
): Violation[] {
  return rule.headers.flatMap((header) => findHeaderViolations(document, header, headers, validate));
}

function findBodyViolations(
  document: SourceDocument,
  rule: ResponseRule,
  response: ApiResponse,
  validate: ValidateValue,
): Violation[] {
  if (response.body === undefined)
    return rule.content.length === 0 || hasNoContent(response.status) ? [] : [describeMissingBody(document, rule)];
  const content = findContent(rule.content, response.headers['Content-Type']);
  if (content === undefined) return [describeWrongContentType(document, rule, response)];
  const violations = validateContent(document, content, response.body.value, validate);
  // What a text of XML or CSV stands for is not known; where its schema is that of a text, it is.
  const isUnread = response.body.isAsWritten === true && violations.some((each) => !OF_TEXTS.has(each.rule));
  return isUnread ? [] : violations;
}

/** A body, and each item of one that is a sequence: its schema, if it has one, describes the list of all of them. */
function validateContent(
  document: SourceDocument,
  { mediaType, schemaPointer, itemPointer }: Content,
  data: unknown,
  validate: ValidateValue,
): Violation[] {
  const kind = itemPointer === undefined ? undefined : findSequenceKind(mediaType);
  const value = kind !== undefined && typeof data === 'string' ? readSequence(data, kind) : data;
  const whole = schemaPointer === undefined ? [] : validate(schemaPointer, value);
  if (itemPointer === undefined || !Array.isArray(value)) return whole;
  const inItems = value.flatMap((item: unknown, index) => {
    const at = { part: 'body' as const, pointer: `/${index}` };
    if (item !== undefined) return validate(itemPointer, item, at);
    const message = `body/${index} must be JSON`;
    const told = { rule: 'itemSchema', expected: 'JSON', actual: 'another text', message };
    return [createViolation(document, { ...at, ...told, contractPointer: itemPointer })];
  });
  return [...whole, ...inItems];
}

const OF_TEXTS = new Set(['minLength', 'maxLength', 'pattern', 'format', 'enum', 'const']);

/** Whatever the contract says: HTTP has none (RFC 9110 sections 15.3.5, 15.3.6 and 15.4.5). */
export function hasNoContent(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}

function findHeaderViolations(
  document: SourceDocument,
  header: ResponseHeader,
  headers: ApiResponse['headers'],
  validate: ValidateValue,
  at: Place = { part: 'header', pointer: `/${header.name.toLowerCase()}` },
): Violation[] {
  const sent = Object.entries(headers).find(([name]) => name.toLowerCase() === header.name.toLowerCase())?.[1];
  if (sent !== undefined) {
    const parsed = header.style === 'json' ? parseJson(sent) : undefined;
    if (parsed?.ok === false) return [describeNoJson(document, header, { ...at, problem: parsed.problem.message })];
    return header.schemaPointer === undefined ? [] : validate(header.schemaPointer, readText(sent, header), at);
  }
  if (!header.required) return [];
  return [describeMissing(document, at, `${header.pointer}/required`)];
}

function describeNoJson(
  document: SourceDocument,
  { pointer }: ResponseHeader,
  { problem, ...at }: Place & { problem: string },
): Violation {
  return createViolation(document, {
    ...at,
    rule: 'content',
    expected: 'JSON',
    actual: problem,
    message: `${at.part}${at.pointer} must be JSON, but ${problem}`,
    contractPointer: `${pointer}/content`,
  });
}

/** A part whose media type or header fields are not those of its encoding (OpenAPI 3.0.4, Encoding Object). */
function findPartViolations(
  document: SourceDocument,
  { encoding = {} }: Content,
  { name, mediaType, headers }: SentPart,
  validate: ValidateValue,
): Violation[] {
  const own = Object.hasOwn(encoding, name) ? encoding[name] : undefined;
  if (own === undefined) return [];
  const inHeaders = (own.headers ?? []).flatMap((header) => {
    const at = { part: 'body' as const, pointer: `/${escapePointer(name)}/${header.name.toLowerCase()}` };
    return findHeaderViolations(document, header, headers, validate, at);
  });
  const wanted = own.mediaType?.split(',').map((each) => each.trim()) ?? [];
  // Most clients label only files.
  const isWanted = mediaType === undefined || wanted.length === 0;
  if (isWanted || wanted.some((range) => coversMediaType(range, mediaType))) return inHeaders;
  const expected = wanted.join(' or ');
  const part = createViolation(document, {
    part: 'body',
    pointer: `/${escapePointer(name)}`,
    rule: 'contentType',
    expected,
    actual: mediaType,
    message: `body/${name} must be sent as ${expected}, but is sent as ${mediaType}`,
    contractPointer: `${own.pointer}/contentType`,
  });
  return [...inHeaders, part];
}

function describeUndocumentedStatus(document: SourceDocument, operation: Operation, response: ApiResponse): Violation {
  const expected = `one of ${operation.responses.map(({ status }) => status).join(', ')}`;
  const actual = String(response.status);
  const message = `the status ${actual} is not documented for ${operation.id}; it documents ${expected.slice(7)}`;
  return createViolation(document, {
    part: 'status',
    pointer: '',
    rule: 'responses',
    expected,
    actual,
    message,
    contractPointer: `${operation.pointer}/responses`,
  });
}

function describeMissingBody(document: SourceDocument, rule: ResponseRule): Violation {
  const expected = `a body of ${rule.content.map(({ mediaType }) => mediaType).join(' or ')}`;
  return createViolation(document, {
    part: 'body',
    pointer: '',
    rule: 'content',
    expected,
    actual: 'nothing',
    message: `the response ${rule.status} has no body`,
    contractPointer: `${rule.pointer}/content`,
  });
}

function describeWrongContentType(document: SourceDocument, rule: ResponseRule, response: ApiResponse): Violation {
  const expected = rule.content.map(({ mediaType }) => mediaType).join(' or ') || 'no body';
  const actual = response.headers['Content-Type'] ?? 'nothing';
  return createViolation(document, {
    part: 'header',
    pointer: '/content-type',
    rule: 'content',
    expected,
    actual,
    message: `header/content-type must be ${expected}, but is ${actual}`,
    contractPointer: `${rule.pointer}/content`,
  });
}

type ValidateValue = (
  schemaPointer: string,
  value: unknown,
  at?: { part: MessagePart; pointer: string },
) => Violation[];

function validateBy(document: SourceDocument, compile: (pointer: string) => ValidateFunction): ValidateValue {
  return (pointer, data, at = { part: 'body', pointer: '' }) => {
    const validate = compile(pointer);
    if (Array.isArray(data) && data.length > MOST_AT_ONCE && isPlainList(document, pointer)) {
      const errors = validateInSlices(data, validate, document);
      return errors === undefined ? [describeEndless(document, pointer, at)] : errors.translate(at);
    }
    const isValid = validateWithinSteps(validate, data);
    if (isValid === undefined) return [describeEndless(document, pointer, at)];
    return isValid ? [] : translateErrors(document, at, validate.errors as ErrorObject[]);
  };
}

/** Ajv keeps all errors of what it is given, and those of a hundred thousand items fill the memory. */
const MOST_AT_ONCE = 500;

function validateInSlices(
  list: readonly unknown[],
  validate: ValidateFunction,
  document: SourceDocument,
): ReturnType<typeof collectErrors> | undefined {
  const errors = collectErrors(document);
  for (let from = 0; from < list.length; from += MOST_AT_ONCE) {
    const isValid = validateWithinSteps(validate, list.slice(from, from + MOST_AT_ONCE));
    if (isValid === undefined) return undefined;
    if (!isValid) errors.add(validate.errors as ErrorObject[], from);
  }
  return errors;
}

function describeEndless(
  document: SourceDocument,
  contractPointer: string,
  at: { part: MessagePart; pointer: string },
): Violation {
  const expected = 'nested less deeply, since the alternatives of its schema contain each other';
  const where = `${at.part}${at.pointer}`;
  const message = `${where} must be ${expected}: its validation takes too many steps`;
  return createViolation(document, {
    ...at,
    rule: 'oneOf',
    expected,
    actual: 'a deep value',
    message,
    contractPointer,
  });
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
