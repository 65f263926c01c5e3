import { ENVELOPE } from '../../judge/body.js';
import { isWithin } from '../../../contract/paths.js';
import type { Group } from '../group.js';
import type { Occurrence } from '../occurrence.js';
import { readPair } from '../repair.js';
import { fieldOf } from '../sign.js';

/** Whether a value was sent in a request that should have been refused, and was the reason to refuse it. */
export function isAcceptedValue({ finding, exchange }: Occurrence, { occurrences }: Group): boolean {
  const field = fieldOf(finding.at);
  const breaks = occurrences.flatMap((each) => each.exchange.request.breaks ?? []);
  if (occurrences.some((each) => each.exchange === exchange)) return true;
  // What was there before is not what was accepted.
  if (occurrences.every((each) => (exchange.startedAt ?? '') < (each.exchange.startedAt ?? ''))) return false;
  // The answer to a valid creation shows that creation's own record, and so does every later answer about it.
  if (exchange.request.method !== 'GET' && exchange.request.breaks === undefined) return false;
  return breaks.some(
    ({ at, rule, actual }) =>
      (fieldOf(at) === field && (rule === 'required' || actual === readPair(finding).after)) ||
      (at === 'body' && finding.rule === 'required'),
  );
}

/** Whether something is wrong in a part of an answer that is of a wrong type as a whole, or for want of that part. */
export function isOfWrongPart({ exchange, finding }: Occurrence, { occurrences }: Group): boolean {
  // What is wrong within an envelope is so without it.
  const wrong = occurrences.filter((one) => one.exchange === exchange && one.finding.rule !== ENVELOPE);
  const parts = wrong.map((one) => one.finding.at);
  return parts.some((part) => part === 'body' || finding.at === 'body' || isWithin(part, finding.at));
}
