import type { Operation } from '../../contract/model.js';
import { ruleOfField, type RecordPlace, type RecordRule, followPointer } from '../model/records.js';
import {
  successBody,
  type Check,
  type CheckContext,
  type CheckFinding,
  type CheckOutcome,
  type Keyword,
  placeOfLimit,
} from './check.js';
import { findBadRecord, findUnanswered } from './expectations.js';
import { isRecord, show, showPair } from './show.js';
import { explainKept, explainRenaming } from './needs.js';
import type { RunTexts } from '../ledger/run-texts.js';
import { findAsked, withoutWriteOnly } from '../ledger/shown-records.js';
import { printChoice, printField } from '../ledger/record-ledger.js';
import { sameToADouble } from '../../contract/document/same-json.js';

export const recordCheck: Check = {
  id: 'record',
  title: 'a record has the values that were sent',
  comparesAnswers: true,
  onRequest: true,
  run(context) {
    const stated = context.expect.record;
    const unanswered = findUnanswered('record', context);
    if (unanswered !== undefined) return unanswered;
    const body = successBody(context);
    // What is no success, or no JSON, is told by other checks.
    if (stated === undefined || body === undefined) return [];
    const rule = { ...stated, like: withoutWriteOnly(stated.like, context) };
    const record = followPointer(body, rule.at);
    if (!isRecord(record)) return [{ needs: 'a response with a record in it' }];
    // An answer that shows nothing of what was sent says nothing of it.
    if (showsNothing(rule))
      return [
        {
          needs: 'a response with a field that was sent: the contract describes none of them in this response',
        },
      ];
    const defaults = listStated(record, rule, context);
    if (defaults === undefined) return [{ needs: 'a response with a field that no request contained' }];
    // A record that was given another name may have another key by now.
    const renamed = isOtherKey(record, rule) ? explainRenaming(rule.key, context.ledger) : undefined;
    if (renamed !== undefined) return [{ needs: renamed }];
    const found = [judgeDropped, judgeForeign].flatMap((judge) => judge(record, rule));
    const except = Array.isArray(rule.except) ? rule.except.map(String) : [];
    const { like, fields } = rule;
    const asked = { ...rule, fields: fields.filter((field) => !except.includes(field)) };
    const differing = judgeLike(record, like, asked, { at: `body${rule.at}`, texts: context.ledger.texts }).map(
      (each) => (isReset(each, rule, context) ? Object.assign(each, { doubt: undefined }) : each),
    );
    return [...judgeKey(record, rule), ...judgeTaken(record, rule), ...differing, ...found, ...defaults].map((each) =>
      placeInContract(each, context, rule),
    );
  },
};

export const recordKeyword: Keyword = { check: recordCheck, looksAt: 'body', findMistake: findBadRecord };

function showsNothing({ like, key, notKey, fields, without, dropped = [] }: RecordRule): boolean {
  if (!isRecord(like) || key !== undefined || notKey !== undefined) return false;
  if (isRecord(without) && dropped.some((field) => Object.hasOwn(without, field) && fields.includes(field)))
    return false;
  return !fields.some((field) => Object.hasOwn(like, field));
}

function isOtherKey(record: Readonly<Record<string, unknown>>, { keyProperty, key }: RecordRule): boolean {
  const own = record[keyProperty];
  return key !== undefined && own !== undefined && !isSameKey(own, key);
}

function judgeKey(
  record: Readonly<Record<string, unknown>>,
  { at, keyProperty, key, notKey, keyAmong }: RecordRule,
): CheckFinding[] {
  const own = record[keyProperty];
  const place = { at: `body${at}/${keyProperty}`, actual: show(own) };
  if (Array.isArray(keyAmong) && !keyAmong.some((each) => isSameKey(own, each)))
    return [{ rule: 'among', expected: 'a key that follows those before it', ...place }];
  if (key !== undefined && own !== undefined && !isSameKey(own, key))
    return [{ rule: 'key', expected: `${show(key)}, the record's key`, value: show(key), ...place, settles: true }];
  if (notKey !== undefined && own !== undefined && isSameKey(own, notKey))
    return [{ rule: 'new-key', expected: 'a key of its own', ...place }];
  return [];
}

