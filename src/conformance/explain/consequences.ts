import { areFirmlyOfOperations, isOfOperations, isWithinAnswers, type Group } from './group.js';
import { couldChange, MISDECODED, ROUNDED, withoutSource } from './changes.js';
import { listOperations, type Occurrence } from './occurrence.js';
import { any, each, has, isOfSameAnswer, ofSameAnswers, whole, type Follows } from './follows/follows.js';
import {
  isAcceptedValue,
  isOfAbsent,
  isOfBareId,
  isOfShownStatus,
  isOfValues,
  isOfWrongItem,
  isOfWrongPart,
} from './follows/of-fields.js';
import { isOfAnyKey, pastKey } from './follows/of-keys.js';
import { isOfLoneId, ofId, ofOtherId, ofRepeatedIds, ofShownTwice, ofStatus } from './follows/of-ids.js';
import { isOfLeak, isOfLimit, isOfLost, ofOtherPages } from './follows/of-pages.js';
import { isAnotherRecord, isComparedId, ofAnyId, ofOtherPet } from './follows/of-other-pet.js';
import { leftBehind, ofRefused } from './follows/of-refused.js';
import { isOfSpoiled } from './follows/of-spoiled.js';
import { RECORD_CONSEQUENCES } from './records/record-consequences.js';
import { describeRequests } from './requests.js';
import type { Topic } from './sign.js';
import { isLeftOut, isOfAnotherPet, isOfOneName } from './whose-pet.js';

/** An answer for a record that does not exist is made up, and wrong for that reason alone. */
const ofUnknown = (...topics: Topic[]): Follows =>
  whole(
    (effect, cause) =>
      topics.includes(effect.sign.topic) && isOfOperations(effect, cause) && areOfUnknown(effect, cause),
  );

/** Another pet is made up for an id that none has only where some answer shows both. */
const madeUpPet: Follows = (effect, cause) => {
  const isBoth = effect.occurrences.some((found) => isOfSameAnswer(found, cause));
  return isBoth ? ofUnknown('wrong-pet')(effect, cause) : [];
};

/** A record made up for an id has one that a create gives later, and is in no list. */
const ofMadeUp: Follows = ({ sign, occurrences }, cause) => {
  if (!areOfUnknown(cause)) return [];
  if (sign.topic === 'id-twice')
    return occurrences.filter(({ finding }) => finding.check === 'new-id' && finding.rule !== 'given-twice');
  return occurrences.every(({ finding }) => finding.check === 'listed') ? occurrences : [];
};

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
    effect.sign.detail === cause.occurrences[0]?.finding.actual,
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

/** Bytes in another encoding are invalid JSON in one place, and wrong letters in another: no letters of ASCII. */
const ofEncoding: Follows = ({ sign: { topic, detail = MISDECODED }, occurrences }, cause) => {
  const isOfBytes = cause.occurrences.some(({ finding }) => finding.actual.includes('UTF-8'));
  if (topic === 'record' && isOfBytes) return occurrences.filter((found) => isOfSameAnswer(found, cause));
  if (topic !== 'changed' || detail !== MISDECODED || !isOfBytes) return [];
  return occurrences.filter(({ finding: { expected, actual } }) => mayHaveChanged(MISDECODED, expected, actual));
};

/** Two lists that were not read at one time differ for that reason, where nobody waits since both are wrong anyway. */
const ofUnsettled = each(['surplus'], isOfSameAnswer);

