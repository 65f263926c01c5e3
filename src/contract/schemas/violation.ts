import type { ErrorObject, ValidateFunction } from 'ajv';
import type { SourcePlace } from '../../errors.js';
import { escapePointer, type SourceDocument, readOnce } from '../document/document.js';
import {
  COMPOSITIONS,
  listIn,
  splitPointer,
  showPointer,
  pointerOf,
  referenceOf,
  resolveAt,
} from '../document/references.js';
import { printJson, shorten, parseJson } from '../document/json.js';
import { asObject, asList, groupBy, remember } from '../document/plain.js';
import { SOURCE_POINTER } from './dialect.js';
import { type Compilers, validateWithinSteps, requireForValidators } from './compile-schemas.js';
import { findSequenceKind, readSequence, coversMediaType, findContent } from '../media-types.js';
import type { SentPart } from '../forms.js';
import type { ApiResponse, Content, Operation, ResponseHeader, ResponseRule } from '../model.js';
import { leavesSuccessOpen, findResponse, isClientsOwn } from '../operations/operations.js';
import { type ParameterReading, readText } from '../parameters.js';

export type MessagePart = 'path' | 'query' | 'header' | 'cookie' | 'body' | 'status';

export interface Violation {
  /** Part and JSON Pointer (RFC 6901) in one: `body/categoryId`, `query/limit`. */
  at: string;
  part: MessagePart;
  /** JSON Pointer into the part: `/categoryId`; `''` for the whole of it. */
  pointer: string;
  rule: string;
  expected: string;
  actual: string;
  /** The whole as a sentence without a full stop: `body/categoryId is required`. */
  message: string;
  contract: ContractPlace;
  /** How many more of the same kind the message has, which are not listed; absent if there are none. */
  more?: number;
}

export interface ContractPlace extends SourcePlace {
  /** JSON Pointer into the file. */
  pointer: string;
}

export function createViolation(
  document: SourceDocument,
  { contractPointer, ...broken }: Omit<Violation, 'at' | 'contract' | 'more'> & { contractPointer: string },
): Violation {
  return { at: `${broken.part}${broken.pointer}`, ...broken, contract: placeIn(document, contractPointer) };
}

export const placeIn = (document: SourceDocument, pointer: string): ContractPlace => ({
  ...document.placeOf(pointer),
  pointer: splitPointer(pointer).within,
});

const MOST_ALIKE = 20;

export function collectErrors(document: SourceDocument): {
  add(errors: readonly ErrorObject[], from?: number): void;
  translate(at: { part: MessagePart; pointer: string }): Violation[];
} {
  const kept: ErrorObject[] = [];
  const counts = new Map<string, number>();
  const lasts = new Map<ErrorObject, string>();
  // What of an alternative is for null alone, and what only repeats others, says nothing.
  const saysNothing = ({ keyword, schema, schemaPath }: ErrorObject): boolean =>
    keyword === 'if' ||
    keyword === 'propertyNames' ||
    (schema === 'null' && /\/(?:anyOf|oneOf)\/\d+\/type$/.test(schemaPath));
  return {
    add(errors, from = 0) {
      const telling = errors.filter((error) => !saysNothing(error));
      const reported = reportByDiscriminator(telling, document);
      for (const error of reported.length > 0 ? reported : errors) {
        const rule = `${error.schemaPath} ${missingIn(error)}`;
        const count = (counts.get(rule) ?? 0) + 1;
        counts.set(rule, count);
        if (count > MOST_ALIKE) continue;
        if (count === MOST_ALIKE) lasts.set(error, rule);
        if (from > 0)
          error.instancePath = error.instancePath.replace(/^\/(\d+)/, (_, index: string) => `/${Number(index) + from}`);
        kept.push(error);
      }
    },
    translate: ({ part, pointer: outer }) =>
      kept.map((error) => {
        const { rule, at, expected, actual } = translateFinding(error);
        const pointer = outer + at;
        const where = `${part}${pointer}`;
        const message = rule === 'required' ? `${where} is required` : `${where} must be ${expected}, but is ${actual}`;
        const source = error.parentSchema?.[SOURCE_POINTER] as unknown;
        const contractPointer = typeof source === 'string' ? `${source}/${escapePointer(rule)}` : '';
        const found = { part, pointer, rule, expected, actual, message, contractPointer };
        const more = (counts.get(lasts.get(error) ?? '') ?? 0) - MOST_ALIKE;
        return Object.assign(createViolation(document, found), more > 0 ? { more } : {});
      }),
  };
}

