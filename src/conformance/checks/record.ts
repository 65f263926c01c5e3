// Whether a record is as it was sent, and what may explain that it is not.
import type { Operation } from '../../contract/model.js';
import { sameToADouble } from '../../contract/document/json.js';
import { isSecretName } from '../../redact/secret-names.js';
import { printChoice, printField } from '../ledger/record-ledger.js';
import { type RunTexts, findAsked, withoutWriteOnly } from '../ledger/shown-records.js';
import { followPointer, ruleOfField, type RecordPlace, type RecordRule } from '../model/records.js';
import { placeOfLimit, successBody, within, isRecord, show, showPair } from './check.js';
import type { Check, CheckContext, CheckFinding, CheckOutcome, Given, Keyword, Mistake, JsonObject } from './check.js';
import { findUnanswered } from './expectations.js';
import { explainKept, explainRenaming } from './status.js';

export const recordCheck: Check = {
  id: 'record',
  title: 'a record has the values that were sent',
  comparesAnswers: true,
  onRequest: true,
  run(context) {
    const { expect, ledger } = context;
    const unanswered = findUnanswered('record', context);
    if (unanswered !== undefined) return unanswered;
    const body = successBody(context);
    if (expect.record === undefined || body === undefined) return [];
    const rule = { ...expect.record, like: withoutWriteOnly(expect.record.like, context) };
    const { at, key, keyProperty, like, fields, except, states = {}, without, dropped = [] } = rule;
    const record = followPointer(body, at);
    if (!isRecord(record)) return [{ needs: 'a response with a record in it' }];
    if (showsNothing(rule))
      return [{ needs: 'a response with a field that was sent: the contract describes none of them in this response' }];
    if (Object.keys(states).length > 0 && Object.keys(states).every((field) => record[field] === undefined))
      return [{ needs: 'a response with a field that no request contained' }];
    const own = record[keyProperty];
    const isOtherKey = key !== undefined && own !== undefined && !isSameKey(own, key);
    const renamed = isOtherKey ? explainRenaming(key, ledger) : undefined;
    if (renamed !== undefined) return [{ needs: renamed }];
    const left = new Set(Array.isArray(except) ? except.map(String) : []);
    const asked = { ...rule, fields: fields.filter((field) => !left.has(field)) };
    const differing = checkLike(record, like, asked, { at: `body${at}`, texts: ledger.texts });
    const { subject } = findAsked(context.contract, context.sent) ?? {};
    const hasBegun = (field: string): boolean =>
      subject !== undefined && context.ledger.learned.ownChoices.has(printChoice(subject, field, states[field]));
    return [
      ...checkKey(record, rule),
      ...checkTaken(record, rule),
      ...differing.map((each) => (isReset(each, rule, context) ? Object.assign(each, { doubt: undefined }) : each)),
      ...(!isRecord(without)
        ? []
        : dropped
            .filter((field) => fields.includes(field) && Object.hasOwn(without, field))
            .filter((field) => !isRecord(like) || !Object.hasOwn(like, field))
            .filter((field) => record[field] !== undefined && record[field] !== null)
            .filter((field) => listUnlike(without[field], record[field]).length === 0)
            .map((field) => {
              const expected = 'no value from before the change, which removes it';
              const actual = show(record[field]);
              return { rule: `${field} dropped`, at: `body${at}/${field}`, expected, actual, settles: true };
            })),
      ...checkForeign(record, rule),
      ...Object.keys(states)
        .filter((field) => record[field] !== undefined && listUnlike(states[field], record[field]).length > 0)
        .filter((field) => !hasBegun(field))
        .map((field) => {
          const [value, actual] = [show(states[field]), show(record[field])];
          const expected = `${value}, the default in the contract`;
          return { rule: `${field} default`, at: `body${at}/${field}`, expected, value, actual, settles: true };
        }),
    ].map((each) => placeInContract(each, context, rule));
  },
};

export const recordKeyword: Keyword = {
  check: recordCheck,
  looksAt: 'body',
  findMistake(value, given) {
    const { like, except, key, notKey, keyKind } = value as Partial<RecordRule>;
    if (except !== undefined && like === undefined)
      return { at: '/except', message: '`except` leaves out fields of `like`, and there is none.' };
    return (
      within('/like', findBadFields(like, given)) ??
      within('/key', findBadKey(key, given, keyKind)) ??
      within('/notKey', findBadKey(notKey, given, keyKind))
    );
  },
};

