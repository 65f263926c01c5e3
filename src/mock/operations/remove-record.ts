import { keyOf, type Key } from '../store/keys.js';
import { answerRecord } from './answer-record.js';
import { findRecord } from './get-record.js';
import { findFailedMatch } from './preconditions.js';
import type { RoleHandler } from './served.js';

/** Removes a record and everything that belongs to it. */
export const removeRecord: RoleHandler = (call, served) => {
  const found = findRecord(call, served);
  if ('refused' in found) return found.refused;
  const { stored, within, collection } = found;
  const failed = findFailedMatch(stored, call, served);
  if (failed !== undefined) return failed;
  const answer = answerRecord(stored, served);
  call.world.collections.remove(served.kept, within, keyOf(stored.record, collection.key) as Key);
  call.standsAnyway = true;
  call.undo = () => void collection.add(stored.record);
  return answer;
};