const missingIn = ({ params }: ErrorObject): string => String((params as { missingProperty?: string }).missingProperty);

export const describeViolation = ({ message, more }: Violation): string =>
  more === undefined ? message : `${message} (and ${more} more of this kind)`;

/** What one of Ajv's errors says, independently of any document: the rule, where in the value, what was expected and found. */
export function translateFinding(error: ErrorObject): { rule: string; at: string; expected: string; actual: string } {
  const params = error.params as Record<string, unknown>;
  const rule = typeof params['rule'] === 'string' ? params['rule'] : error.keyword;
  const undefinedName = {
    additionalProperties: params['additionalProperty'],
    unevaluatedProperties: params['unevaluatedProperty'],
  }[error.keyword];
  const name = error.keyword === 'required' ? params['missingProperty'] : undefinedName;
  const shown: unknown = typeof undefinedName === 'string' ? asObject(error.data)[undefinedName] : error.data;
  const described = DESCRIPTIONS[error.keyword]?.(params) ?? (error.message ?? error.keyword).replace(/^must be /, '');
  return {
    rule,
    at: error.instancePath + (typeof name === 'string' ? `/${escapePointer(name)}` : ''),
    expected: error.propertyName === undefined ? described : `an object of which each name is ${described}`,
    actual: rule === 'required' ? 'nothing' : shorten(shown),
  };
}

const UNDEFINED = ['additionalProperties', 'unevaluatedProperties'];
const DESCRIPTIONS: Record<string, (params: Record<string, unknown>) => string> = {
  required: () => 'present',
  type: ({ type }) =>
    [type]
      .flat()
      .map((name) => (name === 'null' ? 'null' : `${/^[aeio]/.test(String(name)) ? 'an' : 'a'} ${String(name)}`))
      .join(' or '),
  enum: ({ allowedValues }) => `one of ${(allowedValues as unknown[]).map(printJson).join(', ')}`,
  const: ({ allowedValue }) => printJson(allowedValue),
  exactNumber: ({ expected }) => String(expected),
  minimum: ({ limit }) => `at least ${String(limit)}`,
  maximum: ({ limit }) => `at most ${String(limit)}`,
  minLength: ({ limit }) => `at least ${String(limit)} characters long`,
  maxLength: ({ limit }) => `at most ${String(limit)} characters long`,
  minItems: ({ limit }) => `an array of at least ${String(limit)} items`,
  maxItems: ({ limit }) => `an array of at most ${String(limit)} items`,
  uniqueItems: () => 'an array without equal items',
  contains: ({ minContains }) => `an array with at least ${String(minContains)} of the items that it must contain`,
  minProperties: ({ limit }) => `an object of at least ${String(limit)} fields`,
  maxProperties: ({ limit }) => `an object of at most ${String(limit)} fields`,
  dependentRequired: ({ property, missingProperty }) =>
    `an object that has ${String(missingProperty)} if it has ${String(property)}`,
  pattern: ({ pattern }) => `a text that matches ${String(pattern)}`,
  format: ({ format }) => `a valid ${String(format)}`,
  oneOf: ({ passingSchemas }) =>
    passingSchemas === null
      ? 'a value that one of its alternatives describes'
      : 'a value that exactly one of its alternatives describes',
  anyOf: () => 'a value that one of its alternatives describes',
  not: () => 'something else',
  ...Object.fromEntries(UNDEFINED.map((name) => [name, () => 'absent, since the contract does not define it'])),
};

