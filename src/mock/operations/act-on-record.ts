import { findRecord } from './get-record.js';
import { storeChange } from './replace-record.js';
import type { RoleHandler } from './served.js';

/** Sets the status that an action evidently sets: `POST /orders/{id}/cancel` sets `cancelled`. */
export const actOnRecord: RoleHandler = (call, served) => {
  const { sets } = served.role;
  if (sets === undefined) return undefined;
  const found = findRecord(call, served);
  if ('refused' in found) return found.refused;
  return storeChange({ ...found.stored.record, [sets.property]: sets.value }, found, call, served);
};
