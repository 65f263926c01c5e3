import { actOn, type Profile } from '../contract/gaps.js';
import { parseJsonBytes } from '../contract/json.js';
import type { ApiRequest } from '../contract/message.js';
import type { Operation, RequestBody } from '../contract/operations.js';

/** A body, read; or why it cannot be. */
export type BodyReading =
  | { kind: 'read'; mediaType: string; value: unknown }
  | { kind: 'none' }
  | { kind: 'refused'; status: number; message: string };

/** The status that refuses a media type; `undefined` where a profile reads the body all the same. */
const MEDIA_TYPE: Record<string, number | undefined> = { 'refused-415': 415, 'refused-400': 400, accepted: undefined };
const MALFORMED: Record<string, number> = { 'refused-400': 400, 'refused-422': 422 };
/** A body past what is read even where long ones are accepted is refused all the same. */
const TOO_LARGE: Record<string, number> = { 'refused-413': 413, 'refused-400': 400, accepted: 413 };
const MIB = 1024 * 1024;
const LONGEST: Record<string, number> = { 'refused-413': MIB, 'refused-400': MIB, accepted: 16 * MIB };

/** The most bytes of a body that are read. */
export function longestBody(profile: Profile): number {
  return actOn(profile, 'body-too-large', LONGEST);
}

/** Reads the body of an operation that has one (interface, section 4: bodies are `application/json`). */
export function readBody(operation: Operation, request: ApiRequest, profile: Profile): BodyReading {
  const rule = operation.requestBody;
  if (rule === undefined) return { kind: 'none' };
  if (request.bodyLongerThan !== undefined) {
    const status = actOn(profile, 'body-too-large', TOO_LARGE);
    return refused(status, `the body is longer than ${request.bodyLongerThan} bytes`);
  }
  if (request.body === undefined || request.body.length === 0) return readNothing(operation, rule, profile);
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return refused(415, `the body is sent with Content-Encoding: ${encoding}; send it without`);
  }
  return readMediaType(rule, request, request.body, profile);
}

function readNothing(operation: Operation, rule: RequestBody, profile: Profile): BodyReading {
  if (!rule.required) return { kind: 'none' };
  return refused(actOn(profile, 'malformed-json', MALFORMED), `${operation.id} needs a body, and none was sent`);
}

function readMediaType(rule: RequestBody, request: ApiRequest, body: Uint8Array, profile: Profile): BodyReading {
  const header = request.headers['content-type'];
  const mediaType = mediaTypeOf(header);
  const known = rule.content.some((content) => content.mediaType === mediaType);
  const assumed = rule.content[0]?.mediaType ?? '';
  if (!known) {
    const status = actOn(profile, header === undefined ? 'missing-media-type' : 'wrong-media-type', MEDIA_TYPE);
    const sent = header === undefined ? 'without a Content-Type' : `as ${header}`;
    if (status !== undefined) return refused(status, `the body is sent ${sent}; send Content-Type: ${assumed}`);
  }
  const parsed = parseJsonBytes(body);
  if (parsed.ok) return { kind: 'read', mediaType: known ? mediaType : assumed, value: parsed.value };
  return refused(actOn(profile, 'malformed-json', MALFORMED), `body: ${parsed.problem.message}`);
}

/** The media type in lower case without its parameters (RFC 9110 section 8.3.1). */
function mediaTypeOf(header: string | undefined): string {
  return header?.split(';')[0]?.trim().toLowerCase() ?? '';
}

function refused(status: number, message: string): BodyReading {
  return { kind: 'refused', status, message };
}
