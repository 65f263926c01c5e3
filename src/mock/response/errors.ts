import { jsonBody, copyJson, printJson, cutText, isJsonNumber } from '../../contract/document/json.js';
import type { ApiResponse, ResponseHeaders, Content, Operation, ResponseRule } from '../../contract/model.js';
import type { Contract } from '../../contract/contract.js';
import { readDialect } from '../../contract/schemas/dialect.js';
import { listExamples } from '../../contract/schemas/examples.js';
import { isJsonMediaType, narrowMediaType } from '../../contract/media-types.js';
import { findResponse } from '../../contract/operations/operations.js';
import { sampleValue } from '../../contract/samples/sample.js';
import type { Violation } from '../../contract/schemas/violation.js';
import { mergeSchemas } from '../../contract/schemas/merged-schema.js';
import { sampleHeaders, writeBody } from './write-response.js';
import { parsePointer, readOnce } from '../../contract/document/document.js';
import { asObject } from '../../contract/document/plain.js';
import { resolveAt } from '../../contract/document/references.js';

const ERROR_CODES: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'unauthorized',
  402: 'payment_required',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  406: 'not_acceptable',
  408: 'request_timeout',
  409: 'conflict',
  410: 'gone',
  412: 'precondition_failed',
  413: 'body_too_large',
  415: 'unsupported_media_type',
  417: 'expectation_failed',
  421: 'misdirected_request',
  422: 'invalid_request',
  429: 'too_many_requests',
  431: 'headers_too_large',
  500: 'internal_error',
  501: 'not_implemented',
  502: 'bad_gateway',
  503: 'service_unavailable',
  504: 'gateway_timeout',
  507: 'store_full',
};

/** An error response with the contract's Error body (`#/components/schemas/Error`). */
export function createErrorResponse(status: number, message: string, headers: ResponseHeaders = {}): ApiResponse {
  const body = jsonBody({ code: errorCodeOf(status), message, status });
  return { status, headers: { 'Content-Type': 'application/json', ...headers }, body };
}

export function isOwnError({ status, body }: ApiResponse): boolean {
  const { code, message, status: repeated } = (body?.value ?? {}) as Record<string, unknown>;
  return status >= 400 && typeof code === 'string' && typeof message === 'string' && repeated === status;
}

export const errorCodeOf = (status: number): string =>
  ERROR_CODES[status] ?? (status < 500 ? 'invalid_request' : 'internal_error');

/** What a response violates: the operation's rules, or else those of the Error body. */
export function findBrokenRules(
  response: ApiResponse,
  operation: Operation | undefined,
  contract: Contract,
): Violation[] {
  const { validate } = contract;
  if (operation !== undefined && !isUndocumented(response, operation)) return validate.response(operation, response);
  const pointer = response.body === undefined ? undefined : findErrorContent(contract)?.schemaPointer;
  return pointer === undefined ? [] : validate.value(pointer, response.body?.value);
}

const findErrorContent = readOnce(({ document, operations, errorSchemaPointer }: Contract): Content | undefined => {
  if (errorSchemaPointer !== undefined)
    return { mediaType: 'application/json', schemaPointer: errorSchemaPointer, shape: { types: [] } };
  const errors = operations
    .flatMap(({ responses }) => responses.filter(({ status }) => /^(?:[45]|default)/i.test(status)))
    .flatMap(({ content }) => content.filter(({ mediaType }) => isJsonMediaType(mediaType)));
  const told = errors.map(({ schemaPointer }) =>
    schemaPointer === undefined ? '' : printJson(document.at(schemaPointer)),
  );
  return new Set(told).size === 1 && told[0] !== '' ? errors[0] : undefined;
});

export function isUndocumented({ status }: ApiResponse, operation: Operation | undefined): boolean {
  if (operation === undefined) return true;
  return status >= 400 && (findResponse(operation, status)?.content ?? []).length === 0;
}

