import { createHash } from 'node:crypto';
import type { Operation } from '../../contract/model.js';
import { isRepeatKey } from '../../contract/operations/operations.js';
import type { Key } from '../store/keys.js';
import type { Call, World } from '../world/world.js';
import { printJson } from '../../contract/document/json.js';

/** So many are remembered; a client sends a request again soon or never. */
const MOST = 1000;

/**
 * What a create and its repetition have in common: the key and the body that the client sends (draft-ietf-httpapi-idempotency-key-header).
 * `undefined` where the contract has no such header field, or the request has none.
 */
export function findRepeatId({ operation, request, body }: Call, within: readonly Key[]): string | undefined {
  const name = findRepeatHeader(operation);
  const value = name === undefined ? undefined : request.headers[name];
  if (value === undefined) return undefined;
  const parts = [operation.id, ...within.map(String), value, printJson(body)];
  return createHash('sha256').update(parts.join('\n')).digest('base64');
}

function findRepeatHeader({ parameters }: Operation): string | undefined {
  return parameters.find(({ in: place, name }) => place === 'header' && isRepeatKey(name))?.name.toLowerCase();
}

export function noteRepeat(id: string, key: Key, repeats: World['repeats']): void {
  const [oldest] = repeats.keys();
  if (repeats.size >= MOST && oldest !== undefined) repeats.delete(oldest);
  repeats.set(id, key);
}
