import { successBody, type CheckContext } from './check.js';
import { followPointer } from '../model/follow-pointer.js';

/**
 * Whether a list made the best of what the contract does not allow: of a limit out of bounds, the nearest that it allows; of
 * a value that there is not, nothing (the gaps `limit-above-maximum` and `unknown-status-filter`).
 */
export function isServedInstead(context: CheckContext): boolean {
  const { at = '', instead } = context.expect.records ?? {};
  const records = instead === undefined ? undefined : followPointer(successBody(context), at);
  if (instead === undefined || !Array.isArray(records)) return false;
  const { atMost = Infinity, atLeast = 0, usual = Infinity } = instead;
  return records.length <= Number(atMost) && records.length >= Math.min(Number(atLeast), Number(usual));
}
