import { any, each as some, whole, type Follows } from '../follows/follows.js';
import type { Group } from '../group.js';
import { listOperations, resourceOf, type Occurrence } from '../occurrence.js';
import { type Topic, star } from '../sign.js';
import { isNeverThere, isOfKind } from './of-kind.js';
import { isOfTotal } from './of-lists.js';
import { countAlike, haveSameResource, isOfSameExchange, isOfSameOperation, isOfSameScenario } from './of-same.js';
import { has, saidStatus } from '../statuses.js';
import { isOfAbsentRecord, isOfResource } from './record-sign.js';
import type { Finding } from '../../model/result.js';
import { plainName } from '../../../contract/resources/words.js';
import { valueOf } from '../changes.js';
import { UNDEFINED } from '../of-object.js';

/** If fields are lost, one that the answers must have is lost for the same reason. */
const ofLostFields = whole(
  (effect, cause) =>
    effect.sign.topic === 'missing-fields' &&
    cause.sign.field?.includes(' ') === true &&
    isOfAllOperations(effect, cause) &&
    cause.occurrences.some((other) => other.finding.actual === 'absent' && isOfSameExchange(other, effect)),
);

/** What one operation alone lacks, it lacks for a reason of its own. */
function isOfAllOperations(effect: Group, cause: Group): boolean {
  const lacking = new Set(listOperations(effect.occurrences));
  return listOperations(cause.occurrences).every((each) => lacking.has(each));
}

/** What follows from which problem with the records of any resource; the rules that explain the most come first. */
export const RECORD_CONSEQUENCES: readonly (readonly [cause: Topic, follows: Follows])[] = [
  [
    'accepted',
    any(
      some(['field-value', 'missing-fields', 'body-type'], isSentValue),
      some(['record'], (found, cause) => isOfSameScenario(found, cause) || isChosenValue(found, cause)),
    ),
  ],
  [
    'record',
    any(
      some(['field-value', 'missing-fields', 'body-type', 'changed'], isKeptValue),
      some(['header'], isOfTotal),
      some(['refused'], isOfUnreadEscape),
    ),
  ],
  ['accepted', any(some(['record', 'field-value', 'missing-fields'], isOfVictim), some(['record'], isOfUnknownKey))],
  ['accepted', some(['refusal-status'], isOfStaleTag)],
  ['key-accepted', some(['record', 'refused'], isOfSameScenario)],
  ['scope-accepted', some(['record', 'refused'], isOfSameScenario)],
  ['refusal-status', some(['refusal-status'], isOfSameAbsence)],
  ['record', some(['missing-fields'], isOfUnmerged)],
  ['changed', some(['record'], isOfSameField)],
  ['field-value', any(some(['record'], isOfSameField), some(['record', 'missing-fields'], isByAnotherName))],
  ['missing-fields', any(some(['record'], isOfSameField), some(['record'], isOfUnnamed))],
  ['body-type', some(['record'], isOfWrongBody)],
  ['record', any(some(['record'], isOfKind), some(['refused'], isOfLostParent), ofLostFields)],
];

/** Where escapes in texts are kept as they stand, names and values that are written with some are others (RFC 8259 section 7). */
function isOfUnreadEscape({ exchange }: Occurrence, { occurrences }: Group): boolean {
  const isKept = occurrences.every(({ finding }) => /\\\\u[\da-f]{4}/i.test(finding.actual));
  return isKept && /\\u[\da-f]{4}/i.test(exchange.request.body ?? '');
}

/** One place of a service says what is answered where a record is not there, whatever is asked of it. */
function isOfSameAbsence(found: Occurrence, { occurrences }: Group): boolean {
  const isLike = (other: Occurrence): boolean =>
    isOfAbsentRecord(other) && has(found.exchange, saidStatus(other)) && haveSameResource(other, found);
  return isOfAbsentRecord(found) && occurrences.some(isLike);
}

/** A change that was taken gave the record another ETag than the one that was read for the next. */
function isOfStaleTag(found: Occurrence, cause: Group): boolean {
  return has(found.exchange, '412') && isOfSameOperation(found, cause);
}

/** What is no record has no field, and no list of them has one; what was refused is there for a reason of its own. */
function isOfWrongBody(found: Occurrence, cause: Group): boolean {
  return found.finding.rule !== 'refused' && isOfSameExchange(found, cause);
}

/** What was sent, and should have been refused, shows in later answers. */
function isSentValue(found: Occurrence, { occurrences }: Group): boolean {
  const { finding, exchange } = found;
  const place = partsOf(finding.at);
  const taken = occurrences.filter((each) =>
    (each.exchange.request.breaks ?? []).some(({ at, rule, actual }) => {
      const isThere = endsAlike(partsOf(at), place);
      const isShown = rule === 'required' || rule === finding.rule || shows(actual, finding.actual, place.at(-1));
      return (isThere && isShown) || (rule === 'additionalProperties' && isInside(partsOf(at), actual, finding));
    }),
  );
  // An answer before it, or with more of them than were sent, has them for a reason of its own.
  const sent = taken.filter((each) => (each.exchange.startedAt ?? '') <= (exchange.startedAt ?? ''));
  return isOfResource(found) && countAlike(found) <= new Set(sent.map((each) => each.exchange)).size;
}

