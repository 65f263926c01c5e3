// Whether a list has the records that it must have, and no others.
import { sameJson } from '../../contract/document/json.js';
import { findAsked, identifyRecord, withoutWriteOnly } from '../ledger/shown-records.js';
import { fieldOfRule, followPointer, readPathKey } from '../model/records.js';
import type { Doubt, RecordsRule, Switch } from '../model/records.js';
import { readSubjects } from '../resources/resource-under-test.js';
import { turnAround } from '../http/template.js';
import { answered, within } from './check.js';
import type { Check, CheckContext, CheckFinding, CheckOutcome, Given, Keyword, Mistake } from './check.js';
import { findUnanswered } from './expectations.js';
import { explainEnded, explainGuess, explainRenaming } from './needs.js';
import { hasAllThatWasSeen, isShorterThanBefore } from './note-shown.js';
import { describeOpenEnd, readPage, turnPage, type PageAnswer } from './pages.js';
import { checkLike, findBadFields, findBadKey, isSameKey, placeInContract } from './record.js';
import { isRecord, show, type JsonObject } from './show.js';
import {
  checkCovers,
  checkDistinct,
  checkLacking,
  checkOrder,
  checkRejected,
  checkSame,
  checkTotal,
  checkWalk,
  isAllFound,
  readTotal,
  type WholeList,
} from './whole-list.js';

export const recordsCheck: Check = {
  id: 'records',
  title: 'a list has all records that exist, each once, and only records that match the request',
  comparesAnswers: true,
  showsAlone: ['limit', 'filter'],
  onRequest: true,
  run(context) {
    const { expect, ledger, guessed = [] } = context;
    const unanswered = findUnanswered('records', context);
    if (unanswered !== undefined) return unanswered;
    if (expect.records === undefined) return [];
    const { has } = expect.records;
    const known = has?.map(({ key, like }) => ({ key, like: withoutWriteOnly(like, context) }));
    const rule = { ...expect.records, ...(known === undefined ? {} : { has: known }) };
    const { status = 0, headers = {} } = answered(context) ?? {};
    const answer = { status, headers, body: context.body.kind === 'json' ? context.body.value : undefined };
    const read = readAsked(rule, answer, context);
    if (read === undefined) return [];
    if (read.needs !== undefined) return [{ needs: read.needs }];
    const page = read.records.filter(isRecord);
    const all = [...(rule.page?.before ?? []).filter(isRecord), ...page];
    const open = describeOpenEnd(all.length, rule.page, answer);
    const list = { page, all, whole: read.isLast, open, isEnd: read.isEnd };
    const guess = explainGuess(guessed, ledger);
    const found = [
      ...checkLength(page, rule),
      ...checkFull(page, rule, context),
      ...checkFiltered(page, rule, context),
      ...checkOrder(all, all.length - page.length, rule),
      ...(rule.distinct === undefined ? [] : checkDistinct(page, rule, guess)),
      ...(list.whole || list.isEnd
        ? [
            ...checkMore(list, rule),
            ...(rule.has ?? []).flatMap((wanted) => checkWanted(wanted, list, rule, context)),
            ...checkCovers(list, rule),
            ...checkTotal(list, readTotal(rule, answer), rule),
            ...(rule.pages === undefined && rule.total === undefined ? checkSame(list.all, rule) : []),
            ...checkWalk(list, rule),
            ...(rule.whole === undefined || list.whole ? [] : [{ needs: list.open }]),
          ]
        : []),
      ...(list.whole ? checkOwn(all, rule, context) : []),
      ...checkLacking(list, rule),
      ...checkRejected(list, rule, ledger.texts),
    ];
    return doubtSwitches(found, all, rule, context).map((each) => placeInContract(each, context, rule));
  },
};

export const recordsKeyword: Keyword = {
  check: recordsCheck,
  looksAt: 'body',
  findMistake(value, given) {
    const { atMost, moreThan, has, lacks, every, keyKind } = value as Partial<RecordsRule>;
    const first = within('/atMost', findBadCount(atMost, given)) ?? within('/moreThan', findBadCount(moreThan, given));
    if (first !== undefined) return first;
    if (every !== undefined && !given.isOpen(every) && !isRecord(every))
      return { at: '/every', message: `it must name fields with their values, but is ${show(every)}.` };
    const inHas = (Array.isArray(has) ? has : []).map(
      (wanted, index) =>
        within(`/has/${index}/like`, findBadFields(wanted.like, given)) ??
        within(`/has/${index}/key`, findBadKey(wanted.key, given, keyKind)),
    );
    const inLacks = (Array.isArray(lacks) ? lacks : []).map((key, index) =>
      within(`/lacks/${index}`, findBadKey(key, given, keyKind)),
    );
    return [...inHas, ...inLacks].find((mistake) => mistake !== undefined);
  },
};