/** How a text that is no JSON was meant is a guess where it has letters that JSON escapes. */
const ofGuess: Follows = ({ sign, occurrences }, cause) => {
  if (sign.topic !== 'changed' && sign.topic !== 'record') return [];
  const isGuessed = ({ finding: { expected, actual } }: Occurrence): boolean =>
    [expected, actual].some((text) => /[\\'"]/.test(withoutSource(text).slice(1, -1)));
  return occurrences.filter((found) => isOfSameAnswer(found, cause) && isGuessed(found));
};

/** A number that JSON does not have is read as a text that says so, and is none for that reason. */
const ofNoNumber = each(['field-value', 'changed', 'record'], ({ finding: { expected, actual } }) =>
  [expected, actual].some((text) => /^"(?:NaN|-?Infinity)"/.test(text)),
);

/** Two different pets may look as if one were a changed form of the other, though hardly as if a number were rounded. */
const byChance = whole(
  ({ sign, occurrences }, cause) =>
    sign.topic === 'changed' &&
    sign.detail !== ROUNDED &&
    occurrences.length <= RARE &&
    !occurrences.some((found) => isOfLoneId(found, cause)) &&
    occurrences.every(({ finding }) => finding.check !== 'echo' && !isOfOneName(finding) && !isLeftOut(finding)),
);

/** A text that this change would have left alone was changed otherwise. */
const ofChangedField = whole(
  (effect, cause) =>
    effect.sign.topic === 'changed' &&
    effect.sign.field === cause.sign.field &&
    areFirmlyOfOperations(effect, cause) &&
    effect.occurrences.every(({ finding: { expected, actual } }) =>
      mayHaveChanged(cause.sign.detail, expected, actual),
    ),
);

function mayHaveChanged(how: string | undefined, expected: string, actual: string): boolean {
  if (!/^["…]/.test(expected)) return true;
  return how !== undefined && couldChange(how, withoutSource(expected), withoutSource(actual));
}

const RARE = 3;
const BODY_TOPICS = ['body-type', 'missing-fields', 'field-value', 'header', 'changed', 'no-body'] as const;
const ERROR_TOPICS = ['error-shape', 'error-status', 'content-type', 'not-json', 'no-body'] as const;

/** The page of one filter that is shown for another lacks what that one lets through. */
const ofMixedPages = whole(
  (effect, cause) =>
    effect.sign.topic === 'now-and-then' &&
    (cause.sign.topic === 'filter' || cause.sign.detail?.endsWith(' filter') === true) &&
    isOfOperations(effect, cause),
);

/** Which problem follows from which; the rules that explain the most come first. */
const CONSEQUENCES: readonly (readonly [cause: Topic, follows: Follows])[] = [
  [
    'not-json',
    any(
      ofSameAnswers('error-shape', 'body-type', 'no-body'),
      ofOtherText,
      ofEncoding,
      ofGuess,
      ofNoNumber,
      ofUnsettled,
    ),
  ],
  ['no-body', ofSameAnswers('content-type')],
  ['crash', any(ofSameAnswers(...ERROR_TOPICS), afterCrash, alsoElsewhere, each(['crash'], isOfSpoiled))],
  ['accepted', any(ofUnknown(...BODY_TOPICS, 'success-status'), madeUpPet)],
  ['success-status', any(ofSameAnswers('not-json', 'no-body', 'content-type', 'body-forbidden'), ofOtherStatus)],
  ['key-accepted', any(leftBehind, pastKey, ofSameAnswers('accepted', ...BODY_TOPICS))],
  ['key-accepted', each(['scope-accepted'], isOfAnyKey)],
  ['scope-accepted', any(leftBehind, ofSameAnswers('accepted', ...BODY_TOPICS))],
  ['key-status', ofSameAnswers(...ERROR_TOPICS)],
  ['refusal-status', any(ofSameAnswers(...ERROR_TOPICS), sameStatus)],
  ['accepted', any(leftBehind, ofSameAnswers(...BODY_TOPICS, 'id-twice'), ofMadeUp, each(['crash'], isOfSpoiled))],
  ['accepted', each(['field-value', 'missing-fields'], isAcceptedValue)],
  [
    'body-type',
    any(
      each(['lost', 'filter'], isOfWrongItem),
      each(['missing-fields', 'field-value', 'changed', 'surplus'], isOfWrongPart),
      each(['changed', 'filter'], isOfBareId),
    ),
  ],
  ['wrong-pet', isAnotherRecord],
  [
    'id-twice',
    any(
      has('surplus'),
      ofShownTwice,
      each(['wrong-pet'], isComparedId),
      ofRepeatedIds,
      each(['changed'], (found, cause) => isOfAnotherPet(found) && !isOfLoneId(found, cause)),
      byChance,
    ),
  ],
  ['missing-fields', any(each(['changed'], isOfAbsent), each(['filter'], isOfShownStatus), ofId, ofStatus)],
  ['field-value', any(each(['changed'], isOfValues), each(['filter'], isOfShownStatus), ofId, ofStatus)],
  ['wrong-pet', any(ofOtherPet, ofAnyId, ofOtherId)],
  ['changed', each(['filter'], isOfShownStatus)],
  ['filter', any(has('surplus'), each(['lost'], isOfLeak), ofSameAnswers('page'), ofMixedPages)],
  ['changed', ofChangedField],
  ['lost', any(has('surplus'), each(['page'], isOfLost))],
  ['limit', any(each(['page'], isOfLimit), ofSameAnswers('lost'), ofOtherPages)],
  ['refused-kept', ofRefused],
  ['surplus', has('page')],
  ['record', ofMixedPages],
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
