import { couldChange, describeChange, withoutSource } from './changes.js';
import { nameAsWithKey } from './merges/as-with-key.js';
import { isFiltered, listFirm, listOperations, type Occurrence } from './occurrence.js';
import { readSign, type Sign } from './sign.js';
import { isBesideAnotherName } from './whose-pet.js';

/** The deviations that are signs of one thing, and those that follow from it. */
export interface Group {
  sign: Sign;
  occurrences: Occurrence[];
  /** The deviations attributed to it. */
  consequences: Group[];
}

/** Deviations grouped by sign, in the order of the first of each. */
export function groupBySign(occurrences: readonly Occurrence[]): Group[] {
  const groups = new Map<string, Group>();
  for (const occurrence of occurrences) {
    const sign = readSign(occurrence);
    const key = keyOfSign(sign);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { sign, occurrences: [occurrence], consequences: [] });
    else group.occurrences.push(occurrence);
  }
  const merged = mergeLimits(mergeEverywhere(mergeChanges([...groups.values()])));
  return mergeTaken(mergeServed(mergePastKey(nameAsWithKey(merged))));
}

export function keyOfSign({ topic, field = '', detail = '', operation = '' }: Sign): string {
  return JSON.stringify([topic, field.split(' ').toSorted().join(' '), detail, operation]);
}

/** Whether every answer that shows the one shows the other too. */
export function isWithinAnswers(inner: Group, outer: Group): boolean {
  const answers = new Set(outer.occurrences.map(({ exchange }) => exchange));
  return inner.occurrences.every(({ exchange }) => answers.has(exchange));
}

/** A defect of errors and successes alike is a defect of all answers. */
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
  // What one operation's answers lack, others have: errors lack theirs for a reason of their own.
  if ([one, other].some(({ occurrences }) => listOperations(occurrences).length < 2)) return false;
  const tell = (group: Group): string => group.occurrences[0]?.finding.actual.replace(/\d+/g, '') ?? '';
  return tell(one) === tell(other);
}

/**
 * Values that changed in an unknown way, beside others of their field that changed in a known one: reports cut texts,
 * two compared answers may be the wrong way round, and one value may change twice.
 */
function mergeChanges(groups: readonly Group[]): Group[] {
  return groups.flatMap((group) => {
    const { topic, field, detail } = group.sign;
    if (topic !== 'changed' || detail !== undefined) return [group];
    const known = groups
      .filter(({ sign }) => sign.topic === topic && sign.field === field && sign.detail !== undefined)
      .toSorted((one, other) => other.occurrences.length - one.occurrences.length);
    const rest = group.occurrences.filter((each) => !putWhereKnown(each, known));
    if (rest.length === 0) return [];
    group.occurrences = rest;
    return mergeNumbers(group, known[0]) ? [] : [group];
  });
}

/** Whether an unknown change is a known one after all: in the opposite direction, or beside others. */
function putWhereKnown(each: Occurrence, known: readonly Group[]): boolean {
  const into =
    known.find(({ sign }) => sign.detail === describeReverse(each)) ??
    (isText(each) ? known.find((group) => mayBeOf(each, group)) : undefined);
  into?.occurrences.push(each);
  return into !== undefined;
}

function mayBeOf(each: Occurrence, { sign: { detail = '' }, occurrences }: Group): boolean {
  const { expected, actual } = each.finding;
  return (
    occurrences.some(({ exchange }) => exchange.operationId === each.exchange.operationId) &&
    couldChange(detail, withoutSource(expected), withoutSource(actual))
  );
}

/** If one number of a pet changed in another way, all its numbers did. */
function mergeNumbers(group: Group, into: Group | undefined): boolean {
  if (into === undefined || group.occurrences.every(isText) || !areFirmlyOfOperations(group, into)) return false;
  if (group.occurrences.every(isBesideAnotherName)) return false;
  delete into.sign.detail;
  into.occurrences.push(...group.occurrences);
  return true;
}

/** How a value changed if the answer compared with it is the wrong one. */
function describeReverse({ finding }: Occurrence): string | undefined {
  return describeChange(withoutSource(finding.actual), withoutSource(finding.expected)) ?? NO_WAY;
}

/** Differs from every known change. */
const NO_WAY = '';