const OF_ONE_MEANING = /^(?:40[1-9]|41[0-8]|42[13-9]|431|451)$/;

/** The documented status for an invalid request: 400, else 422, else a 4xx without another meaning. */
export function findDocumentedStatus(operation: Operation, status: number): number {
  if (status !== 400 || findResponse(operation, status) !== undefined) return status;
  if (findResponse(operation, 422) !== undefined) return 422;
  const other = operation.responses.find((rule) => /^4\d\d$/.test(rule.status) && !OF_ONE_MEANING.test(rule.status));
  return other === undefined ? status : Number(other.status);
}

const OURS = ['code', 'message', 'status'] as const;

/** Whether the document describes errors that lack a member of ours: its clients do not know that, even if it is allowed. */
export function hasOwnErrors(response: ApiResponse, operation: Operation | undefined, contract: Contract): boolean {
  if (!isOwnError(response)) return false;
  const rule = findErrorRule(response, operation, contract);
  const pointer = rule?.content.find(({ mediaType }) => isJsonMediaType(mediaType))?.schemaPointer;
  if (rule === undefined || pointer === undefined) return false;
  const members = listMembers(rule, pointer, contract);
  return members.size > 0 && OURS.some((name) => !members.has(name));
}

const members = new WeakMap<ResponseRule, ReadonlySet<string>>();

function listMembers(rule: ResponseRule, pointer: string, contract: Contract): ReadonlySet<string> {
  const known = members.get(rule);
  if (known !== undefined) return known;
  const { document } = contract;
  const { properties } = mergeSchemas(document, readDialect(document.root), [pointer]);
  const { oneOf, anyOf } = asObject(resolveAt(document, pointer).value);
  const isOpen = properties.size === 0 && (oneOf ?? anyOf) !== undefined;
  const sampled = isOpen ? listBases(rule, contract)[0]?.value : undefined;
  const isRecord = typeof sampled === 'object' && sampled !== null && !Array.isArray(sampled);
  const found = new Set(isRecord ? Object.keys(sampled) : properties.keys());
  members.set(rule, found);
  return found;
}

/** A rejection of ours in the body that the contract describes for it; `undefined` if there is no such body. */
export function fitError(
  response: ApiResponse,
  operation: Operation | undefined,
  contract: Contract,
  violations: readonly Violation[] = [],
): ApiResponse | undefined {
  const rule = findErrorRule(response, operation, contract);
  if (rule === undefined || !isOwnError(response)) return undefined;
  const needed = { ...rule, headers: rule.headers.filter(({ required }) => required) };
  const headers = { ...sampleHeaders(contract, needed, {}), ...response.headers };
  const words = { ...(response.body?.value as ErrorWords & Record<string, unknown>), violations };
  for (const { value, content } of listBases(rule, contract)) {
    const fitted = fill(value, content, { response: { ...response, headers }, operation, contract, words });
    if (fitted !== undefined) return fitted;
  }
  return undefined;
}

function findErrorRule(response: ApiResponse, operation: Operation | undefined, contract: Contract) {
  if (operation !== undefined && !isUndocumented(response, operation)) return findResponse(operation, response.status);
  const content = findErrorContent(contract);
  if (content === undefined) return undefined;
  const rule = errorRules.get(contract) ?? { status: 'default', content: [content], headers: [], pointer: '' };
  errorRules.set(contract, rule);
  return rule;
}

const errorRules = new WeakMap<Contract, ResponseRule>();

interface Filling {
  response: ApiResponse;
  operation: Operation | undefined;
  contract: Contract;
  words: ErrorWords & Record<string, unknown>;
}

