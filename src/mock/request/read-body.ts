import { actOn, type Profile } from '../../contract/gaps/gaps.js';
import { MAX_JSON_DEPTH, parseJsonBytes } from '../../contract/document/json.js';
import { bareMediaType, findContent, isJsonMediaType, FORM, MULTIPART } from '../../contract/media-types.js';
import type { ApiRequest } from '../../contract/message.js';
import { readParts, type SentPart, findTooDeep, readForm } from '../../contract/forms.js';
import type { Content, Operation, RequestBody } from '../../contract/model.js';
import type { QueryPair } from '../../contract/read-text.js';

/** A body that was read, or why that failed. */
export type BodyReading =
  | { kind: 'read'; mediaType: string; value: unknown; parts?: readonly SentPart[] }
  /** A body of a media type that the mock cannot parse, such as XML. */
  | { kind: 'unread'; mediaType: string }
  | { kind: 'none' }
  | { kind: 'rejected'; status: number; message: string };

const MEDIA_TYPE: Record<string, number | undefined> = { 'refused-415': 415, 'refused-400': 400, accepted: undefined };
const MALFORMED: Record<string, number> = { 'refused-400': 400, 'refused-422': 422 };
/** A profile may accept long bodies; above this size they are refused anyway. */
const TOO_LARGE: Record<string, number> = { 'refused-413': 413, 'refused-400': 400, accepted: 413 };
const MIB = 1024 * 1024;
const LONGEST: Record<string, number> = { 'refused-413': MIB, 'refused-400': MIB, accepted: 16 * MIB };

/** The largest number of bytes of a body that are read. */
export function longestBody(profile: Profile): number {
  return actOn(profile, 'body-too-large', LONGEST);
}

/** Reads the body of an operation that has one. In the petstore that is `application/json` (`#/paths/~1pets/post/requestBody`). */
export function readBody(operation: Operation, request: ApiRequest, profile: Profile): BodyReading {
  const rule = operation.requestBody;
  if (rule === undefined) return { kind: 'none' };
  if (request.bodyLongerThan !== undefined) {
    const status = actOn(profile, 'body-too-large', TOO_LARGE);
    return rejected(status, `the body is longer than ${request.bodyLongerThan} bytes`);
  }
  if (request.bodyHadNoRoom === true) return rejected(503, 'too many long bodies are being sent at once; try again');
  if (request.body === undefined || request.body.length === 0) return readNothing(operation, rule, request, profile);
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return rejected(415, `the body is sent with Content-Encoding: ${encoding}; send it uncompressed`);
  }
  return readMediaType(rule, request, request.body, profile);
}

function readNothing(operation: Operation, rule: RequestBody, request: ApiRequest, profile: Profile): BodyReading {
  const sentAs = request.headers['content-type'];
  // A form without fields has no bytes.
  const form = bareMediaType(sentAs) === FORM ? findContent(rule.content, sentAs) : undefined;
  if (form !== undefined) return { kind: 'read', mediaType: form.mediaType, value: {} };
  if (!rule.required) return { kind: 'none' };
  return rejected(actOn(profile, 'malformed-json', MALFORMED), `${operation.id} needs a body, and none was sent`);
}

function readMediaType(rule: RequestBody, request: ApiRequest, body: Uint8Array, profile: Profile): BodyReading {
  const header = request.headers['content-type'];
  const known = findContent(rule.content, header);
  const assumed = known ?? rule.content.find(({ mediaType }) => isJsonMediaType(mediaType)) ?? rule.content[0];
  if (known === undefined) {
    const status = actOn(profile, header === undefined ? 'missing-media-type' : 'wrong-media-type', MEDIA_TYPE);
    const sent = header === undefined ? 'without a Content-Type' : `as ${header}`;
    const expected = rule.content.map((content) => content.mediaType).join(' or ');
    if (status !== undefined) return rejected(status, `the body is sent ${sent}; send Content-Type: ${expected}`);
  }
  return parseBody(body, { content: assumed, sentAs: known === undefined ? undefined : header, profile });
}

/** `sentAs`: the `Content-Type` of the request; `undefined` if the contract does not have it. */
function parseBody(
  body: Uint8Array,
  { content, sentAs, profile }: { content: Content | undefined; sentAs: string | undefined; profile: Profile },
): BodyReading {
  const mediaType = content?.mediaType ?? '';
  const types = content?.shape.types ?? [];
  const format = bareMediaType(sentAs ?? mediaType);
  const malformed = (problem: string): BodyReading =>
    rejected(actOn(profile, 'malformed-json', MALFORMED), `body: ${problem}`);
  const text = (): string => Buffer.from(body).toString('utf8');
  const asText = (): BodyReading => ({ kind: 'read', mediaType, value: text() });
  if (content?.itemPointer !== undefined) return asText();
  if (format === FORM) {
    const isPlain = types.includes('string') && !types.includes('object');
    return isPlain ? asText() : readPairs(splitForm(text()), content, profile);
  }
  if (format.startsWith('multipart/') && sentAs !== undefined) {
    const reading = readParts(body, sentAs, content);
    if (!reading.ok) return malformed(reading.problem);
    if (format !== MULTIPART) return { kind: 'unread', mediaType };
    const read = readPairs(reading.parts, content, profile);
    return read.kind === 'read' ? { ...read, parts: reading.parts } : read;
  }
  if (format !== '' && !/^(?:application|\*)\/\*$/.test(format) && !isJsonMediaType(format)) {
    // A text such as XML may represent an object, which the mock cannot parse.
    const canBeText = types.length === 0 || types.includes('string');
    return format.startsWith('text/') && canBeText ? asText() : { kind: 'unread', mediaType };
  }
  const parsed = parseJsonBytes(body);
  return parsed.ok ? { kind: 'read', mediaType, value: parsed.value } : malformed(parsed.problem.message);
}

function readPairs(pairs: readonly QueryPair[], content: Content | undefined, profile: Profile): BodyReading {
  const tooDeep = findTooDeep(pairs, content);
  if (tooDeep === undefined)
    return { kind: 'read', mediaType: content?.mediaType ?? '', value: readForm(pairs, content) };
  const message = `body/${tooDeep} is nested more than ${MAX_JSON_DEPTH} levels deep`;
  return rejected(actOn(profile, 'malformed-json', MALFORMED), message);
}

/** A body without the bytes of its files, which no JSON can show. */
export function leaveOutFiles({ value, parts = [] }: BodyReading & { kind: 'read' }): unknown {
  const files = new Set(parts.filter(({ isFile, isJson }) => isFile && isJson !== true).map(({ name }) => name));
  if (files.size === 0) return value;
  return Object.fromEntries(Object.entries(value as object).filter(([name]) => !files.has(name)));
}

function splitForm(text: string): QueryPair[] {
  const raws = text.split('&').filter((part) => part !== '');
  return Array.from(new URLSearchParams(`?${text}`), ([name, value], index) => {
    const raw = (raws[index] ?? '').replace(/^[^=]*=?/, '').replaceAll('+', '%20');
    return raw === value ? { name, value } : { name, value, raw };
  });
}

function rejected(status: number, message: string): BodyReading {
  return { kind: 'rejected', status, message };
}
