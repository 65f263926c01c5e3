import type { Occurrence } from './occurrence.js';
import { readSign, type Sign } from './sign.js';

/** The deviations that are signs of one thing, and those that follow from it. */
export interface Group {
  sign: Sign;
  occurrences: Occurrence[];
  /** What was put down to it. */
  consequences: Group[];
}

/** Deviations by what they are signs of, in the order of the first of each. */
export function groupBySign(occurrences: readonly Occurrence[]): Group[] {
  const groups = new Map<string, Group>();
  for (const occurrence of occurrences) {
    const sign = readSign(occurrence);
    const key = keyOfSign(sign);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { sign, occurrences: [occurrence], consequences: [] });
    else group.occurrences.push(occurrence);
  }
  return mergeEverywhere(mergeChanges(mergeMissing([...groups.values()])));
}

export function keyOfSign({ topic, field = '', detail = '', operation = '' }: Sign): string {
  return JSON.stringify([topic, field, detail, operation]);
}

/** Whether every answer that shows the one shows the other too. */
export function isWithinAnswers(inner: Group, outer: Group): boolean {
  const answers = new Set(outer.occurrences.map(({ exchange }) => exchange));
  return inner.occurrences.every(({ exchange }) => answers.has(exchange));
}

/** Fields that the same answers lack are lacking for one reason. */
function mergeMissing(groups: readonly Group[]): Group[] {
  const merged: Group[] = [];
  for (const group of groups) {
    const same = group.sign.topic === 'missing-fields' && merged.find((each) => isMissingAlike(each, group));
    if (!same) {
      merged.push(group);
      continue;
    }
    same.sign = { ...same.sign, field: [same.sign.field, group.sign.field].join(' ') };
    same.occurrences.push(...group.occurrences);
  }
  return merged;
}

function isMissingAlike(one: Group, other: Group): boolean {
  return one.sign.topic === 'missing-fields' && (isWithinAnswers(one, other) || isWithinAnswers(other, one));
}

/** What is wrong with errors and with successes alike is wrong with all answers. */
function mergeEverywhere(groups: readonly Group[]): Group[] {
  const merged: Group[] = [];
  for (const group of groups) {
    const same = merged.find((each) => isSameEverywhere(each, group));
    if (same === undefined) merged.push(group);
    else {
      same.sign = { ...same.sign, field: 'any' };
      same.occurrences.push(...group.occurrences);
    }
  }
  return merged;
}

function isSameEverywhere(one: Group, other: Group): boolean {
  const { topic } = one.sign;
  if (topic !== other.sign.topic || !['not-json', 'no-body', 'content-type'].includes(topic)) return false;
  const tell = (group: Group): string => group.occurrences[0]?.finding.actual.replace(/\d+/g, '') ?? '';
  return tell(one) === tell(other);
}

/** Values that changed in a way which is not known changed as the others of their field did. */
function mergeChanges(groups: readonly Group[]): Group[] {
  const largest = (field: string | undefined): Group | undefined =>
    groups
      .filter(({ sign }) => sign.topic === 'changed' && sign.field === field && sign.detail !== undefined)
      .toSorted((a, b) => b.occurrences.length - a.occurrences.length)[0];
  return groups.filter((group) => {
    if (group.sign.topic !== 'changed') return true;
    const target = largest(group.sign.field);
    if (target === undefined || !isOfOperations(group, target)) return true;
    const isRare = group.occurrences.length * 4 < target.occurrences.length;
    if (target === group || (group.sign.detail !== undefined && !isRare)) return true;
    target.occurrences.push(...group.occurrences);
    return false;
  });
}

/** Whether the one shows in answers of the same operations as the other. */
export function isOfOperations(inner: Group, outer: Group): boolean {
  const operations = new Set(outer.occurrences.map(({ exchange }) => exchange.operationId));
  return inner.occurrences.every(({ exchange }) => operations.has(exchange.operationId));
}
