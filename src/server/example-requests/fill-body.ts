import type { Contract } from '../../contract/contract.js';
import { printJson } from '../../contract/document/json.js';
import { asObject } from '../../contract/document/plain.js';
import { FORM, MULTIPART } from '../../contract/forms/media-types.js';
import type { Part } from '../../contract/forms/multipart.js';
import { listFormParts, writeForm } from '../../contract/forms/write-form.js';
import { isJsonMediaType } from '../../contract/media-types.js';
import type { Content, Operation } from '../../contract/model.js';
import { sampleValue } from '../../contract/samples/sample.js';
import { findExample } from '../../contract/schemas/examples.js';

/** A field of a form in parts, which clients write themselves. */
export interface WrittenField {
  name: string;
  value: string;
  /** As curl is told of it. */
  flag: '-F' | '--form-string';
  field: string;
}

export interface ShownBody {
  /** With the boundary of a form in parts. */
  mediaType: string;
  text: string;
  /** What it says, as JSON. */
  json: string;
  /** The fields of a form in parts; `undefined` of any other body. */
  form: readonly WrittenField[] | undefined;
}

/** So long may a body be that is to be pasted. */
const LONGEST_BODY = 300;

/** A body that the contract allows: its own example, or a made up one if that is broken or long. */
export function fillBody(
  operation: Operation,
  contract: Contract,
  settle: (body: unknown) => unknown,
): ShownBody | undefined {
  const content = chooseContent(operation);
  if (content === undefined) return undefined;
  const chosen = chooseBody(operation, content, contract);
  if (chosen === undefined) return undefined;
  const value = settle(chosen);
  const { mediaType } = content;
  const json = printJson(value);
  if (!isForm(mediaType)) return { mediaType, text: printBody(value, mediaType), json, form: undefined };
  const form = writeForm(asObject(value), content);
  const isInParts = form.mediaType !== mediaType;
  return {
    mediaType: form.mediaType,
    text: form.text,
    json,
    form: isInParts ? listFormParts(asObject(value), content).map(toWrittenField) : undefined,
  };
}

/** JSON, which is the easiest to read, else a form; none for a fetch, with which most clients can send no body. */
function chooseContent({ method, requestBody }: Operation): Content | undefined {
  if (method === 'GET' || method === 'HEAD' || (method === 'DELETE' && requestBody?.required !== true))
    return undefined;
  const content = requestBody?.content ?? [];
  return (
    content.find(({ mediaType }) => isJsonMediaType(mediaType)) ??
    content.find(({ mediaType }) => isForm(mediaType)) ??
    content[0]
  );
}

/**
 * The first body that the contract allows and that is short; else the first that it allows, else the first of all. Judging
 * one compiles its schema, so that no more are made and judged than it takes.
 */
function chooseBody(operation: Operation, content: Content, contract: Contract): unknown {
  let long: unknown;
  let first: unknown;
  for (const value of makeBodies(operation, content, contract)) {
    if (value === undefined) continue;
    first ??= value;
    if (contract.validate.requestBody(operation, content.mediaType, value).length > 0) continue;
    if (printJson(value).length <= LONGEST_BODY) return value;
    long ??= value;
  }
  return long ?? first;
}

function* makeBodies({ requestBody }: Operation, { schemaPointer }: Content, { document }: Contract): Generator {
  const stated = requestBody && findExample(document, { ...requestBody, status: '', headers: [] });
  yield stated?.value;
  if (schemaPointer === undefined) return;
  const least = sampleValue(document, schemaPointer);
  if (!isEmpty(least)) return yield least;
  const whole = sampleValue(document, schemaPointer, { optional: true });
  yield* listSmall(whole);
  yield least;
  yield whole;
}

/** A change that says nothing shows nothing, so it says one thing: of a whole record each plain field alone. */
function listSmall(whole: unknown): unknown[] {
  return Object.entries(asObject(whole))
    .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
    .map(([name, value]) => ({ [name]: value }));
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function printBody(value: unknown, mediaType: string): string {
  return typeof value === 'string' && !isJsonMediaType(mediaType) ? value : printJson(value);
}

function isForm(mediaType: string): boolean {
  return mediaType === FORM || mediaType === MULTIPART;
}

/** Curl gives some letters of a field a meaning: a file, or what is said about it. */
function toWrittenField({ name, value, mediaType }: Part): WrittenField {
  const isLiteral = /^[@<"]|[;\\]/.test(value);
  const type = isLiteral || mediaType === undefined ? '' : `;type=${mediaType}`;
  return { name, value, flag: isLiteral ? '--form-string' : '-F', field: `${name}=${value}${type}` };
}
