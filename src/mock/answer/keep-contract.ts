import type { Contract } from '../../contract/contract.js';
import { readDialect } from '../../contract/schemas/dialect.js';
import { listExamples } from '../../contract/schemas/examples.js';
import { isJsonMediaType, narrowMediaType } from '../../contract/media-types.js';
import type { ApiResponse } from '../../contract/message.js';
import { findResponse } from '../../contract/operations/operations.js';
import type { Content, Operation, ResponseRule } from '../../contract/model.js';
import { sampleValue } from '../../contract/samples/sample.js';
import type { Violation } from '../../contract/schemas/violation.js';
import { mergeSchemas } from '../../contract/schemas/merged-schema.js';
import { fillError, type ErrorWords } from './fill-error.js';
import { isRefusal } from './refusals.js';
import { sampleHeaders } from './sample-headers.js';
import { writeBody } from './write-body.js';
import { copyJson, printJson } from '../../contract/document/json.js';
import { asObject } from '../../contract/document/plain.js';
import { resolveAt } from '../../contract/document/references.js';
import { readOnce } from '../../contract/document/document.js';

/**
 * What an answer violates: the operation's own rules, or those of the Error body if
 * no operation was found, or if the operation does not document this error.
 */
export function findBrokenRules(
  response: ApiResponse,
  operation: Operation | undefined,
  contract: Contract,
): Violation[] {
  const { validate } = contract;
  if (operation !== undefined && !isUnsaid(response, operation)) return validate.response(operation, response);
  const pointer = response.body === undefined ? undefined : findErrorContent(contract)?.schemaPointer;
  return pointer === undefined ? [] : validate.value(pointer, response.body?.value);
}

/** The Error body of the contract by its name; else that of every error in JSON, where they all have the same. */
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

/** Whether the operation does not document this error. */
export function isUnsaid({ status }: ApiResponse, operation: Operation | undefined): boolean {
  if (operation === undefined) return true;
  return status >= 400 && (findResponse(operation, status)?.content ?? []).length === 0;
}

/** Statuses with a meaning of their own that does not fit an invalid request. */
const OF_ONE_MEANING = /^(?:40[1-9]|41[0-8]|42[13-9]|431|451)$/;

/**
 * The status with which the document refuses an invalid request: 400, else 422, else a 4xx without another meaning.
 * Other refusals keep theirs.
 */
export function findDocumentedStatus(operation: Operation, status: number): number {
  if (status !== 400 || findResponse(operation, status) !== undefined) return status;
  if (findResponse(operation, 422) !== undefined) return 422;
  const other = operation.responses.find((rule) => /^4\d\d$/.test(rule.status) && !OF_ONE_MEANING.test(rule.status));
  return other === undefined ? status : Number(other.status);
}

const OURS = ['code', 'message', 'status'] as const;

/** Whether the document describes errors that lack a member of ours: its clients do not know that, even if it is allowed. */
export function hasOwnErrors(response: ApiResponse, operation: Operation | undefined, contract: Contract): boolean {
  if (!isRefusal(response)) return false;
  const rule = findErrorRule(response, operation, contract);
  const pointer = rule?.content.find(({ mediaType }) => isJsonMediaType(mediaType))?.schemaPointer;
  if (rule === undefined || pointer === undefined) return false;
  const members = listMembers(rule, pointer, contract);
  return members.size > 0 && OURS.some((name) => !members.has(name));
}

/** The members that a schema of errors describes; where it leaves that to alternatives, those of a sample. */
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

const members = new WeakMap<ResponseRule, ReadonlySet<string>>();

/**
 * A refusal of ours in the body that the contract describes for it: its example, or else a sample of its schema, with
 * the message in the field meant for it. What the operation does not document takes the Error
 * body. `undefined` for anything but a refusal, or if no such body can be made.
 */
export function fitRefusal(
  response: ApiResponse,
  operation: Operation | undefined,
  contract: Contract,
  violations: readonly Violation[] = [],
): ApiResponse | undefined {
  const rule = findErrorRule(response, operation, contract);
  if (rule === undefined || !isRefusal(response)) return undefined;
  const needed = { ...rule, headers: rule.headers.filter(({ required }) => required) };
  const headers = { ...sampleHeaders(contract, needed, {}), ...response.headers };
  const words = { ...(response.body?.value as ErrorWords & Record<string, unknown>), violations };
  for (const { value, content } of listBases(rule, contract)) {
    const fitted = fill(value, { content, response: { ...response, headers }, operation, contract, words });
    if (fitted !== undefined) return fitted;
  }
  return undefined;
}

function findErrorRule(
  response: ApiResponse,
  operation: Operation | undefined,
  contract: Contract,
): ResponseRule | undefined {
  if (operation !== undefined && !isUnsaid(response, operation)) return findResponse(operation, response.status);
  const content = findErrorContent(contract);
  if (content === undefined) return undefined;
  const rule = errorRules.get(contract) ?? { status: 'default', content: [content], headers: [], pointer: '' };
  errorRules.set(contract, rule);
  return rule;
}

/** One rule object for each contract, since the candidates are cached by rule. */
const errorRules = new WeakMap<Contract, ResponseRule>();

interface Filling {
  content: Content;
  response: ApiResponse;
  operation: Operation | undefined;
  contract: Contract;
  words: ErrorWords & Record<string, unknown>;
}

function fill(base: unknown, { content, response, operation, contract, words }: Filling): ApiResponse | undefined {
  const write = (value: unknown): ApiResponse => {
    const { schemaPointer: pointer, mediaType } = content;
    const { body, type } = writeBody(value, narrowMediaType(mediaType, value), {
      document: contract.document,
      pointer,
    });
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

const known = new WeakMap<ResponseRule, { value: unknown; content: Content }[]>();

/** The candidates to fill: for JSON, else for the first media type. */
function listBases(rule: ResponseRule, { document, validate }: Contract): { value: unknown; content: Content }[] {
  const found = known.get(rule);
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
  known.set(rule, bases);
  return bases;
}
