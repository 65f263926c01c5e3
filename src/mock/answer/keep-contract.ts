import type { Contract } from '../../contract/contract.js';
import { readDialect } from '../../contract/schemas/dialect.js';
import { listExamples } from '../../contract/schemas/examples.js';
import { isJsonMediaType } from '../../contract/media-types.js';
import type { ApiResponse } from '../../contract/message.js';
import { findResponse } from '../../contract/operations/operations.js';
import type { Content, Operation, ResponseRule } from '../../contract/model.js';
import { sampleValue } from '../../contract/samples/sample.js';
import type { Violation } from '../../contract/schemas/violation.js';
import { mergeSchemas } from '../../contract/schemas/merged-schema.js';
import { fillError, type ErrorWords } from './fill-error.js';
import { isRefusal } from './refusals.js';
import { sampleHeaders } from './sample-headers.js';
import { narrowMediaType, writeBody } from './write-body.js';
import { copyJson } from '../../contract/document/json.js';

/**
 * What an answer violates: the operation's own rules, or those of the Error body if
 * no operation was found, or if the operation does not document this error.
 */
export function findBrokenRules(
  response: ApiResponse,
  operation: Operation | undefined,
  { validate, errorSchemaPointer }: Contract,
): Violation[] {
  if (operation !== undefined && !isUnsaid(response, operation)) return validate.response(operation, response);
  if (response.body === undefined || errorSchemaPointer === undefined) return [];
  return validate.value(errorSchemaPointer, response.body.value);
}

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

/** Whether the document describes errors with fields of its own: its clients would not read ours, even if it allows them. */
export function hasOwnErrors(response: ApiResponse, operation: Operation, { document }: Contract): boolean {
  if (!isRefusal(response)) return false;
  const rule = findResponse(operation, response.status);
  const pointer = rule?.content.find(({ mediaType }) => isJsonMediaType(mediaType))?.schemaPointer;
  if (rule === undefined || pointer === undefined) return false;
  const known = ownErrors.get(rule);
  if (known !== undefined) return known;
  const { properties } = mergeSchemas(document, readDialect(document.root), [pointer]);
  const isOwn = properties.size > 0 && !properties.has('message');
  ownErrors.set(rule, isOwn);
  return isOwn;
}

const ownErrors = new WeakMap<ResponseRule, boolean>();

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
  const { errorSchemaPointer: schemaPointer } = contract;
  if (operation !== undefined && !isUnsaid(response, operation)) return findResponse(operation, response.status);
  if (schemaPointer === undefined) return undefined;
  const content: Content = { mediaType: 'application/json', schemaPointer, shape: { types: [] } };
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
  if (typeof base !== 'object' || base === null || Array.isArray(base)) {
    return [words.message, base].filter(isRight).map(write)[0];
  }
  if (!isRight(base)) return undefined;
  const body = copyJson(base) as Record<string, unknown>;
  if (fillError(body, words, () => isRight(body))) return write(body);
  for (const name of ['code', 'message', 'status']) {
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
