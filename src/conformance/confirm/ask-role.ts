// Requests to a resource outside any scenario, by the role of their operation.
import { requiresTag } from '../../contract/operations/operations.js';
import { listTemplateNames } from '../../contract/operations/match.js';
import type { RoleOperation } from '../../contract/resources/resource.js';
import type { Send } from '../wire/http/send-politely.js';
import type { WireAnswer, WireRequest } from '../model/wire.js';
import { bareStep, NOTHING_KNOWN } from '../wire/request/bare-step.js';
import { prepareRequest, type PrepareOptions } from '../wire/request/prepare-request.js';
import type { RecordEntry } from '../ledger/observations.js';

export interface Asking {
  send: Send;
  prepareOptions: PrepareOptions;
  signal: AbortSignal;
}

interface More {
  headers?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, unknown>>;
}

/** Sends what {@link prepareRole} makes. */
export function askRole(
  role: RoleOperation,
  parameters: Readonly<Record<string, unknown>>,
  { send, prepareOptions }: Asking,
  more: More = {},
): Promise<WireAnswer> {
  return send(prepareRole(role, parameters, prepareOptions, more));
}

/** A request of an operation with these values in its path. */
export function prepareRole(
  { operation }: RoleOperation,
  parameters: Readonly<Record<string, unknown>>,
  prepareOptions: PrepareOptions,
  more: More = {},
): WireRequest {
  const values = Object.values(parameters);
  // Operations on one path may have names of their own for its parameters.
  const inPath = listTemplateNames(operation.path).map((name, index) => [
    name,
    Object.hasOwn(parameters, name) ? parameters[name] : values[index],
  ]);
  const step = bareStep({
    id: 'cleanup',
    operationId: operation.id,
    parameters: { ...(Object.fromEntries(inPath) as Record<string, unknown>), ...more.query },
    headers: more.headers,
  });
  return prepareRequest(step, NOTHING_KNOWN, prepareOptions).wire;
}

/** The version of a record, where its removal must say which one is meant (RFC 9110 section 13.1.1). */
export async function readTag(
  { subject: { roles }, parameters }: RecordEntry,
  asking: Asking,
): Promise<{ headers?: Record<string, string> }> {
  const { get, remove } = roles;
  if (get === undefined || remove === undefined || !requiresTag(remove.operation)) return {};
  const answer = await askRole(get, parameters, asking);
  const tag = answer.kind === 'answered' ? answer.headers['etag'] : undefined;
  return tag === undefined ? {} : { headers: { 'If-Match': tag } };
}
