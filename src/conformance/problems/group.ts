import { describeChange, withoutSource } from './changes.js';
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
  return mergeLimits(mergeEverywhere(mergeChanges(mergeMissing([...groups.values()]))));
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

/**
 * Values that changed in a way which is not known changed as the others of their field did: texts are cut for a report,
 * and answers that are compared may be the wrong way round. Of numbers, one that changed otherwise says that all did.
 */
function mergeChanges(groups: readonly Group[]): Group[] {
  const merged = [...groups];
  for (const group of groups) {
    const into = group.sign.topic === 'changed' ? findAlike(group, merged) : undefined;
    if (into === undefined) continue;
    if (!into.occurrences.every(isText)) delete into.sign.detail;
    into.occurrences.push(...group.occurrences);
    merged.splice(merged.indexOf(group), 1);
  }
  return merged;
}

function findAlike(group: Group, groups: readonly Group[]): Group | undefined {
  const { field, detail } = group.sign;
  const others = groups.filter(
    (each) => each !== group && each.sign.topic === 'changed' && each.sign.field === field && each.sign.detail,
  );
  const largest = others.toSorted((a, b) => b.occurrences.length - a.occurrences.length)[0];
  const reversed = others.find(({ sign }) => group.occurrences.every((each) => sign.detail === describeReverse(each)));
  if (detail === undefined && reversed !== undefined) return reversed;
  if (largest === undefined || !isOfOperations(group, largest)) return undefined;
  return detail === undefined ? largest : undefined;
}

/** How a value changed, were the answer that it is compared with the wrong one. */
function describeReverse({ finding }: Occurrence): string | undefined {
  return describeChange(withoutSource(finding.actual), withoutSource(finding.expected));
}

function isText({ finding }: Occurrence): boolean {
  return /^["…]/.test(finding.expected);
}

/** A page without a limit is too long for the same reason as pages with one, where those of the default's size are as long. */
function mergeLimits(groups: readonly Group[]): Group[] {
  const asked = groups.find(({ sign }) => sign.topic === 'limit' && sign.detail === 'asked');
  const byDefault = groups.find(({ sign }) => sign.topic === 'limit' && sign.detail === 'default');
  if (asked === undefined || byDefault === undefined || !areAsLong(asked, byDefault)) return [...groups];
  asked.sign = { topic: 'limit' };
  asked.occurrences.push(...byDefault.occurrences);
  return groups.filter((group) => group !== byDefault);
}

function areAsLong(asked: Group, byDefault: Group): boolean {
  return byDefault.occurrences.some((one) =>
    asked.occurrences.some(
      (other) =>
        numberIn(one.finding.expected) === numberIn(other.finding.expected) &&
        Math.abs(numberIn(one.finding.actual) - numberIn(other.finding.actual)) <= 1,
    ),
  );
}

function numberIn(text: string): number {
  return Number(/\d+/.exec(text)?.[0]);
}

/** Whether the one shows in answers of the same operations as the other. */
export function isOfOperations(inner: Group, outer: Group): boolean {
  const operations = new Set(outer.occurrences.map(({ exchange }) => exchange.operationId));
  return inner.occurrences.every(({ exchange }) => operations.has(exchange.operationId));
}
