import { listOperations, type Occurrence } from './occurrence.js';
import { readSign, type Sign } from './sign.js';
import { has, wants } from './statuses.js';

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
  return mergeTaken(mergeServed(mergePastKey(nameAsWithKey(mergeEverywhere([...groups.values()])))));
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

/** What is not the key is accepted, too, where it gets the answer of a request with the key: that there is no such pet. */
function mergePastKey(groups: readonly Group[]): Group[] {
  const past = groups.find(({ sign, occurrences }) => sign.topic === 'key-status' && occurrences.every(isPastKey));
  if (past === undefined) return [...groups];
  const accepted = groups.find(({ sign }) => sign.topic === 'key-accepted');
  if (accepted === undefined) past.sign = { topic: 'key-accepted' };
  else accepted.occurrences.push(...past.occurrences);
  return accepted === undefined ? [...groups] : groups.filter((group) => group !== past);
}

function isPastKey({ exchange }: Occurrence): boolean {
  const { request } = exchange;
  return has(exchange, '404') && request.asksUnknown === true && !['missing', 'wrong'].includes(request.auth);
}

/** What may be there is served with the wrong status that all successes have. */
function mergeServed(groups: readonly Group[]): Group[] {
  const served = groups.filter(({ sign }) => sign.topic === 'success-status');
  return groups.filter(({ sign, occurrences }) => {
    const into = served.find(
      (each) =>
        sign.topic === 'accepted' &&
        each.sign.operation === sign.operation &&
        occurrences.every((one) => has(one.exchange, each.sign.detail ?? '') && wants(one, '2XX')),
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
  // A redirect accepts nothing.
  const isTaken = ({ exchange }: Occurrence): boolean =>
    !String(exchange.response?.status).startsWith('3') &&
    wrong.some(
      (served) =>
        served.sign.operation === exchange.operationId &&
        has(exchange, served.sign.detail ?? '') &&
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

/** Whether the one shows in answers of the same operations as the other. */
export function isOfOperations(inner: Group, outer: Group): boolean {
  const operations = new Set(outer.occurrences.map(({ exchange }) => exchange.operationId));
  return inner.occurrences.every(({ exchange }) => operations.has(exchange.operationId));
}

/** What the deviations of a group are signs of. */
interface Signed {
  sign: Sign;
  occurrences: readonly Occurrence[];
}

/**
 * What asks for a record that nobody has, or sends what is invalid, and gets without the key the very status that it gets
 * with the key, is answered before the key is looked at: by whichever status, that is the sign of one defect.
 */
function nameAsWithKey<Found extends Signed>(groups: readonly Found[]): Found[] {
  return groups.map((group) => {
    if (group.sign.topic !== 'key-status') return group;
    const due = DUE.find(
      ({ is, status }) => group.occurrences.every(is) && groups.some((other) => isInPlaceOf(status, other, group)),
    );
    return due === undefined ? group : { ...group, sign: { ...group.sign, detail: due.status } };
  });
}

/** What is due with the key, to which requests. */
const DUE: readonly { status: string; is: (found: Occurrence) => boolean }[] = [
  { status: '404', is: ({ exchange }) => exchange.request.asksUnknown === true },
  { status: '400', is: ({ exchange }) => exchange.request.breaks !== undefined },
];

/** Whether another group says that requests with the key get the same status in place of the one that is due. */
function isInPlaceOf(due: string, { sign }: Signed, { sign: { detail }, occurrences }: Signed): boolean {
  if (sign.topic !== 'refusal-status' || sign.detail !== `${due} ${detail}`) return false;
  return occurrences.every(({ exchange }) => exchange.operationId === sign.operation);
}
