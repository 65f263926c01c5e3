import { ENVELOPE } from '../../judge/body.js';
import { isWithin } from '../../../contract/paths.js';
import type { Group } from '../group.js';
import { kindOf } from '../kind-of.js';
import type { Occurrence } from '../occurrence.js';
import { withoutSource } from '../changes.js';
import { isChangedBesides, readPair } from '../repair.js';
import { fieldOf, petFieldOf } from '../sign.js';
import { isOfOwnPet } from '../whose-pet.js';

const ABSENT = 'absent';

/**
 * Whether a value differs for no other reason than the cause: with the field put right, as far as the finding shows it,
 * it would differ no more.
 */
export function isOfValues(each: Occurrence, { sign, occurrences }: Group): boolean {
  const fields = sign.field?.split(' ') ?? [];
  if (!fields.includes(petFieldOf(each.finding.at) ?? '') || isOfOtherAnswers(each, occurrences)) return false;
  const pair = readPair(each.finding);
  if (isChangedBesides(pair)) return false;
  const values = new Set(occurrences.map(({ finding }) => finding.actual));
  return values.has(pair.before) || values.has(pair.after) || isOtherKind(pair, sign.detail);
}

/** An answer that differs from what was sent is wrong by itself, whatever other operations answer. */
function isOfOtherAnswers({ finding, exchange }: Occurrence, cause: readonly Occurrence[]): boolean {
  return finding.check === 'echo' && !isOfSameOperation(exchange, cause);
}

function isOfSameOperation({ operationId }: Occurrence['exchange'], cause: readonly Occurrence[]): boolean {
  return cause.some(({ exchange }) => exchange.operationId === operationId);
}

/** If the types differ, the types suffice; not every value of a long list is named. */
function isOtherKind({ before, after }: { before: string; after: string }, kind: string | undefined): boolean {
  if (before === ABSENT || after === ABSENT) return false;
  const kinds = [kindOf(before), kindOf(after)];
  return kinds[0] !== kinds[1] && kind !== undefined && kinds.includes(kind);
}

/**
 * Whether a value differs from one that is missing, in a field that the cause leaves out. If several fields are
 * missing, others are absent too.
 */
export function isOfAbsent(each: Occurrence, { sign, occurrences }: Group): boolean {
  const { before, after } = readPair(each.finding);
  const fields = sign.field?.split(' ') ?? [];
  if (before !== ABSENT && after !== ABSENT) return false;
  if (fields.length === 1 && fields[0] !== petFieldOf(each.finding.at)) return false;
  // What an answer lacks, those of another operation do not take from it.
  if (after === ABSENT && !isOfSameOperation(each.exchange, occurrences)) return false;
  return !isOfOtherAnswers(each, occurrences);
}

/**
 * Whether a pet only looks as if the filter had let it through: lists show its status wrong, and with the right one it
 * would belong where it is.
 */
export function isOfShownStatus(each: Occurrence, { sign, occurrences }: Group): boolean {
  const { at, expected: asked, actual } = each.finding;
  const fields = sign.field?.split(' ') ?? [];
  if (!isOfSameOperation(each.exchange, occurrences)) return false;
  // An answer that lacks several fields is hardly a pet at all, and lacks others too.
  if (fields.length > 1) return actual === ABSENT && occurrences.some(({ exchange }) => exchange === each.exchange);
  if (fields[0] !== fieldOf(at) || isKnownOther(each)) return false;
  const right = findRight(each);
  if (right !== undefined) return right === asked;
  if (sign.topic !== 'changed') return isShownAs(asked, actual);
  return occurrences.some(({ finding }) => {
    const pair = readPair(finding);
    return pair.after === actual && (actual === ABSENT || pair.before === asked);
  });
}

/** Whether another answer shows the status of a pet that has none in a filtered list. */
function isKnownOther({ finding: { actual } }: Occurrence): boolean {
  return withoutSource(actual) !== actual;
}

