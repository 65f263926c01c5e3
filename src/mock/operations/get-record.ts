import type { ApiResponse } from '../../contract/message.js';
import type { Collection } from '../store/collection.js';
import { toKey, type Key, keyOf, type StoredRecord } from '../store/kept.js';
import type { Call } from '../world/world.js';
import {
  respondWithRecord,
  respondUnchanged,
  findFailedMatch,
  openFor,
  readMember,
  rejectMissing,
  type RoleHandler,
  type Served,
  describeMissing,
  type Missing,
} from './served.js';
import { letsStatusMove, moveOn } from './complete-record.js';
import { actOn } from '../../contract/gaps/gaps.js';
import { createErrorResponse } from '../response/errors.js';

export const getRecord: RoleHandler = (call, served) => {
  const found = findRecord(call, served);
  if ('rejected' in found) return found.rejected;
  const { world } = call;
  const stored = letsStatusMove(call.profile) ? moveOn(found.stored, world) : found.stored;
  return respondUnchanged(stored, call, served) ?? respondWithRecord(stored, served);
};

export type FoundRecord = { collection: Collection; within: readonly Key[]; stored: StoredRecord };

/** The record that a call refers to; or its absence, with the answer to that if the contract has one. */
export function findRecord(call: Call, served: Served): FoundRecord | { rejected: ApiResponse | undefined } {
  const { kept } = served;
  const opened = openFor(call, served);
  if ('rejected' in opened) return opened;
  const value = readKey(call, served);
  const key = toKey(value, kept.key);
  const stored = key === undefined ? undefined : opened.collection.get(key);
  const { within } = served.role;
  const belongsThere =
    within === undefined ||
    within.every(({ parameter, property }) => String(stored?.record[property]) === String(call.path[parameter]));
  if (stored === undefined || !belongsThere) {
    const wasThere = key !== undefined && opened.collection.hadOnce(key);
    const missing = { kept, value, wasThere };
    return { rejected: wasThere ? respondGone(missing, call, served) : rejectMissing(missing, call, served.role.role) };
  }
  // Written out, since a spread would take longer than everything else here.
  return { collection: opened.collection, within: opened.within, stored };
}

export function readKey({ path, body }: Call, { kept, role, keyParameter }: Served): unknown {
  if (kept.key === undefined) return undefined;
  if (keyParameter !== undefined) return path[keyParameter];
  return readMember(body, [...(role.requestMember ?? []), kept.key.property]);
}

export const removeRecord: RoleHandler = (call, served) => {
  const found = findRecord(call, served);
  if ('rejected' in found) return found.rejected;
  const { stored, within, collection } = found;
  const failed = findFailedMatch(stored, call, served);
  if (failed !== undefined) return failed;
  const answer = respondWithRecord(stored, served);
  call.world.collections.remove(served.kept, within, keyOf(stored.record, collection.key) as Key);
  call.standsAnyway = true;
  call.undo = () => void collection.add(stored.record);
  return answer;
};

const OF_REMOVE: Readonly<Record<string, number | undefined>> = {
  'not-found': 404,
  'gone-410': 410,
  repeated: undefined,
};
function respondGone(missing: Missing, call: Call, { role }: Served): ApiResponse | undefined {
  if (role.role !== 'remove' && role.role !== 'update') return rejectMissing(missing, call);
  const isUpdate = role.role === 'update';
  const status = isUpdate
    ? actOn(call.profile, 'update-gone', { 'not-found': 404, 'gone-410': 410, 'refused-409': 409 })
    : actOn(call.profile, 'remove-gone', OF_REMOVE);
  if (status !== undefined) return createErrorResponse(status, describeMissing(missing));
  // The response that the removal had; where it has a body, the contract alone makes it.
  const { body, status: before } = role.success;
  return body === 'none' ? { status: before, headers: {}, body: undefined } : undefined;
}