/** A filter may choose what should have been refused: what it means by it, no contract says. */
function isChosenValue(found: Occurrence, cause: Group): boolean {
  return found.finding.rule === 'filter' && isSentValue(found, cause);
}

/** A field that a request may not have is told with its name. */
function shows(sent: string, shown: string, field = ''): boolean {
  return sent === shown || sent === `{${JSON.stringify(field)}:${shown}}`;
}

/** A value of another kind than the contract has differs from what was sent, and fits no filter. */
function isOfSameField(found: Occurrence, { sign, occurrences }: Group): boolean {
  const { finding, scenario } = found;
  // Keys that are alike are so whatever another operation makes of them.
  if (finding.rule === 'distinct' && !isOfSameOperation(found, { occurrences })) return false;
  const fields = sign.field?.split(' ') ?? [];
  const isOf = partsOf(finding.at).some((part) => fields.includes(part)) || fields.includes(finding.rule);
  return isOf && occurrences.some((other) => resourceOf(other.scenario) === resourceOf(scenario));
}

/** What an object must have is missing where a merge patch did not name it. */
function isOfUnmerged(found: Occurrence, { sign, occurrences }: Group): boolean {
  const isOf = sign.detail?.endsWith(' not-merged') === true && partsOf(found.finding.at).includes(sign.field ?? '');
  return isOf && occurrences.some((other) => haveSameResource(other, found));
}

/** A record of which the key is missing is found nowhere. */
function isOfUnnamed(found: Occurrence, cause: Group): boolean {
  return OF_LISTS.has(found.finding.rule) && isOfSameOperation(found, cause);
}

const OF_LISTS: ReadonlySet<string> = new Set(['present', 'covers', 'distinct', 'filter']);

/** What is answered for a key that no record has is answered for one that is gone. */
function isOfUnknownKey(found: Occurrence, { occurrences }: Group): boolean {
  const isUnknown = occurrences.some(({ asks }) => asks === 'absent');
  return isUnknown && found.finding.at === 'status' && isOfSameOperation(found, { occurrences });
}

/** An invalid change that is taken changes the record, whoever asks for it afterwards. */
function isOfVictim({ exchange: { request, startedAt = '' } }: Occurrence, { occurrences }: Group): boolean {
  return occurrences.some(
    ({ exchange: cause }) =>
      (cause.request.method === 'PUT' || cause.request.method === 'PATCH') &&
      cause.request.path === request.path &&
      (cause.startedAt ?? '') <= startedAt,
  );
}

/** What belongs to a record that cannot be found, or refers to it, is refused. */
function isOfLostParent({ exchange }: Occurrence, { sign, occurrences }: Group): boolean {
  return (
    sign.detail?.endsWith(' missing') === true &&
    isNeverThere({ sign, occurrences, consequences: [] }) &&
    exchange.request.breaks === undefined
  );
}

// Where in a body something is, whatever envelope or list its records are in.

/** The names on the way to a place in a body. */
function partsOf(at: string): string[] {
  return star(at).split('/').slice(1);
}

/** Whether one way is the end of the other: an answer may have its records in an envelope, or in a list. */
function endsAlike(one: readonly string[], other: readonly string[]): boolean {
  const length = Math.min(one.length, other.length);
  return length > 0 && one.slice(-length).join('/') === other.slice(-length).join('/');
}

/** Whether something is within a value that no request may have at all. */
function isInside(parts: readonly string[], sent: string, finding: Pick<Finding, 'at' | 'actual'>): boolean {
  const place = partsOf(finding.at);
  return sent.includes(finding.actual) && place.some((_, end) => end > 0 && endsAlike(parts, place.slice(0, end)));
}

/** What was refused for its values shows them where it is stored all the same. */
function isKeptValue({ finding }: Occurrence, { sign, occurrences }: Group): boolean {
  if (sign.detail?.endsWith(' refused') !== true) return false;
  const kept = occurrences.flatMap((stored) =>
    stored.exchange.findings.filter((other) => isWithinRecord(other, stored.finding)),
  );
  return kept.some(
    ({ at, rule, actual }) => star(at) === star(finding.at) && rule === finding.rule && actual === finding.actual,
  );
}

/** Where several records of an answer were refused, the first of them alone has its place in the finding. */
function isWithinRecord({ at }: Finding, { at: text, more = 0 }: Finding): boolean {
  const record = `${text.slice(0, text.lastIndexOf('/'))}/`;
  return more === 0 ? at.startsWith(record) : star(at).startsWith(star(record));
}

/** What is there under a name that the contract does not define is not there under its own. */
function isByAnotherName({ finding, exchange }: Occurrence, { sign, occurrences }: Group): boolean {
  const { at, actual } = finding;
  if (sign.detail !== UNDEFINED || (actual !== 'absent' && actual !== 'nothing')) return false;
  const [place, name] = splitLast(at);
  return occurrences.some((other) => {
    const [around, another] = splitLast(other.finding.at);
    // Of a long answer, not all that is wrong is kept.
    if (plainName(name) === plainName(another))
      return star(place) === star(around) && other.exchange.operationId === exchange.operationId;
    return other.exchange === exchange && place === around && other.finding.actual === valueOf(finding);
  });
}

/** The place of an object, and the name of its member. */
function splitLast(at: string): [around: string, name: string] {
  const end = at.lastIndexOf('/');
  return [at.slice(0, end), at.slice(end + 1)];
}