type Alternative = { parts: ReadonlySet<string>; names: string[] };

/** One violation for the alternative that a discriminator names (OpenAPI 3.1.1, Discriminator Object). */
function reportByDiscriminator(errors: readonly ErrorObject[], document: SourceDocument): ErrorObject[] {
  const reported: ErrorObject[] = [];
  for (const error of errors) {
    const { keyword, parentSchema, instancePath } = error;
    if ((keyword !== 'oneOf' && keyword !== 'anyOf') || parentSchema?.['discriminator'] === undefined) {
      reported.push(error);
      continue;
    }
    // Ajv reports what is wrong inside the alternatives right before them, so no error is looked at for each of a list.
    let start = reported.length;
    while (start > 0 && reported[start - 1]?.instancePath.startsWith(instancePath) === true) start -= 1;
    for (const each of reportChosen([...reported.splice(start), error], error, document)) reported.push(each);
  }
  return reported;
}

function reportChosen(errors: ErrorObject[], error: ErrorObject, document: SourceDocument): ErrorObject[] {
  const { parentSchema = {}, keyword, data } = error;
  const { propertyName, mapping } = asObject(parentSchema['discriminator']);
  const listed = asList(parentSchema[keyword]).filter((each) => asObject(each)['type'] !== 'null');
  const alternatives = readAlternatives(listed, asObject(mapping), document);
  if (typeof propertyName !== 'string' || alternatives === undefined) return errors;
  const name = asObject(data)[propertyName];
  const chosen = alternatives.find(({ names }) => names.some((each) => each === name));
  const isOfAnother = (other: ErrorObject): boolean =>
    other.instancePath.startsWith(error.instancePath) &&
    alternatives.some((each) => each !== chosen && isBelow(other, each)) &&
    !(chosen !== undefined && isBelow(other, chosen));
  // What several alternatives refer to is validated in each of them.
  const own = errors.filter((other) => other !== error && !isOfAnother(other));
  const byRule = groupBy(own, (each) =>
    [each.instancePath, each.keyword, missingIn(each), String(each.parentSchema?.[SOURCE_POINTER])].join('\n'),
  );
  const left = [...byRule.values()].flatMap(([first]) => first ?? []);
  if (chosen !== undefined && left.some((other) => isBelow(other, chosen))) return left;
  if (chosen !== undefined) return [...left, error];
  if (name === undefined)
    return [...left, { ...error, keyword: 'required', params: { missingProperty: propertyName } }];
  const instancePath = `${error.instancePath}/${escapePointer(propertyName)}`;
  const params = { allowedValues: alternatives.flatMap((each) => each.names) };
  return [...left, { ...error, keyword: 'enum', instancePath, data: name, params }];
}