function fill(base: unknown, content: Content, { response, operation, contract, words }: Filling) {
  const described = { document: contract.document, pointer: content.schemaPointer };
  const write = (value: unknown): ApiResponse => {
    const { body, type } = writeBody(value, narrowMediaType(content.mediaType, value), described);
    return { ...response, headers: { ...response.headers, 'Content-Type': type }, body };
  };
  const isRight = (value: unknown): boolean => findBrokenRules(write(value), operation, contract).length === 0;
  if (typeof base !== 'object' || base === null) return [words.message, base].filter(isRight).map(write)[0];
  if (!isRight(base)) return undefined;
  const body = copyJson(base) as Record<string, unknown>;
  if (fillError(body, words, () => isRight(body)) || Array.isArray(body)) return write(body);
  // Only where the document describes no member, ours are taken.
  for (const name of Object.keys(body).length === 0 ? OURS : []) {
    const fuller = { ...body, [name]: words[name] };
    if (isRight(fuller)) body[name] = words[name];
  }
  return write(body);
}

type Base = { value: unknown; content: Content };
const basesByRule = new WeakMap<ResponseRule, Base[]>();

function listBases(rule: ResponseRule, { document, validate }: Contract): Base[] {
  const found = basesByRule.get(rule);
  if (found !== undefined) return found;
  const content = rule.content.find(({ mediaType }) => isJsonMediaType(mediaType)) ?? rule.content[0];
  if (content === undefined) return [];
  const { mediaType, schemaPointer } = content;
  const accepts = (pointer: string, value: unknown): boolean => validate.value(pointer, value).length === 0;
  const sample = (optional: boolean): unknown =>
    schemaPointer === undefined
      ? {}
      : sampleValue(document, schemaPointer, { accepts, optional, without: 'writeOnly' });
  const values = [...listExamples(document, rule, { mediaType, name: undefined }), sample(true), sample(false)];
  // A schema without a statement gives no sample; our own fields, put into an empty object, may suit it.
  const bases = [...values, {}].filter((value) => value !== undefined).map((value) => ({ value, content }));
  basesByRule.set(rule, bases);
  return bases;
}

type ErrorWords = { message: string; code: string; status: number; violations: readonly Violation[] };

const MESSAGE_NAMES =
  'message detail errormessage errordescription errormsg msg description reason details errordetail text error'.split(
    ' ',
  );
const ONLY_NAMES = ['errors', 'faultstring'];
const LAST_RESORT = ['title'];
const STATUS_NAMES = ['status', 'statuscode', 'httpstatus', 'httpstatuscode', 'httpcode'];
const CODE_NAMES = ['code', 'errorcode'];

type Slot = { holder: Record<string, unknown>; key: string; plain: string; depth: number };

const MOST_DEEP = 4;

function fillError(body: unknown, words: ErrorWords, isRight: () => boolean): boolean {
  const slots = listSlots(body, 0);
  const { status, code, message } = words;
  const isText = (value: unknown): boolean => {
    const texts = [value].flat();
    return texts.length > 0 && texts.every((each) => typeof each === 'string');
  };
  if (Array.isArray(body) && isText(body))
    slots.push({ holder: body as unknown as Record<string, unknown>, key: '0', plain: 'message', depth: 0 });
  for (const slot of slots) {
    const known = slot.holder[slot.key];
    const isDigits = typeof known === 'string' && /^\d{3}$/.test(known);
    const number = isJsonNumber(known) ? status : isDigits ? String(status) : undefined;
    if (STATUS_NAMES.includes(slot.plain)) set(slot, number ?? status, isRight);
    if (!CODE_NAMES.includes(slot.plain) || set(slot, number ?? code, isRight) || number !== undefined) continue;
    // Where a document lists its codes, a general one is better than that of another status.
    const others = [code, ...(status < 500 ? GENERAL_CODES : []), ...LAST_CODES].flatMap((each) => {
      const camel = each.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
      const pascal = camel.charAt(0).toUpperCase() + camel.slice(1);
      return [each, each.toUpperCase(), each.replaceAll('_', '-'), camel, pascal];
    });
    others.some((each) => set(slot, each, isRight));
  }
  if (fillLocations(body, words, isRight)) return true;
  const isPlaced = (names: readonly string[]): boolean =>
    names.some((name) => {
      const named = slots.filter(({ plain, holder, key }) => plain === name && isText(holder[key]));
      return named.some((slot) => {
        const isList = Array.isArray(slot.holder[slot.key]);
        return [message.length, ...LENGTHS.filter((length) => length < message.length)].some((length) => {
          const text = cutText(message, length);
          return set(slot, isList ? [text] : text, isRight);
        });
      });
    });
  const others = slots.map(({ plain }) => plain).filter((plain) => ![...STATUS_NAMES, ...CODE_NAMES].includes(plain));
  return [MESSAGE_NAMES, ONLY_NAMES, LAST_RESORT, others].some(isPlaced);
}

