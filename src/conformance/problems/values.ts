import { withoutSource } from './changes.js';
import type { Group } from './group.js';
import type { Occurrence } from './occurrence.js';
import { fieldOf, kindOf } from './sign.js';
import { isOfOwnPet } from './whose-pet.js';

const ABSENT = 'absent';

/**
 * Whether the value that was found wrong is one that the cause produces: compared with others of its field, or used as
 * a filter.
 */
export function isOfValues(each: Occurrence, { sign, occurrences }: Group): boolean {
  const { at, expected, actual } = each.finding;
  const fields = sign.field?.split(' ') ?? [];
  if (!fields.includes(fieldOf(at) ?? '') || isOfOtherAnswers(each, occurrences)) return false;
  const values = new Set(occurrences.map(({ finding }) => finding.actual));
  const [before, after] = [withoutSource(expected), withoutSource(actual)];
  return values.has(before) || values.has(after) || isOtherKind(before, after, sign.detail);
}

/** An answer that differs from what was sent is wrong by itself, whatever other operations answer. */
function isOfOtherAnswers({ finding, exchange }: Occurrence, cause: readonly Occurrence[]): boolean {
  return finding.check === 'echo' && cause.every((each) => each.exchange.operationId !== exchange.operationId);
}

/** If the types differ, the types suffice; not every value of a long list is named. */
function isOtherKind(before: string, after: string, kind: string | undefined): boolean {
  if (before === ABSENT || after === ABSENT) return false;
  const kinds = [kindOf(before), kindOf(after)];
  return kinds[0] !== kinds[1] && kind !== undefined && kinds.includes(kind);
}

/**
 * Whether a value differs from one that is missing, in a field that the cause leaves out. If several fields are
 * missing, others are absent too.
 */
export function isOfAbsent(each: Occurrence, { sign, occurrences }: Group): boolean {
  const { finding, exchange } = each;
  const isAbsent = [finding.expected, finding.actual].map(withoutSource).includes(ABSENT);
  const fields = sign.field?.split(' ') ?? [];
  if (!isAbsent || (fields.length === 1 && fields[0] !== fieldOf(finding.at))) return false;
  if (isOfOtherAnswers(each, occurrences)) return false;
  // The value by which a list is filtered is in its own answer.
  return finding.check !== 'filter' || occurrences.some((other) => other.exchange.operationId === exchange.operationId);
}

/** Whether a list is filtered by a status that its pets are known to have, and do not show. */
export function isOfHidden({ finding, exchange }: Occurrence, { sign, occurrences }: Group): boolean {
  if (sign.field !== fieldOf(finding.at) || finding.actual !== ABSENT) return false;
  return occurrences.some(
    (each) => each.finding.actual === ABSENT && each.exchange.operationId === exchange.operationId,
  );
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
