import { findExample } from '../contract/examples.js';
import { jsonBody } from '../contract/json.js';
import type { ApiRequest, ApiResponse, ResponseHeaders } from '../contract/message.js';
import { findResponse, type Operation, type ResponseRule } from '../contract/operations.js';
import { challengeHeaders } from './authenticate.js';
import { findPreference } from './prefer.js';
import { createRefusal, errorCodeOf } from './refusals.js';
import type { World } from './world.js';

/** What a request that asks for a certain answer comes to. */
export type ForcedAnswer =
  | { kind: 'forced'; response: ApiResponse; note: string }
  /** The contract has no such answer; a sentence without a full stop. */
  | { kind: 'refused'; message: string };

/**
 * Answers `Prefer: code=404` (RFC 7240) with the contract's own example of that
 * answer, and does nothing else: no animal is created. `undefined` for a
 * request that asks for none. RFC 7240 would have us pass over a preference
 * that cannot be met; here it is refused, since whoever forces an answer and
 * gets another one looks for the reason in the wrong place.
 */
export function forceAnswer(operation: Operation, request: ApiRequest, world: World): ForcedAnswer | undefined {
  const { prefer } = request.headers;
  if (prefer === undefined) return undefined;
  const code = findPreference(prefer, 'code');
  if (code === undefined) return undefined;
  const status = /^[2-5]\d\d$/.test(code) ? Number(code) : undefined;
  const rule = status === undefined ? undefined : findResponse(operation, status);
  if (status === undefined || rule === undefined) {
    const asked = status === undefined ? `Prefer: code=${code} names no HTTP status` : `it has no answer ${status}`;
    return { kind: 'refused', message: `${operation.id} cannot be forced: ${asked}; it has ${listCodes(operation)}` };
  }
  const response = createForced(operation, rule, status, world);
  if (response === undefined) {
    return { kind: 'refused', message: `the contract gives no example of the answer ${status} of ${operation.id}` };
  }
  const headers = { ...response.headers, 'Preference-Applied': `code=${status}` };
  return { kind: 'forced', response: { ...response, headers }, note: `forced by Prefer: code=${status}` };
}

function createForced(operation: Operation, rule: ResponseRule, status: number, world: World): ApiResponse | undefined {
  const needed = neededHeaders(status, operation, world);
  if (rule.content.length === 0) return { status, headers: needed, body: undefined };
  const example = findExample(world.contract.document, rule);
  if (example === undefined) {
    return status < 400 ? undefined : createRefusal(status, `forced by Prefer: code=${status}`, needed);
  }
  const value = rule.status === String(status) ? example.value : fitToStatus(example.value, status);
  return { status, headers: { 'Content-Type': 'application/json', ...needed }, body: jsonBody(value) };
}

/** The example of a range such as `4XX` is one of many; its Error body has to repeat the status (interface, section 7). */
function fitToStatus(example: unknown, status: number): unknown {
  if (typeof example !== 'object' || example === null || !Object.hasOwn(example, 'status')) return example;
  return { ...example, code: errorCodeOf(status), status };
}

/** What RFC 9110 does not let a status go without (sections 15.5.2 and 15.5.6). */
export function neededHeaders(status: number, operation: Operation, world: World): ResponseHeaders {
  if (status === 401) return challengeHeaders(world, { wrongToken: false });
  if (status !== 405) return {};
  const others = world.contract.operations.filter(({ path, id }) => path === operation.path && id !== operation.id);
  return { Allow: [...others.map(({ method }) => method), 'OPTIONS'].join(', ') };
}

/** `200, 401, 4XX (any from 400 to 499)` */
function listCodes(operation: Operation): string {
  return operation.responses.map(({ status }) => describeCode(status)).join(', ');
}

function describeCode(status: string): string {
  if (status === 'default') return 'default (any other)';
  const [first] = status;
  return status.endsWith('XX') ? `${status} (any from ${first}00 to ${first}99)` : status;
}