function readAlternatives(list: readonly unknown[], mapping: Record<string, unknown>, document: SourceDocument) {
  const pointers = list.map((schema) => pointerOf(referenceOf(schema) ?? '') ?? '');
  if (pointers.includes('')) return undefined;
  return pointers.map((pointer) => {
    const shown = showPointer(pointer).replace(/#$/, '');
    // A mapping names a schema by its bare name, or as a reference would.
    const isNamed = (target: string): boolean => {
      const reference = target.replace(/^\.\//, '');
      if (pointer.endsWith(`/schemas/${escapePointer(target)}`)) return true;
      // Only a whole name counts: `bobcat.yaml` does not end with the name `cat.yaml`.
      return shown === reference || shown.endsWith(reference.startsWith('#') ? reference : `/${reference}`);
    };
    const mapped = Object.keys(mapping).filter((name) => typeof mapping[name] === 'string' && isNamed(mapping[name]));
    const names = mapped.length > 0 ? mapped : [pointer.split('/').at(-1) ?? ''];
    return { parts: partsOf(document)(JSON.stringify([pointer, ...pointers])), names };
  });
}

function isBelow({ parentSchema }: ErrorObject, { parts }: Alternative): boolean {
  const source = parentSchema?.[SOURCE_POINTER] as unknown;
  if (typeof source !== 'string') return false;
  return [...parts].some((part) => source === part || source.startsWith(`${part}/`));
}

const MOST_PARTS = 200;

const partsOf = readOnce((document: SourceDocument) =>
  remember((names: string): ReadonlySet<string> => {
    const [pointer = '', ...alternatives] = JSON.parse(names) as string[];
    const parts = new Set([pointer]);
    const addReferences = (value: unknown): void => {
      const target = pointerOf(referenceOf(value) ?? '') ?? '';
      if (target !== '' && !alternatives.includes(target)) parts.add(target);
      if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) addReferences(each);
    };
    for (const part of parts) if (parts.size < MOST_PARTS) addReferences(document.at(part));
    return parts;
  }),
);

/** The properties that tell alternatives apart, in a schema and in the schemas that it consists of. */
export function listDiscriminators(document: SourceDocument, at: string, visited = new Set<string>()): string[] {
  const { value, pointer } = resolveAt(document, at);
  if (visited.has(pointer)) return [];
  visited.add(pointer);
  const schema = asObject(value);
  const { propertyName } = asObject(schema['discriminator']);
  const inside = listIn(schema, pointer, COMPOSITIONS).flatMap((part) => listDiscriminators(document, part, visited));
  return [...(typeof propertyName === 'string' ? [propertyName] : []), ...inside];
}

export interface Validator {
  parameters(operation: Operation, reading: ParameterReading): Violation[];
  requestBody(operation: Operation, mediaType: string, value: unknown, parts?: readonly SentPart[]): Violation[];
  response(operation: Operation, response: ApiResponse): Violation[];
  headers(rule: ResponseRule, headers: ApiResponse['headers']): Violation[];
  value: ValidateValue;
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
    parameters: (operation, reading) =>
      operation.parameters.flatMap(({ in: part, name, schemaPointer, pointer, required }) => {
        const at = { part, pointer: `/${name}` };
        const given = reading[part][name];
        if (given !== undefined) {
          const isUnchecked = schemaPointer === undefined || (part === 'header' && isClientsOwn(name));
          return isUnchecked ? [] : requests.validate(schemaPointer, given, at);
        }
        const isSent =
          reading.badEscapes.some((bad) => bad.name === name) || (part === 'query' && reading.empty.includes(name));
        return required && !isSent ? [describeMissing(requests, at, pointer)] : [];
      }),
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

const listContentSchemas = (content: readonly Content[]): string[] =>
  content.flatMap(({ schemaPointer, itemPointer }) => [schemaPointer ?? [], itemPointer ?? []].flat());

type Checking = { document: SourceDocument; validate: ValidateValue };
type Place = { part: MessagePart; pointer: string };

function describeMissing({ document }: Checking, at: Place, owner: string): Violation {
  const [message, contractPointer] = [`${at.part}${at.pointer} is required`, `${owner}/required`];
  const found = { rule: 'required', expected: 'present', actual: 'nothing' };
  return createViolation(document, { ...at, ...found, message, contractPointer });
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
    const message = `the response ${rule.status} has no body`;
    const found = { expected: `a body of ${types}`, actual: 'nothing', message };
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
export const hasNoContent = (status: number): boolean => status === 204 || status === 205 || status === 304;

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
function findPartViolations(by: Checking, { encoding = {} }: Content, { name, mediaType, headers }: SentPart) {
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

const OF_EACH_ITEM = new Set(['$ref', 'type', 'items', 'title', 'description', 'example', 'examples', 'default']);

function isPlainList(document: SourceDocument, pointer: string): boolean {
  const schema = asObject(document.at(pointer));
  if (!Object.keys(schema).every((key) => OF_EACH_ITEM.has(key))) return false;
  if (schema['items'] !== undefined) return true;
  const target = pointerOf(referenceOf(schema) ?? '');
  // A chain that comes back to where it was leads to no items.
  return target !== undefined && resolveAt(document, target).value !== undefined && isPlainList(document, target);
}
