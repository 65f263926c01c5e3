import { findExample, listExampleNames } from '../../contract/schemas/examples.js';
import { jsonBody } from '../../contract/document/json.js';
import { narrowMediaType } from '../../contract/media-types.js';
import type { ApiRequest, ApiResponse, ResponseHeaders, Operation, ResponseRule } from '../../contract/model.js';
import { findResponse } from '../../contract/operations/operations.js';
import { challengeHeaders } from '../request/credentials.js';
import { createErrorResponse, errorCodeOf } from './errors.js';
import type { World } from '../world/world.js';

type ForcedResponse =
  | { kind: 'forced'; response: ApiResponse; note: string }
  /** The contract has no such response; a sentence without a full stop. */
  | { kind: 'rejected'; message: string };

/**
 * Responds to `Prefer: code=404` (RFC 7240) with the contract's own example of that response, and does nothing else: no pet
 * is created. `undefined` for a request that asks for none. RFC 7240 says to ignore a preference that cannot be met; here
 * it is rejected, since someone who forces a response and gets another one looks for the reason in the wrong place.
 */
export function forceResponse(operation: Operation, request: ApiRequest, world: World): ForcedResponse | undefined {
  const { prefer = '' } = request.headers;
  const code = findPreference(prefer, 'code');
  if (code === undefined) return undefined;
  const status = /^[2-5]\d\d$/.test(code) ? Number(code) : undefined;
  const rule = status === undefined ? undefined : findResponse(operation, status);
  const reject = (message: string): ForcedResponse => ({ kind: 'rejected', message });
  if (status === undefined || rule === undefined) {
    const asked = status === undefined ? `Prefer: code=${code} is not an HTTP status` : `it has no response ${status}`;
    const known = operation.responses.map(({ status: each }) => {
      if (each === 'default') return 'default (any other)';
      return each.endsWith('XX') ? `${each} (any from ${each[0]}00 to ${each[0]}99)` : each;
    });
    return reject(`${operation.id} cannot be forced: ${asked}; it has ${known.join(', ')}`);
  }
  const example = findPreference(prefer, 'example');
  // What is answered from the contract anyway is forced by the same means, so that `dynamic` goes with `code`. An error is
  // not, unless it is to be generated: its body has to repeat the status.
  const isStateless = status < 400 || findPreference(prefer, 'dynamic') === 'true';
  const call = { operation, request, path: {}, query: {}, body: undefined, world, profile: world.profile };
  const response =
    (isStateless ? world.stateless[operation.id]?.(call) : undefined) ??
    createForced(operation, rule, status, example, world);
  if (response === undefined) {
    const wanted = `the response ${status} of ${operation.id}`;
    if (example === undefined) return reject(`the contract gives no example of ${wanted}`);
    const names = listExampleNames(world.contract.document, rule).join(', ') || 'none';
    return reject(`${wanted} has no example ${example}; it has ${names}`);
  }
  if (response.status !== status)
    return reject(String((response.body?.value as { message?: unknown } | undefined)?.message));
  const headers = { ...response.headers, 'Preference-Applied': `code=${status}` };
  return { kind: 'forced', response: { ...response, headers }, note: `forced by Prefer: code=${status}` };
}

function createForced(
  operation: Operation,
  rule: ResponseRule,
  status: number,
  example: string | undefined,
  world: World,
): ApiResponse | undefined {
  const needed = neededHeaders(status, operation, world);
  if (rule.content.length === 0) return { status, headers: needed, body: undefined };
  const found = findExample(world.contract.document, rule, example);
  if (found === undefined)
    return status < 400 || example !== undefined
      ? undefined
      : createErrorResponse(status, `forced by Prefer: code=${status}`, needed);
  const headers = { 'Content-Type': narrowMediaType(found.mediaType), ...needed };
  return { status, headers, body: jsonBody(fitToStatus(found.value, status)) };
}

function fitToStatus(example: unknown, status: number): unknown {
  if (status < 400 || typeof example !== 'object' || example === null || !Object.hasOwn(example, 'status'))
    return example;
  if ((example as { status: unknown }).status === status) return example;
  return { ...example, ...(Object.hasOwn(example, 'code') ? { code: errorCodeOf(status) } : {}), status };
}

/** The header fields that RFC 9110 requires of a status (sections 15.5.2 and 15.5.6). */
export function neededHeaders(status: number, operation: Operation, world: World): ResponseHeaders {
  if (status === 401) return challengeHeaders(operation.security, world);
  if (status !== 405) return {};
  const others = world.contract.operations.filter(({ path, id }) => path === operation.path && id !== operation.id);
  return { Allow: [...others.map(({ method }) => method), 'OPTIONS'].join(', ') };
}

/** What a request wants of an answer made from the contract (RFC 7240). */
export interface Wish {
  code: number | undefined;
  exampleKey: string | undefined;
  dynamic: boolean;
  seed: string;
  accept: string | undefined;
  mediaTypes: string[];
}

export function readWish(request: ApiRequest, seed: number): Wish {
  const { method, path, query, headers } = request;
  const { prefer = '', accept } = headers;
  const code = findPreference(prefer, 'code');
  const body = request.body === undefined ? '' : Buffer.from(request.body).toString('latin1');
  const accepted = (accept ?? '*/*').split(',').map((each) => each.trim());
  return {
    code: code === undefined ? undefined : Number(code),
    exampleKey: findPreference(prefer, 'example'),
    dynamic: findPreference(prefer, 'dynamic') === 'true',
    seed: findPreference(prefer, 'seed') ?? [seed, method, path, query, body].join(' '),
    accept,
    mediaTypes: accepted.join() === '*/*' ? ['application/json', '*/*;q=0.5'] : accepted,
  };
}

const PREFERENCE =
  /\s*([!#$%&'*+.^_`|~\w-]+)\s*(?:=\s*("(?:[^"\\]|\\.)*"|[^\s",;]*))?(?:"(?:[^"\\]|\\.)*"|[^,"])*(?:,|$)/y;

/** The value of a preference (RFC 7240 section 2), `''` if it has none; the first of several counts. */
export function findPreference(field: string, name: string): string | undefined {
  let at = 0;
  while (at < field.length) {
    PREFERENCE.lastIndex = at;
    const match = PREFERENCE.exec(field);
    if (match === null) {
      const comma = field.indexOf(',', at);
      at = comma === -1 ? field.length : comma + 1;
      continue;
    }
    const [, own = '', value = ''] = match;
    if (own.toLowerCase() === name)
      return value.startsWith('"') ? value.slice(1, -1).replaceAll(/\\(.)/g, '$1') : value;
    at = PREFERENCE.lastIndex;
  }
  return undefined;
}
