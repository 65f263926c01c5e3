import { findExample } from '../../contract/schemas/examples.js';
import { jsonBody } from '../../contract/document/json.js';
import type { ApiRequest, ApiResponse, JsonBody, TransportFault } from '../../contract/message.js';
import type { Operation } from '../../contract/model.js';
import { describeBreach } from './check-fault.js';
import { kindOf, type FaultEffect, type FaultHit } from './faults.js';
import { neededHeaders } from '../response/prefer.js';
import { writeGiven } from '../response/write-response.js';
import { createErrorResponse, errorCodeOf } from '../response/errors.js';
import type { Outgoing } from '../response/outgoing.js';
import type { World } from '../world/world.js';

/** The answer that replaces the operation's own when a fault strikes before it. */
export function respondInPlace(effect: FaultEffect, operation: Operation, world: World): Outgoing {
  const replaced = replaceResponse(effect, operation, world);
  if (replaced !== undefined) return replaced;
  const isReset = 'reset' in effect;
  const response = isReset
    ? createErrorResponse(500, 'fault injection: the connection was reset')
    : createExampleResponse(operation, world);
  return { response, operation };
}

/** The answer that an effect states whatever the operation's own is; `undefined` if it spoils that one. */
export function replaceResponse(effect: FaultEffect, operation: Operation, world: World): Outgoing | undefined {
  if ('answer' in effect) {
    const response = writeGiven(effect.answer, operation, world.contract);
    // It was checked when it was planted, so it is sent as it stands.
    const isBroken = effect.answer.breaksContract === true;
    const broken = isBroken ? world.contract.validate.response(operation, response) : [];
    const notes = broken.map((each) => `breaks the contract on purpose: ${describeBreach(each)}`);
    return { response, operation, isAsGiven: true, ...(notes.length > 0 && { notes }) };
  }
  if (!('status' in effect)) return undefined;
  const { status, retryAfter, message = `fault injection: ${status}`, code = errorCodeOf(status) } = effect;
  const headers = neededHeaders(status, operation, world);
  const all = retryAfter === undefined ? headers : { ...headers, 'Retry-After': String(retryAfter) };
  const error = createErrorResponse(status, message, all);
  return { response: { ...error, body: jsonBody({ ...(error.body?.value as object), code }) }, operation };
}

function createExampleResponse(operation: Operation, world: World): ApiResponse {
  const rule = operation.responses.find(({ status }) => status.startsWith('2'));
  const example = rule === undefined ? undefined : findExample(world.contract.document, rule);
  const status = /^\d+$/.test(rule?.status ?? '') ? Number(rule?.status) : 200;
  const headers = { 'Content-Type': 'application/json' };
  return { status, headers, body: jsonBody(example === undefined ? {} : example.value) };
}

/** Spoils an answer as the fault specifies, and says what the transport must do. */
export function spoil(
  response: ApiResponse,
  hit: FaultHit,
  context: { request: ApiRequest; operation: Operation; world: World },
): ApiResponse {
  const kind = hit.effect === undefined ? undefined : kindOf(hit.effect);
  let cut: TransportFault['cut'] = kind === 'reset' || kind === 'truncate' ? kind : undefined;
  // A response without a body cannot be cut in the middle: a client would think it complete (RFC 9112 section 6.3).
  const hasNone = context.request.method === 'HEAD' || response.status === 204 || response.status === 304;
  if (kind === 'truncate' && hasNone) cut = 'reset';
  const transport = cut === undefined && hit.delay === 0 ? {} : { transport: { delay: hit.delay, cut } };
  const body = response.body;
  if (kind === 'invalidJson') return { ...response, ...transport, body: { value: undefined, text: halve(body) } };
  if (kind === 'breakContract') return { ...breakContract(response, context), ...transport };
  return { ...response, ...transport };
}

/** A truncated JSON array or object is never valid JSON; any other value gets a bracket that is never closed. */
function halve(body: JsonBody | undefined): string {
  const text = body?.text ?? '';
  const isLong = text.length > 2 && /^[[{]/.test(text);
  return isLong ? text.slice(0, Math.ceil(text.length / 2)) : `[${text}`;
}

function breakContract(
  response: ApiResponse,
  { operation, world }: { operation: Operation; world: World },
): ApiResponse {
  const isBroken = (each: ApiResponse): boolean => world.contract.validate.response(operation, each).length > 0;
  const withBody = (value: unknown): ApiResponse => ({ ...response, body: jsonBody(value) });
  const broken = changesOf(response.body?.value).find((value) => isBroken(withBody(value)));
  if (broken !== undefined) return withBody(broken);
  const undocumented = { ...response, status: 299 };
  return isBroken(undocumented) ? undocumented : response;
}

function changesOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return [...changesOf(value[0]).map((first) => [first].concat(value.slice(1))), {}];
  if (typeof value !== 'object' || value === null) return [{}, null];
  const names = Object.keys(value);
  const without = names.map((name) => Object.fromEntries(Object.entries(value).filter(([each]) => each !== name)));
  return [...without, []];
}