export function findBadFields(value: unknown, { isOpen }: Given): Mistake | undefined {
  if (value === undefined || isOpen(value) || isRecord(value)) return undefined;
  return { at: '', message: `it must be a record, as an object, but is ${show(value)}.` };
}

export function findBadKey(value: unknown, { isOpen }: Given, kind: RecordRule['keyKind']): Mistake | undefined {
  const isInteger = typeof value === 'bigint' || Number.isInteger(value);
  const isKey = isInteger || (kind !== 'integer' && typeof value === 'string' && value !== '');
  if (value === undefined || isOpen(value) || isKey) return undefined;
  const wanted = kind === 'integer' ? 'an integer' : 'a text or an integer';
  return { at: '', message: `it must be the key of a record, ${wanted}, but is ${show(value)}.` };
}

function showsNothing({ like, key, notKey, fields, without, dropped = [] }: RecordRule): boolean {
  if (!isRecord(like) || key !== undefined || notKey !== undefined) return false;
  if (isRecord(without) && dropped.some((field) => Object.hasOwn(without, field) && fields.includes(field)))
    return false;
  return !fields.some((field) => Object.hasOwn(like, field));
}

function checkKey(record: JsonObject, { at, keyProperty, key, notKey, keyAmong }: RecordRule): CheckFinding[] {
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

export function checkLike(
  record: JsonObject,
  like: unknown,
  rule: Omit<RecordPlace, 'at'>,
  { at: place, texts }: { at: string; texts: RunTexts },
): CheckOutcome[] {
  const given = isRecord(like) ? like : {};
  return listDifferingFields(record, like, rule).map(({ field, at, expected: value, actual }) => {
    const [sent, shown] = [given[field], record[field]];
    const kept = explainKept(field, { record, sent, sentKey: given[rule.keyProperty] }, rule, texts);
    if (kept !== undefined) return { needs: kept };
    const isHidden = shown === undefined;
    const isPart = isHidden ? rule.optional?.includes(field) : rule.isPart === true && isBeginning(shown, sent);
    if (isPart === true)
      return { needs: `a list that shows \`${field}\` whole: the contract describes a part of each record there` };
    const says = { rule: ruleOfField(field), at: `${place}${at}`, expected: `${value}, as it was sent`, value, actual };
    const finding: CheckFinding = Object.assign(says, { settles: true, isHidden });
    const id = record[rule.keyProperty];
    if (rule.choices?.includes(field) === true && !isHidden && id !== undefined)
      finding.doubt = { kind: 'move', id, field, expected: sent };
    return finding;
  });
}

function isReset(outcome: CheckOutcome, { except, defaults = {} }: RecordRule, context: CheckContext): boolean {
  if (except === undefined || 'needs' in outcome || outcome.doubt?.kind !== 'move') return false;
  const { field } = outcome.doubt;
  const { subject } = findAsked(context.contract, context.sent) ?? {};
  const isMoving = subject !== undefined && context.ledger.learned.moving.has(printField(subject, field));
  return !isMoving && Object.hasOwn(defaults, field) && outcome.actual === show(defaults[field]);
}

function isBeginning(shown: unknown, sent: unknown): boolean {
  if (typeof shown !== 'string' || typeof sent !== 'string' || shown === '') return false;
  return shown.length < sent.length + 1 && sent.startsWith(shown.replace(/(?:\u2026|\.{3})$/, ''));
}

/** What only the service decides is not what a client gave (JSON Schema Validation 2020-12 section 9.4). */
function checkForeign(record: JsonObject, { at, unlike = {}, keyProperty }: RecordRule): CheckFinding[] {
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

function checkTaken(record: JsonObject, { at, taken }: RecordRule): CheckOutcome[] {
  const sent = taken?.of;
  if (taken === undefined || !isRecord(sent)) return [];
  const names = taken.names.filter((name) => record[name] !== undefined && sent[name] !== undefined);
  const [field] = names;
  if (field === undefined) return [{ needs: 'a response that shows a value that only one record may have' }];
  if (names.some((name) => listUnlike(sent[name], record[name]).length > 0)) return [];
  const expected = 'a value of its own, since a create with the value of another record is rejected';
  return [{ rule: `${field} taken`, at: `body${at}/${field}`, expected, actual: show(record[field]) }];
}

export function listDifferingFields(
  record: JsonObject,
  like: unknown,
  { fields, defaults = {}, sets = [], tidied = [] }: Pick<RecordPlace, 'fields' | 'defaults' | 'sets' | 'tidied'>,
): { field: string; at: string; expected: string; actual: string }[] {
  if (!isRecord(like)) return [];
  return fields
    .filter((field) => Object.hasOwn(like, field))
    .flatMap((field) => {
      const shown = Object.hasOwn(record, field) ? record[field] : defaults[field];
      const seen = sets.includes(field) ? inOrderOf(like[field], shown) : shown;
      if (tidied.includes(field) && isSameTidied(like[field], seen)) return [];
      return listUnlike(like[field], seen, `/${field}`).map((each) => Object.assign({ field }, each));
    });
}

/** `["Red", "blue "]` and `["blue", "red", ""]`: but for case, white space, and what is there twice or empty. */
function isSameTidied(sent: unknown, seen: unknown): boolean {
  const tidy = (text: string): string => text.normalize('NFKC').replaceAll(/\s+/g, ' ').trim().toLowerCase();
  if (typeof sent === 'string' && typeof seen === 'string') return tidy(sent) === tidy(seen);
  if (!Array.isArray(sent) || !Array.isArray(seen)) return false;
  const listTexts = (items: readonly unknown[]): string =>
    [...new Set(items.map((each) => tidy(String(each))))]
      .filter((text) => text !== '')
      .toSorted()
      .join('\n');
  return [...sent, ...seen].every((each) => typeof each === 'string') && listTexts(sent) === listTexts(seen);
}

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
  { contract, sent }: CheckContext,
  { resource }: Pick<RecordPlace, 'resource'>,
): T {
  const { operation } = sent;
  if ('needs' in outcome || operation === undefined) return outcome;
  const { subject } = outcome.rule === 'limit' ? (findAsked(contract, sent) ?? {}) : {};
  const parameter = subject === undefined ? findFilter(outcome, operation) : placeOfLimit(subject, sent);
  const named = resource === undefined ? {} : { resource };
  return { ...outcome, ...named, contractPointer: parameter ?? `${operation.pointer}/responses` };
}

function findFilter({ rule, at }: CheckFinding, { parameters }: Operation): string | undefined {
  if (rule !== 'filter') return undefined;
  return parameters.find(({ name, in: place }) => place === 'query' && name === at.split('/').at(-1))?.pointer;
}

type Unlikeness = { at: string; expected: string; actual: string };

/**
 * Where a value is not what was sent. A service may add members to objects, write a time in another way, an e-mail address in
 * lower case, a code in capitals, a decimal with more zeros behind it and a secret as asterisks: none of it says something else.
 */
export function listUnlike(sent: unknown, seen: unknown, at = ''): Unlikeness[] {
  if (sameToADouble(sent, seen) || (sent === null && seen === undefined)) return [];
  if (typeof sent === 'string' && typeof seen === 'string' && isSameText(sent, seen)) return [];
  if (typeof seen === 'string' && /^([*•●])\1{2,}$/.test(seen) && isSecretName(at.slice(at.lastIndexOf('/') + 1)))
    return [];
  if (Array.isArray(sent) && Array.isArray(seen) && sent.length === seen.length)
    return sent.flatMap((item, index) => listUnlike(item, seen[index], `${at}/${index}`));
  if (isRecord(sent) && isRecord(seen))
    return Object.entries(sent).flatMap(([name, value]) => listUnlike(value, seen[name], `${at}/${name}`));
  return [{ at, ...showPair(sent, seen) }];
}

const TIME = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d/;

function isSameText(sent: string, seen: string): boolean {
  if (TIME.test(sent) && TIME.test(seen) && Date.parse(sent) === Date.parse(seen)) return true;
  if (/^[a-z\d]+(?:-[a-z\d]+)*$/.test(sent) && sent.length <= 12 && sent.toUpperCase() === seen) return true;
  if (sent.includes('@') && sent.toLowerCase() === seen.toLowerCase()) return true;
  if (!seen.startsWith(sent)) return false; // Fewer digits than were sent may be a number that was made of a text.
  const added = seen.slice(sent.length);
  return /^-?\d+\.\d+$/.test(sent) ? /^0+$/.test(added) : /^-?\d+$/.test(sent) && /^\.0{2,}$/.test(added);
}
