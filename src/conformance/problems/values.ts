import { withoutSource } from './changes.js';
import type { Group } from './group.js';
import type { Occurrence } from './occurrence.js';
import { fieldOf, kindOf } from './sign.js';
import { isOfOwnPet } from './whose-pet.js';

/**
 * Whether the value that was found wrong is one that the cause produces: compared with others of its field, or used as
 * a filter.
 */
export function isOfValues(each: Occurrence, { sign, occurrences }: Group): boolean {
  const { at, expected, actual } = each.finding;
  const fields = sign.field?.split(' ') ?? [];
  if (!fields.includes(fieldOf(at) ?? '')) return false;
  const values = new Set(occurrences.map(({ finding }) => finding.actual));
  const [before, after] = [withoutSource(expected), withoutSource(actual)];
  return values.has(before) || values.has(after) || isOtherKind(before, after, sign.detail);
}

/** If the types differ, the types suffice; not every value of a long list is named. */
function isOtherKind(before: string, after: string, kind: string | undefined): boolean {
  const kinds = [kindOf(before), kindOf(after)];
  return kinds[0] !== kinds[1] && kind !== undefined && kinds.includes(kind);
}

const ABSENT = 'absent';

/**
 * Whether a value differs from one that is missing, in a field that the cause leaves out. If several fields are
 * missing, others are absent too.
 */
export function isOfAbsent({ finding, exchange }: Occurrence, { sign, occurrences }: Group): boolean {
  const isAbsent = [finding.expected, finding.actual].map(withoutSource).includes(ABSENT);
  const fields = sign.field?.split(' ') ?? [];
  if (!isAbsent || (fields.length === 1 && fields[0] !== fieldOf(finding.at))) return false;
  // The value by which a list is filtered is in its own answer.
  return finding.check !== 'filter' || occurrences.some((each) => each.exchange.operationId === exchange.operationId);
}

/** Whether a value was sent in a request that should have been refused, and was the reason to refuse it. */
export function isAcceptedValue({ finding, exchange }: Occurrence, { occurrences }: Group): boolean {
  const field = fieldOf(finding.at);
  const breaks = occurrences.flatMap((each) => each.exchange.request.breaks ?? []);
  if (occurrences.some((each) => each.exchange === exchange)) return true;
  // The answer to a valid creation shows that creation's own record, and so does every later answer about it.
  if (exchange.request.method !== 'GET' && exchange.request.breaks === undefined) return false;
  if (isOfOwnPet({ finding, exchange })) return false;
  return breaks.some(
    ({ at, rule, actual }) =>
      (fieldOf(at) === field && (rule === 'required' || actual === withoutSource(finding.actual))) ||
      // No request has an id, so none can lack one.
      (at === 'body' && finding.rule === 'required' && field !== 'id'),
  );
}
