import { isOfOperations, isWithinAnswers, keyOfSign, type Group } from '../group.js';
import { listOperations, resourceOf, type Occurrence } from '../occurrence.js';
import { UNDEFINED } from '../of-object.js';
import { isOfResource } from '../records/record-sign.js';

/**
 * Fields missing from the same answers are missing for one reason, and so are header fields, fields that are null, members
 * that one object may not have, and values that break the one rule which they share.
 */
export function mergeMissing(groups: readonly Group[]): Group[] {
  const merged: Group[] = [];
  for (const group of groups.flatMap((each) => splitMissing(each, groups))) {
    const same = merged.find((each) => areAlike(each, group));
    if (!same) {
      merged.push(group);
      continue;
    }
    same.sign = { ...same.sign, field: [same.sign.field, group.sign.field].join(' ') };
    same.occurrences.push(...group.occurrences);
  }
  return joinEqual(merged);
}

/** What the answers of one operation lack beside other fields, those of another may lack alone, for a reason of their own. */
function splitMissing(group: Group, groups: readonly Group[]): Group[] {
  // Resources have fields of other names, whatever makes all of them lack some.
  const resources = new Set(group.occurrences.map(({ scenario }) => resourceOf(scenario)));
  if (group.sign.topic !== 'missing-fields' || resources.size > 1) return [group];
  const byFields = new Map<string, Occurrence[]>();
  for (const each of group.occurrences) {
    const fields = listMissing(each, groups);
    byFields.set(fields, [...(byFields.get(fields) ?? []), each]);
  }
  return [...byFields.values()].map((occurrences) => ({ sign: group.sign, occurrences, consequences: [] }));
}

/** The fields that some answer of the same operation lacks. */
function listMissing({ exchange }: Occurrence, groups: readonly Group[]): string {
  return groups
    .filter(({ sign }) => sign.topic === 'missing-fields')
    .filter(({ occurrences }) => occurrences.some((other) => other.exchange.operationId === exchange.operationId))
    .map(({ sign }) => sign.field)
    .join(' ');
}

function isMissing({ sign: { topic, detail } }: Group): boolean {
  return topic === 'missing-fields' || (topic === 'header' && detail === 'required');
}

/** A field that fewer of an answer's items lack than another one is missing for a reason of its own. */
function isMissingAlike(one: Group, other: Group): boolean {
  if (!isMissing(one) || !isMissing(other) || one.sign.topic !== other.sign.topic) return false;
  if (!(isWithinAnswers(one, other) || isWithinAnswers(other, one))) return false;
  return one.occurrences.every(({ exchange }) => {
    const [lacks, others] = [one, other].map((group) => countIn(group, exchange));
    return lacks === others || others === 0;
  });
}

function areAlike(one: Group, other: Group): boolean {
  return isMissingAlike(one, other) || areNullAlike(one, other) || breakOneRule(one, other);
}

/** Of objects in the answers of the same operations, members that no schema defines, or that share theirs: entries of a map. */
function breakOneRule(...pair: readonly [Group, Group]): boolean {
  const [one, other] = pair;
  if (!pair.every(({ sign, occurrences }) => sign.topic === 'field-value' && occurrences.every(isOfResource)))
    return false;
  if (one.sign.detail !== other.sign.detail || !sharePlace(one, other)) return false;
  const [within, around] = [isOfOperations(one, other), isOfOperations(other, one)];
  return one.sign.detail === UNDEFINED ? within && around : within || around;
}

/** Whether what the contract says of the one is, word by word, what it says of the other. */
function sharePlace(...pair: readonly [Group, Group]): boolean {
  const [places, others] = pair.map(
    ({ occurrences }) => new Set(occurrences.map(({ finding }) => finding.contract?.pointer ?? '')),
  );
  return [...(places ?? [])].some((place) => place !== '' && others?.has(place) === true);
}

/** What a service writes for a value that is not there, it writes for every field of an operation's answers. */
function areNullAlike(...pair: readonly [Group, Group]): boolean {
  const [operations, others] = pair.map(({ occurrences }) => listOperations(occurrences).toSorted().join(' '));
  return operations === others && pair.every(isNull);
}

function isNull({ sign: { topic, detail }, occurrences }: Group): boolean {
  return topic === 'field-value' && detail === 'null' && occurrences.every(isOfResource);
}

/** How many items of an answer lack each of a group's fields. */
function countIn({ sign, occurrences }: Group, answer: Occurrence['exchange']): number {
  const all = occurrences
    .filter(({ exchange }) => exchange === answer)
    .reduce((sum, { finding: { more = 0 } }) => sum + 1 + more, 0);
  return all / (sign.field ?? '').split(' ').length;
}

/** What is left of a field that was taken apart for nothing is put together again. */
function joinEqual(groups: readonly Group[]): Group[] {
  const joined = new Map<string, Group>();
  for (const group of groups) {
    const same = joined.get(keyOfSign(group.sign));
    if (same === undefined) joined.set(keyOfSign(group.sign), group);
    else same.occurrences.push(...group.occurrences);
  }
  return [...joined.values()];
}