/** The fields of a record that are not as they were sent. */
export function judgeLike(
  record: Readonly<Record<string, unknown>>,
  like: unknown,
  rule: Omit<RecordPlace, 'at'>,
  { at: place, texts }: { at: string; texts: RunTexts },
): CheckOutcome[] {
  return listDifferingFields(record, like, rule).map(({ field, at, expected, actual }) => {
    const given = isRecord(like) ? like : {};
    const kept = explainKept(field, { record, sent: given[field], sentKey: given[rule.keyProperty] }, rule, texts);
    if (kept !== undefined) return { needs: kept };
    const isHidden = record[field] === undefined;
    const part = isHidden
      ? rule.optional?.includes(field)
      : rule.isPart === true && isBeginning(record[field], like, field);
    if (part === true)
      return { needs: `a list that shows \`${field}\` whole: the contract describes a part of each record there` };
    const finding: CheckFinding = {
      rule: ruleOfField(field),
      at: `${place}${at}`,
      expected: `${expected}, as it was sent`,
      value: expected,
      actual,
      settles: true,
      isHidden,
    };
    const mayMove = rule.choices?.includes(field) === true && !isHidden;
    return mayMove ? Object.assign(finding, doubtMove(field, record, like, rule)) : finding;
  });
}

/** Whether a change of other fields left one at its default: a service that moves records on was seen to do so without one. */
function isReset(outcome: CheckOutcome, { except, defaults = {} }: RecordRule, context: CheckContext): boolean {
  if (except === undefined || 'needs' in outcome || outcome.doubt?.kind !== 'move') return false;
  const { field } = outcome.doubt;
  const { subject } = findAsked(context.contract, context.sent) ?? {};
  const isMoving = subject !== undefined && context.ledger.learned.moving.has(printField(subject, field));
  return !isMoving && Object.hasOwn(defaults, field) && outcome.actual === show(defaults[field]);
}

/** Whether a text is the beginning of what was sent, with or without dots behind it. */
function isBeginning(shown: unknown, like: unknown, field: string): boolean {
  const sent = isRecord(like) ? like[field] : undefined;
  if (typeof shown !== 'string' || typeof sent !== 'string' || shown === '') return false;
  return shown.length < sent.length + 1 && sent.startsWith(shown.replace(/(?:\u2026|\.{3})$/, ''));
}

function doubtMove(
  field: string,
  record: Readonly<Record<string, unknown>>,
  like: unknown,
  { keyProperty }: Pick<RecordPlace, 'keyProperty'>,
): Pick<CheckFinding, 'doubt'> {
  const id = record[keyProperty];
  if (id === undefined || !isRecord(like)) return {};
  return { doubt: { kind: 'move', id, field, expected: like[field] } };
}

/** What a replacement does not name is not there any more, or as it is without being named (RFC 9110 section 9.3.4). */
function judgeDropped(
  record: Readonly<Record<string, unknown>>,
  { at, like, without, fields, dropped = [] }: RecordRule,
): CheckFinding[] {
  if (!isRecord(without)) return [];
  return dropped
    .filter((field) => fields.includes(field) && Object.hasOwn(without, field) && !isNamed(field, like))
    .filter((field) => record[field] !== undefined && record[field] !== null)
    .filter((field) => listUnlike(without[field], record[field]).length === 0)
    .map((field) => ({
      rule: `${field} dropped`,
      at: `body${at}/${field}`,
      expected: 'no value from before the change, which removes it',
      actual: show(record[field]),
      settles: true,
    }));
}

function isNamed(field: string, like: unknown): boolean {
  return isRecord(like) && Object.hasOwn(like, field);
}

