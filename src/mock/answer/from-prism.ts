import type { Contract } from '../../contract/contract.js';
import { jsonBody } from '../../contract/document/json.js';
import { isJsonMediaType, normalizeMediaType } from '../../contract/media-types.js';
import type { ApiResponse, JsonBody, ResponseHeaders } from '../../contract/message.js';
import type { Operation } from '../../contract/model.js';
import { findResponse } from '../../contract/operations/operations.js';
import type { Call } from '../world/world.js';
import type { PrismAnswer, PrismOutcome } from './prism.js';
import type { Wish } from './wish.js';

/** What Prism answers where the mock itself can make nothing that keeps the contract; `undefined` if it cannot either. */
export type PrismFallback = (call: Call, wish: Wish) => ApiResponse | undefined;

/** `find` is asked at the first such operation, since Prism takes seconds to load. */
export function createPrismFallback(contract: Contract, find: () => PrismAnswer | undefined): PrismFallback {
  let prism: PrismAnswer | undefined;
  let isSought = false;
  return (call, wish) => {
    if (!isSought) prism = find();
    isSought = true;
    const outcome = prism?.(call.operation, wish);
    if (outcome?.kind === 'broken') call.note ??= outcome.message;
    const made = outcome?.kind === 'answer' ? toResponse(outcome, call.operation) : undefined;
    const isSound = made !== undefined && contract.validate.response(call.operation, made).length === 0;
    return isSound ? made : undefined;
  };
}

/** Prism's answer as a response; `undefined` if it cannot be written. */
function toResponse(outcome: PrismOutcome & { kind: 'answer' }, operation: Operation): ApiResponse | undefined {
  const { 'Content-Type': named = '', ...others } = readHeaders(outcome.headers);
  const content = findResponse(operation, outcome.status)?.content ?? [];
  if (content.length === 0) return { status: outcome.status, headers: others, body: undefined };
  // For a media range Prism says `text/plain`, whatever the body is.
  const isNamed = content.some(({ mediaType }) => mediaType === normalizeMediaType(named));
  const mediaType = isNamed || typeof outcome.body === 'string' ? named : 'application/json';
  if (typeof outcome.body !== 'string' && !isJsonMediaType(mediaType)) return undefined;
  const headers = { 'Content-Type': mediaType, ...others };
  return { status: outcome.status, headers, body: makeBody(outcome.body, mediaType) };
}

/** Prism marks deprecated operations with a value that is not the date RFC 9745 requires; the mock announces removals itself. */
function readHeaders(made: Record<string, unknown>): ResponseHeaders {
  const headers: ResponseHeaders = {};
  for (const [name, value] of Object.entries(made)) {
    if (
      (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') ||
      name === 'deprecation'
    )
      continue;
    headers[name === 'Content-type' ? 'Content-Type' : name] = sanitize(String(value));
  }
  return headers;
}

/** What no header field may hold (RFC 9110 section 5.5). */
function sanitize(text: string): string {
  return text.replace(/[^\t\u0020-\u007E\u0080-\u00FF]/g, '?');
}

/** Text that is not JSON is sent as it is. */
function makeBody(value: unknown, mediaType: string): JsonBody {
  return !isJsonMediaType(mediaType) && typeof value === 'string' ? { value, text: value } : jsonBody(value ?? null);
}
