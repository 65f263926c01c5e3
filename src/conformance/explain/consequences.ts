import { isOfOperations, isWithinAnswers, type Group } from './group.js';
import { mayBeMisdecoded, valueOf } from './changes.js';
import { listOperations, type Occurrence } from './occurrence.js';
import { any, each, isOfSameAnswer, ofSameAnswers, whole, type Follows } from './follows/follows.js';
import { isAcceptedValue, isOfWrongPart } from './follows/of-fields.js';
import { RECORD_CONSEQUENCES } from './records/record-consequences.js';
import { kindOf } from './kind-of.js';
import { describeRequests, kindOfRequest } from './requests.js';
import type { Topic } from './sign.js';
import { has } from './statuses.js';

/**
 * A request with an accepted key meets what every request meets: no such pet, an invalid body. Services read keys in
 * one place, so a key that passes for one operation passes for all; whether a key is required at all may differ by
 * operation.
 */
const pastKey = each(['key-status'], ({ exchange: { request, operationId } }, { occurrences }) => {
  // With the right key it would be served, whatever is refused otherwise.
  if (request.breaks === undefined && request.asksUnknown !== true) return false;
  const forms = new Set(occurrences.map(({ exchange }) => exchange.request.auth));
  if (forms.has(request.auth) && !PLAIN_FORMS.has(request.auth)) return true;
  const served = new Set(occurrences.map(({ exchange }) => exchange.operationId));
  // What several operations serve without a key is no check of it at all.
  if (forms.has('missing') && served.size > 1) return true;
  const isServed = served.has(operationId);
  return isServed && (forms.has(request.auth) || (forms.has('wrong') && request.auth !== 'missing'));
});

/** Where any key is accepted, or an operation asks for none, nobody looks at scopes. */
function isOfAnyKey({ exchange: { operationId } }: Occurrence, { occurrences }: Group): boolean {
  return occurrences.some(
    ({ exchange: { request, ...other } }) =>
      request.auth === 'wrong' || (request.auth === 'missing' && other.operationId === operationId),
  );
}

const PLAIN_FORMS: ReadonlySet<string> = new Set(['missing', 'wrong']);

/** An answer for a record that does not exist is made up, and wrong for that reason alone. */
const ofUnknown = (...topics: Topic[]): Follows =>
  whole(
    (effect, cause) =>
      topics.includes(effect.sign.topic) && isOfOperations(effect, cause) && areOfUnknown(effect, cause),
  );

/** A service that a request brought down answers no more; but where an answer began, something answered. */
const afterCrash = whole(({ sign }) => sign.topic === 'unanswered' && sign.detail !== 'incomplete');

/** Requests without a key, or with another mistake, fail like requests without any mistake. */
const alsoElsewhere = whole(
  (effect, cause) =>
    effect.sign.topic === 'crash' &&
    cause.sign.detail === 'valid' &&
    isOfOperations(effect, cause) &&
    (areOfUnknown(effect, cause) ||
      describeRequests(effect.occurrences) === describeRequests(cause.occurrences) ||
      failsAlways(effect, cause)),
);

/** Whether the scenarios that show it show no request that the operation answers otherwise: it fails whatever is asked. */
function failsAlways(...groups: readonly [effect: Group, cause: Group]): boolean {
  const operations = new Set(listOperations(groups[1].occurrences));
  const scenarios = new Set(groups.flatMap(({ occurrences }) => occurrences.map(({ scenario }) => scenario)));
  const asked = [...scenarios].flatMap(({ steps }) => steps.flatMap(({ exchanges }) => exchanges));
  return asked
    .filter(({ operationId }) => operationId !== undefined && operations.has(operationId))
    .every(({ response }) => response !== undefined && response.status >= 500);
}

function areOfUnknown(...groups: Group[]): boolean {
  return groups.every(({ occurrences }) => occurrences.every(({ exchange }) => exchange.request.asksUnknown === true));
}

/** A refusal with a wrong status looks like a refused key if a refused key would get that status. */
const sameStatus = whole(
  (effect, cause) =>
    effect.sign.topic === 'key-refused' &&
    isOfOperations(effect, cause) &&
    cause.occurrences.slice(0, 1).every(({ exchange }) => has(exchange, effect.sign.detail ?? '')),
);

/** An operation that refuses what the contract allows does not look whether what is asked for is there. */
const ofRefusal = each(['refusal-status'], ({ exchange }, { sign, occurrences }) => {
  const isAllowed = exchange.request.breaks === undefined && exchange.request.auth === 'valid';
  const isOf = occurrences.some((other) => other.exchange.operationId === exchange.operationId);
  return isAllowed && isOf && has(exchange, sign.detail ?? '');
});

/** A list that is not sent again is answered as if it were an empty success. */
const ofUnchanged = each(
  ['success-status'],
  ({ exchange }, { sign, occurrences }) =>
    sign.detail?.endsWith(' stale') === true &&
    has(exchange, '304') &&
    occurrences.some((other) => other.exchange.operationId === exchange.operationId),
);

/** What is answered with a status that promises no record is none. */
const ofOtherStatus = whole(
  (effect, cause) =>
    effect.sign.topic === 'body-type' &&
    isWithinAnswers(effect, cause) &&
    /^(?:3|204|205)/.test(cause.sign.detail ?? ''),
);