function findBadCount(value: unknown, { isOpen }: Given): Mistake | undefined {
  if (value === undefined || isOpen(value) || (Number.isInteger(value) && Number(value) >= 0)) return undefined;
  return { at: '', message: `it must be a number of records, but is ${show(value)}.` };
}

function readAsked(rule: RecordsRule, answer: PageAnswer, context: CheckContext) {
  const { at, page } = rule;
  const { status, body } = answer;
  const longest = context.ledger.learned.longest.get(context.sent.operation?.id ?? '') ?? 0;
  const read = page === undefined ? undefined : readPage(answer, page, longest);
  if (page !== undefined && read !== undefined) {
    const isFound = isAllFound(rule, [...page.before, ...read.records]);
    const { length } = read.records;
    const isOnly = page.walk.parameter === undefined;
    const isKnown = isOnly && (page.walk.length ?? Infinity) > length && hasAllThatWasSeen(context);
    const isLast = (read.isLast || isKnown) && !(isOnly && isShorterThanBefore(length, context));
    return { ...read, isLast, isEnd: page.isLast || isFound || turnPage(answer, page) === undefined };
  }
  if (status < 200 || status > 299 || body === undefined) return undefined;
  const records = followPointer(body, at);
  if (Array.isArray(records)) return { records: records as unknown[], isLast: false, isEnd: true };
  return { needs: 'a response with a list of records' };
}

function describeCount(count: number): string {
  return `${count} ${count === 1 ? 'record' : 'records'}`;
}

function checkLength(page: readonly JsonObject[], { at, atMost }: RecordsRule): CheckOutcome[] {
  if (atMost === undefined || page.length <= Number(atMost)) return [];
  const expected = `at most ${describeCount(Number(atMost))}`;
  return [{ rule: 'limit', at: `body${at}`, expected, actual: `${page.length} records` }];
}

/** The limit is a maximum: strictly read, a page may be shorter, even empty. */
function checkFull(page: readonly JsonObject[], { at, full }: RecordsRule, context: CheckContext): CheckOutcome[] {
  if (full === undefined) return [];
  const { contract, sent, ledger, strict } = context;
  let there = 0;
  if (full.seen === undefined) {
    if (Array.isArray(full.of)) there = full.of.flatMap((body) => followPointer(body, at)).filter(isRecord).length;
  } else {
    const { subject } = findAsked(contract, sent) ?? {};
    // Where records can be deleted, some of those that were shown may be gone.
    if (subject !== undefined && subject.roles.remove === undefined) there = ledger.listOf(sent).keys.size;
  }
  const length = Math.min(Number(full.limit), there);
  if (page.length >= length) return [];
  const [value, actual] = [`${length} records`, `${page.length} records`];
  const expected = `${value}, since ${full.seen === undefined ? 'the whole list has' : 'lists have shown'} ${there}`;
  const gap = { id: full.gap, choice: 'shorter' };
  const severity = strict ? 'deviation' : 'information';
  // Other clients may have removed records meanwhile.
  return [{ rule: 'full', at: `body${at}`, expected, value, actual, settles: true, gap, severity }];
}

/** Whether a list has only what its filter chooses. A field that is not shown may have the value, unless a record beside it shows it. */
export function checkFiltered(
  page: readonly JsonObject[],
  { at, every = {}, among = {}, fields, defaults = {}, keyProperty }: RecordsRule,
  context: CheckContext,
): CheckOutcome[] {
  return [...Object.entries(every).map(([field, value]) => [field, [value]] as const), ...Object.entries(among)]
    .filter(([field]) => fields.includes(field))
    .flatMap(([field, values]) => {
      const isShown = page.some((record) => record[field] !== undefined);
      const isOther = (record: JsonObject): boolean => {
        const shown = record[field] ?? defaults[field];
        if (shown === undefined) return isShown && !values.includes(false);
        return !values.some((value) => sameJson(shown, value));
      };
      const index = page.findIndex(isOther);
      if (index === -1) return [];
      const expected = values.map((value) => show(value)).join(' or ');
      const actual = show(page[index]?.[field]);
      const finding = { rule: 'filter', at: `body${at}/${index}/${field}`, expected, actual };
      const isUntouched = !page.some((record) => isOther(record) && wasChanged(record[keyProperty], context));
      // What a list is filtered by may be older than what it shows.
      return [{ ...finding, settles: true, isUntouched }];
    });
}

function wasChanged(key: unknown, { contract, sent, ledger }: CheckContext): boolean {
  const { subject } = findAsked(contract, sent) ?? {};
  const read = readPathKey(key);
  if (subject === undefined || read === undefined) return false;
  const id = identifyRecord(subject, sent.path, read);
  return ledger.createdByRun(id) && ledger.expected(id) === undefined;
}

