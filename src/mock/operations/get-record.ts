import type { ApiResponse } from '../../contract/message.js';
import type { Collection } from '../store/collection.js';
import { toKey } from '../store/kept.js';
import type { Key } from '../store/keys.js';
import type { StoredRecord } from '../store/stored-record.js';
import type { Call } from '../world/world.js';
import { answerRecord } from './answer-record.js';
import { answerGone } from './gone.js';
import { letsStatusMove, moveOn } from './petstore-gaps.js';
import { answerUnchanged } from './preconditions.js';
import { openFor, readMember, refuseMissing, type RoleHandler, type Served } from './served.js';

/** Answers with one record. */
export const getRecord: RoleHandler = (call, served) => {
  const found = findRecord(call, served);
  if ('refused' in found) return found.refused;
  const { world } = call;
  const stored = letsStatusMove(call.profile) ? moveOn(found.stored, world) : found.stored;
  return answerUnchanged(stored, call, served) ?? answerRecord(stored, served);
};

/** A record with its collection. */
export interface FoundRecord {
  collection: Collection;
  within: readonly Key[];
  stored: StoredRecord;
}

/** The record that a call refers to; or its absence, with the answer to that if the contract has one. */
export function findRecord(call: Call, served: Served): FoundRecord | { refused: ApiResponse | undefined } {
  const { kept } = served;
  const opened = openFor(call, served);
  if ('refused' in opened) return opened;
  const value = readKey(call, served);
  const key = toKey(value, kept.key);
  const stored = key === undefined ? undefined : opened.collection.get(key);
  if (stored === undefined || !belongsThere(stored, call, served)) {
    const wasThere = key !== undefined && opened.collection.hadOnce(key);
    const missing = { kept, value, wasThere };
    return { refused: wasThere ? answerGone(missing, call, served) : refuseMissing(missing, call, served.role.role) };
  }
  // Written out, since a spread would take longer than everything else here.
  return { collection: opened.collection, within: opened.within, stored };
}

/** Whether a record belongs to the parents in the path. */
function belongsThere({ record }: StoredRecord, { path }: Call, { role }: Served): boolean {
  if (role.within === undefined) return true;
  return role.within.every(({ parameter, property }) => String(record[property]) === String(path[parameter]));
}

/** The key in a call, as it was sent. */
export function readKey({ path, body }: Call, { kept, role, keyParameter }: Served): unknown {
  if (kept.key === undefined) return undefined;
  if (keyParameter !== undefined) return path[keyParameter];
  return readMember(body, [...(role.requestMember ?? []), kept.key.property]);
}