/** The status that a pet should have, where the run knows it: its own answer compares it with another one. */
function findRight({ finding, exchange }: Occurrence): string | undefined {
  const known = exchange.findings.find(({ at, check }) => at === finding.at && check === 'same-pet');
  const right = known === undefined ? undefined : readPair(known).before;
  return right === undefined || !STATUS.test(right) ? undefined : right;
}

/** Whether a value that is no status could stand for the one that was asked for: it does not read like another one. */
function isShownAs(asked: string, actual: string): boolean {
  return !STATUS.test(actual.toLowerCase()) || actual.toLowerCase() === asked;
}

const STATUS = /^"(?:available|pending|sold)"$/;

/** Whether a value was sent in a request that should have been refused, and was the reason to refuse it. */
export function isAcceptedValue({ finding, exchange }: Occurrence, { occurrences }: Group): boolean {
  const field = fieldOf(finding.at);
  const breaks = occurrences.flatMap((each) => each.exchange.request.breaks ?? []);
  if (occurrences.some((each) => each.exchange === exchange)) return true;
  // What was there before is not what was accepted.
  if (occurrences.every((each) => (exchange.startedAt ?? '') < (each.exchange.startedAt ?? ''))) return false;
  // The answer to a valid creation shows that creation's own record, and so does every later answer about it.
  if (exchange.request.method !== 'GET' && exchange.request.breaks === undefined) return false;
  if (isOfOwnPet({ finding, exchange })) return false;
  return breaks.some(
    ({ at, rule, actual }) =>
      (fieldOf(at) === field && (rule === 'required' || actual === readPair(finding).after)) ||
      // No request has an id, so none can lack one.
      (at === 'body' && finding.rule === 'required' && field !== 'id'),
  );
}

/**
 * Whether something is wrong with a list for want of items that are pets. An object in place of the list is read like
 * the list in it.
 */
export function isOfWrongItem({ exchange, finding }: Occurrence, { occurrences }: Group): boolean {
  // What has a status that was not asked for is a pet, whatever stands beside it.
  if (isOfIds(exchange) || (finding.check === 'filter' && STATUS.test(withoutSource(finding.actual)))) return false;
  return occurrences.some(
    (one) => one.exchange === exchange && (one.finding.at !== 'body' || kindOf(one.finding.actual) !== 'an object'),
  );
}

/** Whether a list shows nothing of a pet but its id, or another answer shows more of it than such a list. */
export function isOfBareId({ exchange: { operationId }, finding }: Occurrence, { occurrences }: Group): boolean {
  const { before, after } = readPair(finding);
  return (
    occurrences.some(({ exchange }) => isOfIds(exchange)) &&
    (operationId === 'listPets' ? after === ABSENT : before === ABSENT)
  );
}

/** Whether an answer is a list of ids alone. */
function isOfIds({ operationId, response }: Occurrence['exchange']): boolean {
  return operationId === 'listPets' && /^\s*\[\s*-?\d/.test(response?.body ?? '');
}

/** Whether something is wrong in a part of an answer that is of a wrong type as a whole, or for want of that part. */
export function isOfWrongPart({ exchange, finding }: Occurrence, { occurrences }: Group): boolean {
  // Where a pet stands in a list or a text in place of itself, what is wrong with the pet is not due to that.
  if (finding.at !== 'body' && OF_ONE_PET.has(finding.check) && exchange.operationId !== 'listPets') return false;
  // What is wrong within an envelope is so without it.
  const wrong = occurrences.filter((one) => one.exchange === exchange && one.finding.rule !== ENVELOPE);
  const parts = wrong.map((one) => one.finding.at);
  return parts.some((part) => part === 'body' || finding.at === 'body' || isWithin(part, finding.at));
}

const OF_ONE_PET: ReadonlySet<string> = new Set(['body', 'echo', 'same-pet', 'equals']);