function checkMore({ all, whole, open }: WholeList, { at, moreThan }: RecordsRule): CheckOutcome[] {
  if (moreThan === undefined || all.length > Number(moreThan)) return [];
  if (!whole && all.length > 0) return [{ needs: open }];
  const expected = `more than ${describeCount(Number(moreThan))}`;
  return [{ rule: 'more', at: `body${at}`, expected, actual: String(all.length), settles: true }];
}

function checkWanted(
  { key, like }: NonNullable<RecordsRule['has']>[number],
  { all, whole, open }: WholeList,
  rule: RecordsRule,
  context: CheckContext,
): CheckOutcome[] {
  const { ledger, guessed = [] } = context;
  const record = all.find((each) => isSameKey(each[rule.keyProperty], key));
  if (record !== undefined) return checkLike(record, like, rule, { at: `body${rule.at}/*`, texts: ledger.texts });
  const reason = explainGuess(guessed, ledger) ?? explainRenaming(key, ledger) ?? explainEnded(key, context);
  if (reason !== undefined) return [{ needs: reason }];
  return whole ? [findLacking(key, rule)] : [{ needs: `${open}, so the record may be further back` }];
}

export function findLacking(key: unknown, { at }: Pick<RecordsRule, 'at'>): CheckFinding {
  const expected = `the record with the key ${show(key)}`;
  return { rule: 'present', key, at: `body${at}`, expected, actual: 'a list without it', settles: true };
}

function checkOwn(all: readonly JsonObject[], rule: RecordsRule, context: CheckContext): CheckOutcome[] {
  const { contract, sent, ledger } = context;
  const subject = readSubjects(contract).find(({ roles }) => roles.list?.operation.id === sent.operation?.id);
  if (rule.hasOwn === undefined || subject === undefined || subject.resource.scope.length > 0) return [];
  const { like } = rule.hasOwn;
  if (!isRecord(like)) return [];
  const { mark } = ledger.texts;
  const isOwn = (text: unknown) => typeof text === 'string' && (text.includes(mark) || text.includes(turnAround(mark)));
  const isAlike = (record: JsonObject): boolean =>
    [...new Set([...Object.keys(record), ...Object.keys(like)])].every(
      (name) => (isOwn(record[name]) && isOwn(like[name])) || sameJson(record[name], like[name]),
    );
  const missing = ledger
    .listUnchanged(subject)
    .find(
      (each) =>
        isAlike(each.sent) &&
        !all.some((record) => isSameKey(record[rule.keyProperty], each.key)) &&
        explainEnded(each.key, context) === undefined,
    );
  if (missing === undefined) return [];
  const { key } = missing;
  return [{ ...findLacking(key, rule), doubt: { kind: 'gone', id: key, of: subject.name } }];
}

function doubtSwitches(
  outcomes: readonly CheckOutcome[],
  all: readonly JsonObject[],
  asked: RecordsRule,
  { sent }: CheckContext,
): CheckOutcome[] {
  const { at, keyProperty, switches = [], page } = asked;
  const isSent = ({ parameter }: Switch): boolean => sent.query[parameter] !== undefined;
  return outcomes.map((each) => {
    if ('needs' in each || (each.doubt !== undefined && each.doubt.kind !== 'gone')) return each;
    const { rule, key, isHidden = false } = each;
    const isOfFilter = rule === 'filter' || rule === 'absent';
    const isLacking = rule === 'present';
    if (!isOfFilter && !isLacking && !isHidden) return each;
    const wanted = isLacking ? asked.has?.find((one) => isSameKey(one.key, key))?.like : undefined;
    const telling = switches.filter((one) => {
      if (isOfFilter) return isSent(one);
      if (isSent(one)) return false;
      return isLacking ? !isShownWith(one, wanted, all) : [fieldOfRule(rule), undefined].includes(one.field);
    });
    if (telling.length === 0)
      return isLacking && each.doubt === undefined ? { ...each, doubt: { kind: 'hidden', id: key } } : each;
    const id = isLacking ? key : undefined;
    const hidden = !isLacking && isHidden ? fieldOfRule(rule) : undefined;
    const turns = page?.walk.parameter;
    const doubt: Doubt = { kind: 'switch', id, hidden, switches: telling, at, keyProperty, turns };
    return { ...each, doubt: each.doubt?.kind === 'gone' ? { ...each.doubt, or: doubt } : doubt };
  });
}

function isShownWith({ field }: Switch, wanted: unknown, all: readonly JsonObject[]): boolean {
  if (field === undefined || !isRecord(wanted) || wanted[field] === undefined) return false;
  return all.some((each) => sameJson(each[field], wanted[field]));
}