/** What is no JSON is said to be something else, unless it begins as JSON does. */
const ofOtherText: Follows = (effect, cause) => {
  if (effect.sign.topic !== 'content-type' || !isWithinAnswers(effect, cause)) return [];
  const isMeantAsJson = effect.occurrences.every(({ exchange }) => /^[[{]/.test(exchange.response?.body ?? ''));
  return isMeantAsJson ? [] : effect.occurrences;
};

/** Bytes in another encoding are invalid JSON in one place, and wrong letters in another. */
const ofEncoding: Follows = ({ sign, occurrences }, cause) => {
  const isOfBytes = cause.occurrences.some(({ finding }) => finding.actual.includes('UTF-8'));
  if (sign.topic !== 'record' || !isOfBytes) return [];
  return occurrences.filter(
    (found) => isOfSameAnswer(found, cause) || mayBeMisdecoded(valueOf(found.finding), found.finding.actual),
  );
};

/** How a text that is no JSON was meant is a guess where it has letters that JSON escapes. */
const ofGuess: Follows = ({ sign, occurrences }, cause) => {
  if (sign.topic !== 'changed' && sign.topic !== 'record') return [];
  const isGuessed = ({ finding }: Occurrence): boolean =>
    [valueOf(finding), finding.actual].some((text) => /[\\'"]/.test(text.slice(1, -1)));
  return occurrences.filter((found) => isOfSameAnswer(found, cause) && isGuessed(found));
};

/** A list that is written a record a line is no list where it has one, and no JSON where it has more. */
const ofLines = each(
  ['body-type'],
  ({ finding, exchange }, { occurrences }) =>
    finding.rule === 'type' &&
    kindOf(finding.actual) === 'an object' &&
    occurrences.some((other) => other.exchange.operationId === exchange.operationId),
);

/** A number that JSON does not have is read as a text that says so, and is none for that reason. */
const ofNoNumber = each(['field-value', 'changed', 'record'], ({ finding }) =>
  [valueOf(finding), finding.actual].some((text) => /^"(?:NaN|-?Infinity)"/.test(text)),
);

const BODY_TOPICS = ['body-type', 'missing-fields', 'field-value', 'header', 'changed', 'no-body'] as const;
const ERROR_TOPICS = ['error-shape', 'error-status', 'content-type', 'not-json', 'no-body'] as const;

/** The page of one filter that is shown for another lacks what that one lets through. */
const ofMixedPages = whole(
  (effect, cause) =>
    effect.sign.topic === 'now-and-then' &&
    cause.sign.detail?.endsWith(' filter') === true &&
    isOfOperations(effect, cause),
);

/** Which problem follows from which; the rules that explain the most come first. */
const CONSEQUENCES: readonly (readonly [cause: Topic, follows: Follows])[] = [
  [
    'not-json',
    any(ofSameAnswers('error-shape', 'body-type', 'no-body'), ofOtherText, ofEncoding, ofGuess, ofLines, ofNoNumber),
  ],
  ['no-body', ofSameAnswers('content-type')],
  ['crash', any(ofSameAnswers(...ERROR_TOPICS), afterCrash, alsoElsewhere, each(['crash'], isOfSpoiled))],
  ['accepted', ofUnknown(...BODY_TOPICS, 'success-status')],
  ['success-status', any(ofSameAnswers('not-json', 'no-body', 'content-type', 'body-forbidden'), ofOtherStatus)],
  ['key-accepted', any(pastKey, ofSameAnswers('accepted', ...BODY_TOPICS))],
  ['key-accepted', each(['scope-accepted'], isOfAnyKey)],
  ['scope-accepted', ofSameAnswers('accepted', ...BODY_TOPICS)],
  ['key-status', ofSameAnswers(...ERROR_TOPICS)],
  ['refusal-status', any(ofSameAnswers(...ERROR_TOPICS), sameStatus)],
  ['accepted', any(ofSameAnswers(...BODY_TOPICS), each(['crash'], isOfSpoiled))],
  ['accepted', each(['field-value', 'missing-fields'], isAcceptedValue)],
  ['body-type', each(['missing-fields', 'field-value', 'changed'], isOfWrongPart)],
  ['refused', ofRefusal],
  ['record', any(ofMixedPages, ofUnchanged)],
  ...RECORD_CONSEQUENCES,
];

/** Attributes to each cause what follows from it. */
export function foldConsequences(groups: readonly Group[]): Group[] {
  let left = [...groups];
  for (const [topic, follows] of CONSEQUENCES) {
    for (const cause of left.filter(({ sign }) => sign.topic === topic)) {
      if (!left.includes(cause)) continue;
      left = left.flatMap((effect) => (effect === cause ? [effect] : putDown(effect, cause, follows)));
    }
  }
  return left;
}

/** The rest of an effect after removing what follows from the cause. */
function putDown(effect: Group, cause: Group, follows: Follows): Group[] {
  const explained = new Set(follows(effect, cause));
  if (explained.size === 0) return [effect];
  const rest = effect.occurrences.filter((one) => !explained.has(one));
  if (rest.length === 0) {
    cause.consequences.push(effect, ...effect.consequences);
    return [];
  }
  cause.consequences.push({ ...effect, occurrences: [...explained], consequences: [] });
  effect.occurrences = rest;
  return [effect];
}

/** A record at which a change failed, or that keeps what should have been refused, cannot be fetched right after it. */
function isOfSpoiled(found: Occurrence, { occurrences }: Group): boolean {
  const { exchange, scenario } = found;
  if (exchange.request.method !== 'GET' || kindOfRequest(found) !== 'valid') return false;
  const all = scenario.steps.flatMap(({ exchanges }) => exchanges);
  return occurrences.some(
    (cause) =>
      cause.scenario === scenario &&
      cause.exchange.request.method !== 'GET' &&
      cause.exchange.request.path === exchange.request.path &&
      all.indexOf(cause.exchange) < all.indexOf(exchange),
  );
}