/** What only the service decides is not what a client gave (JSON Schema Validation 2020-12 section 9.4). */
function judgeForeign(
  record: Readonly<Record<string, unknown>>,
  { at, unlike = {}, keyProperty }: RecordRule,
): CheckFinding[] {
  return Object.entries(unlike)
    .filter(([field, value]) => record[field] !== undefined && listUnlike(value, record[field]).length === 0)
    .map(([field, value]) => ({
      rule: `${field} read only`,
      at: `body${at}/${field}`,
      expected: 'a value of the service, since the field is read-only',
      actual: `${show(value)}, as the client sent it`,
      doubt: { kind: 'own' as const, id: record[keyProperty], field, value },
    }));
}

/** The fields of a record that have another value than they were given. */
export function listDifferingFields(
  record: Readonly<Record<string, unknown>>,
  like: unknown,
  { fields, defaults = {}, sets = [], tidied = [] }: Pick<RecordPlace, 'fields' | 'defaults' | 'sets' | 'tidied'>,
): { field: string; at: string; expected: string; actual: string }[] {
  if (!isRecord(like)) return [];
  return fields
    .filter((field) => Object.hasOwn(like, field))
    .flatMap((field) => {
      const shown = Object.hasOwn(record, field) ? record[field] : defaults[field];
      const seen = sets.includes(field) ? inOrderOf(like[field], shown) : shown;
      if (tidied.includes(field) && isTidiedOf(like[field], seen)) return [];
      return listUnlike(like[field], seen, `/${field}`).map((each) => Object.assign({ field }, each));
    });
}

/** Whether a value says the same as what was sent but for case, white space, and what is there twice or empty. */
function isTidiedOf(sent: unknown, seen: unknown): boolean {
  if (typeof sent === 'string' && typeof seen === 'string') return tidy(sent) === tidy(seen);
  if (!Array.isArray(sent) || !Array.isArray(seen)) return false;
  const listTexts = (items: readonly unknown[]): string =>
    [...new Set(items.map((each) => tidy(String(each))))]
      .filter((text) => text !== '')
      .toSorted()
      .join('\n');
  return [...sent, ...seen].every((each) => typeof each === 'string') && listTexts(sent) === listTexts(seen);
}

function tidy(text: string): string {
  return text.normalize('NFKC').replaceAll(/\s+/g, ' ').trim().toLowerCase();
}

/** The items of a set, each where the one stands that it is like. */
function inOrderOf(sent: unknown, seen: unknown): unknown {
  if (!Array.isArray(sent) || !Array.isArray(seen) || sent.length !== seen.length) return seen;
  const rest: unknown[] = [...seen];
  const found = sent.map((item: unknown) => {
    const index = rest.findIndex((each) => listUnlike(item, each).length === 0);
    return index === -1 ? [] : rest.splice(index, 1);
  });
  return found.flatMap((each) => (each.length > 0 ? each : rest.splice(0, 1)));
}

/** A path has text where the record may have a number. */
export function isSameKey(one: unknown, other: unknown): boolean {
  return String(one).toLowerCase() === String(other).toLowerCase();
}

export function placeInContract<T extends CheckOutcome>(
  outcome: T,
  context: CheckContext,
  { resource }: Pick<RecordPlace, 'resource'>,
): T {
  const { operation } = context.sent;
  if ('needs' in outcome || operation === undefined) return outcome;
  const named = resource === undefined ? {} : { resource };
  const contractPointer = findParameter(outcome, operation, context) ?? `${operation.pointer}/responses`;
  return { ...outcome, ...named, contractPointer };
}

/** The limit of a list, and the parameter by which it is filtered, where that is called like the field. */
function findParameter(
  { rule, at }: CheckFinding,
  { parameters }: Operation,
  { contract, sent }: CheckContext,
): string | undefined {
  const { subject } = rule === 'limit' ? (findAsked(contract, sent) ?? {}) : {};
  if (subject !== undefined) return placeOfLimit(subject, sent);
  if (rule !== 'filter') return undefined;
  return parameters.find(({ name, in: place }) => place === 'query' && name === at.split('/').at(-1))?.pointer;
}