const LENGTHS = [255, 200, 128, 100, 80, 64, 50, 40, 32, 30, 20];

const GENERAL_CODES =
  'bad_request invalid_request validation_error validation_failed invalid_argument client_error'.split(' ');
const LAST_CODES = 'internal_error internal_server_error server_error error unknown_error unknown other'.split(' ');

function set({ holder, key }: Slot, value: unknown, isRight: () => boolean): boolean {
  const before = holder[key];
  holder[key] = value;
  if (isRight()) return true;
  if (before === undefined) delete holder[key];
  else holder[key] = before;
  return false;
}

function listSlots(body: unknown, depth: number): Slot[] {
  if (typeof body !== 'object' || body === null || depth > MOST_DEEP) return [];
  if (Array.isArray(body)) return listSlots(body[0], depth + 1);
  const holder = body as Record<string, unknown>;
  const plain = (key: string): string => key.toLowerCase().replace(/[^a-z]/g, '');
  const own = Object.keys(holder).map((key) => ({ holder, key, plain: plain(key), depth }));
  return [...own, ...own.flatMap(({ key }) => listSlots(holder[key], depth + 1))].toSorted((a, b) => a.depth - b.depth);
}

/** FastAPI lists what is wrong as `{ loc: ['body', 'name'], msg, type }`. Returns whether the body has such a list. */
function fillLocations(
  body: unknown,
  { message, violations }: { message: string; violations: readonly Violation[] },
  isRight: () => boolean,
): boolean {
  const found = findList(body, 0);
  if (found === undefined) return false;
  const { holder, key, item } = found;
  const before = holder[key];
  const told =
    violations.length === 0
      ? [{ loc: ['body'], msg: message, type: OTHER }]
      : violations.map(({ part, pointer, rule, message: msg }) => {
          const steps = parsePointer(pointer).map((name) => (/^(?:0|[1-9]\d{0,8})$/.test(name) ? Number(name) : name));
          return { loc: [part, ...steps], msg, type: TYPES[rule] ?? OTHER };
        });
  holder[key] = told.map((each) => Object.assign({}, item, each));
  if (isRight()) return true;
  holder[key] = before;
  return false;
}

function findList(
  value: unknown,
  depth: number,
): { holder: Record<string, unknown>; key: string; item: object } | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth >= MOST_DEEP) return undefined;
  const holder = value as Record<string, unknown>;
  for (const [key, inside] of Object.entries(holder)) {
    const item: unknown = Array.isArray(inside) ? inside[0] : undefined;
    if (typeof item === 'object' && item !== null && Array.isArray((item as { loc?: unknown }).loc))
      return { holder, key, item };
    const below = findList(inside, depth + 1);
    if (below !== undefined) return below;
  }
  return undefined;
}

const TYPES: Readonly<Record<string, string>> = {
  required: 'missing',
  enum: 'enum',
  type: 'type_error',
  pattern: 'string_pattern_mismatch',
  minLength: 'string_too_short',
  maxLength: 'string_too_long',
  minItems: 'too_short',
  maxItems: 'too_long',
  minimum: 'greater_than_equal',
  maximum: 'less_than_equal',
  exclusiveMinimum: 'greater_than',
  exclusiveMaximum: 'less_than',
  additionalProperties: 'extra_forbidden',
};
const OTHER = 'value_error';