function isText({ finding }: Occurrence): boolean {
  return /^["…]/.test(finding.expected);
}

/** What is not the key is accepted, too, where it gets the answer of a request with the key: that there is no such pet. */
function mergePastKey(groups: readonly Group[]): Group[] {
  const past = groups.find(({ sign, occurrences }) => sign.topic === 'key-status' && occurrences.every(isPastKey));
  if (past === undefined) return [...groups];
  const accepted = groups.find(({ sign }) => sign.topic === 'key-accepted');
  if (accepted === undefined) past.sign = { topic: 'key-accepted' };
  else accepted.occurrences.push(...past.occurrences);
  return accepted === undefined ? [...groups] : groups.filter((group) => group !== past);
}

function isPastKey({ exchange: { request }, finding: { actual } }: Occurrence): boolean {
  return actual === '404' && request.asksUnknown === true && !['missing', 'wrong'].includes(request.auth);
}

/** What may be there is served with the wrong status that all successes have. */
function mergeServed(groups: readonly Group[]): Group[] {
  const served = groups.filter(({ sign }) => sign.topic === 'success-status');
  return groups.filter(({ sign, occurrences }) => {
    const into = served.find(
      (each) =>
        sign.topic === 'accepted' &&
        each.sign.operation === sign.operation &&
        occurrences.every(({ finding }) => finding.actual === each.sign.detail && /\b2\d\d\b/.test(finding.expected)),
    );
    into?.occurrences.push(...occurrences);
    return into === undefined;
  });
}

/** What should be refused was taken, where it is answered as what should be taken is. */
function mergeTaken(groups: readonly Group[]): Group[] {
  const wrong = groups.filter(({ sign }) => sign.topic === 'success-status');
  const merged = new Map<string, Group>();
  for (const group of groups) {
    group.sign = readTaken(group, wrong) ?? group.sign;
    const same = merged.get(keyOfSign(group.sign));
    if (same === undefined) merged.set(keyOfSign(group.sign), group);
    else same.occurrences.push(...group.occurrences);
  }
  return [...merged.values()];
}

/** What refusals are a sign of that are answered as successes are, though with a wrong status; else `undefined`. */
function readTaken({ sign, occurrences }: Group, wrong: readonly Group[]): Sign | undefined {
  if (sign.topic !== 'refusal-status' && sign.topic !== 'key-status') return undefined;
  const isTaken = ({ exchange, finding }: Occurrence): boolean =>
    wrong.some(
      (served) =>
        served.sign.operation === exchange.operationId &&
        served.sign.detail === finding.actual &&
        served.occurrences.some((each) => leadsTo(each) === leadsTo({ exchange })),
    );
  if (!occurrences.every(isTaken)) return undefined;
  return sign.topic === 'key-status'
    ? { topic: 'key-accepted' }
    : { topic: 'accepted', operation: sign.operation ?? '' };
}

/** Where an answer redirects to, whatever record that is: a refused request may be led to a login. */
function leadsTo({ exchange }: Pick<Occurrence, 'exchange'>): string | undefined {
  return exchange.response?.headers['location']?.replace(/\d+/g, '*');
}

/** If pages of the default's size are too long with a limit, pages without a limit are too long for the same reason. */
function mergeLimits(groups: readonly Group[]): Group[] {
  const asked = groups.find(({ sign }) => sign.topic === 'limit' && sign.detail === 'asked');
  const byDefault = groups.find(({ sign }) => sign.topic === 'limit' && sign.detail === 'default');
  if (asked === undefined || byDefault === undefined || !areAsLong(asked, byDefault)) return [...groups];
  const longer = byDefault.occurrences.filter((one) => isLongerThanAny(one, asked) || isOfOtherLists(one, asked));
  asked.sign = { topic: 'limit' };
  asked.occurrences.push(...byDefault.occurrences.filter((one) => !longer.includes(one)));
  byDefault.occurrences = longer;
  return groups.filter((group) => group !== byDefault || longer.length > 0);
}

function areAsLong(asked: Group, byDefault: Group): boolean {
  return byDefault.occurrences.some((one) =>
    asked.occurrences.some(
      (other) =>
        isOfOneLimit(one, other) && Math.abs(numberIn(one.finding.actual) - numberIn(other.finding.actual)) <= 1,
    ),
  );
}

/** What lengthens pages with a limit lengthens pages without one by no more; what is longer still has a cause of its own. */
function isLongerThanAny(one: Occurrence, { occurrences }: Group): boolean {
  return occurrences
    .filter((other) => isOfOneLimit(one, other))
    .every((other) => numberIn(one.finding.actual) > numberIn(other.finding.actual) + 1);
}

/** Where only filtered pages are too long with a limit, that says nothing of those without a filter, and vice versa. */
function isOfOtherLists(one: Occurrence, { occurrences }: Group): boolean {
  return !occurrences.some((other) => isFiltered(other) === isFiltered(one));
}

function isOfOneLimit(one: Occurrence, other: Occurrence): boolean {
  return numberIn(one.finding.expected) === numberIn(other.finding.expected);
}

function numberIn(text: string): number {
  return Number(/\d+/.exec(text)?.[0]);
}

/** {@link isOfOperations}, by the deviations that show whose answers are wrong. */
export function areFirmlyOfOperations(inner: Group, outer: Group): boolean {
  return isOfOperations(
    { ...inner, occurrences: [...listFirm(inner.occurrences)] },
    { ...outer, occurrences: [...listFirm(outer.occurrences)] },
  );
}

/** Whether the one shows in answers of the same operations as the other. */
export function isOfOperations(inner: Group, outer: Group): boolean {
  const operations = new Set(outer.occurrences.map(({ exchange }) => exchange.operationId));
  return inner.occurrences.every(({ exchange }) => operations.has(exchange.operationId));
}