/** What only one record may have, since a create with it is refused, another has not. */
function judgeTaken(record: Readonly<Record<string, unknown>>, { at, taken }: RecordRule): CheckOutcome[] {
  const sent = taken?.of;
  if (taken === undefined || !isRecord(sent)) return [];
  const [field, ...others] = taken.names.filter((name) => record[name] !== undefined && sent[name] !== undefined);
  if (field === undefined) return [{ needs: 'a response that shows a value that only one record may have' }];
  if ([field, ...others].some((name) => listUnlike(sent[name], record[name]).length > 0)) return [];
  const expected = 'a value of its own, since a create with the value of another record is rejected';
  return [{ rule: `${field} taken`, at: `body${at}/${field}`, expected, actual: show(record[field]) }];
}

/** `undefined` where the record shows none of the fields. */
function listStated(
  record: Readonly<Record<string, unknown>>,
  { at, states = {} }: RecordRule,
  context: CheckContext,
): CheckFinding[] | undefined {
  const fields = Object.keys(states).filter((field) => record[field] !== undefined);
  if (fields.length === 0 && Object.keys(states).length > 0) return undefined;
  return (
    fields
      .filter((field) => listUnlike(states[field], record[field]).length > 0)
      // With which it was seen to begin, it has been moved on.
      .filter((field) => !hasBegun(field, states[field], context))
      .map((field) => ({
        rule: `${field} default`,
        at: `body${at}/${field}`,
        expected: `${show(states[field])}, the default in the contract`,
        value: show(states[field]),
        actual: show(record[field]),
        settles: true,
      }))
  );
}

function hasBegun(field: string, value: unknown, { contract, sent, ledger }: CheckContext): boolean {
  const { subject } = findAsked(contract, sent) ?? {};
  return subject !== undefined && ledger.learned.ownChoices.has(printChoice(subject, field, value));
}

interface Unlikeness {
  /** Pointer from the values that were compared. */
  at: string;
  expected: string;
  actual: string;
}

/**
 * Where a value is not what was sent. A service may add members to objects, write a time in another way, an e-mail address in
 * lower case, a code in capitals and a decimal with more zeros behind it: none of it says something else.
 */
export function listUnlike(sent: unknown, seen: unknown, at = ''): Unlikeness[] {
  if (isSame(sent, seen)) return [];
  if (Array.isArray(sent) && Array.isArray(seen) && sent.length === seen.length)
    return sent.flatMap((item, index) => listUnlike(item, seen[index], `${at}/${index}`));
  if (isRecord(sent) && isRecord(seen))
    return Object.entries(sent).flatMap(([name, value]) => listUnlike(value, seen[name], `${at}/${name}`));
  return [{ at, ...showPair(sent, seen) }];
}

function isSame(sent: unknown, seen: unknown): boolean {
  if (sameToADouble(sent, seen)) return true;
  // What is not given may be told as null, and the other way round.
  if (sent === null && seen === undefined) return true;
  if (typeof sent !== 'string' || typeof seen !== 'string') return false;
  return (
    isSameTime(sent, seen) ||
    isSameCode(sent, seen) ||
    isSameDecimal(sent, seen) ||
    (sent.includes('@') && sent.toLowerCase() === seen.toLowerCase())
  );
}

const TIME = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d/;

/** Of a country, a currency, a number plate: what has no capitals. */
const CODE = /^[a-z\d]+(?:-[a-z\d]+)*$/;
const LONGEST_CODE = 12;

function isSameCode(sent: string, seen: string): boolean {
  return CODE.test(sent) && sent.length <= LONGEST_CODE && sent.toUpperCase() === seen;
}

/** Fewer digits than were sent may be a number that was made of a text. */
function isSameDecimal(sent: string, seen: string): boolean {
  if (!seen.startsWith(sent)) return false;
  const added = seen.slice(sent.length);
  return /^-?\d+\.\d+$/.test(sent) ? /^0+$/.test(added) : /^-?\d+$/.test(sent) && /^\.0{2,}$/.test(added);
}

function isSameTime(sent: string, seen: string): boolean {
  return TIME.test(sent) && TIME.test(seen) && Date.parse(sent) === Date.parse(seen);
}
