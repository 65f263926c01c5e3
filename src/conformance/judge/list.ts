import {
  type RecordsRule,
  fieldOfRule,
  followPointer,
  readPathKey,
  type Doubt,
  type Switch,
} from '../model/records.js';
import {
  answered,
  type Check,
  type CheckContext,
  type CheckOutcome,
  type CheckFinding,
  type Keyword,
} from './check.js';
import { explainGuess, explainEnded, explainRenaming } from './needs.js';
import { findUnanswered, findBadList } from './expectations.js';
import { describeOpenEnd, readPage, turnPage, type PageAnswer, type ReadPage } from './pages.js';
import { isRecord, show } from './show.js';
import {
  judgeOrder,
  judgeTotal,
  readTotal,
  isAllFound,
  judgeCovers,
  judgeDistinct,
  judgeRefused,
  judgeSame,
  judgeWalk,
  judgeLacking,
  type Listed,
} from './whole-list.js';
import { hasAllThatWasSeen, isShorterThanBefore } from './note-shown.js';
import { isSameKey, judgeLike, placeInContract } from './record.js';
import type { RunTexts } from '../ledger/run-texts.js';
import { findAsked, withoutWriteOnly, identifyRecord } from '../ledger/shown-records.js';
import { sameJson } from '../../contract/document/same-json.js';
import { readSubjects, type Subject } from '../subjects/subject.js';
import { turnAround } from '../wire/request/template.js';

export const recordsCheck: Check = {
  id: 'records',
  title: 'a list has all records that exist, each once, and only records that match the request',
  comparesAnswers: true,
  showsAlone: ['limit', 'filter'],
  onRequest: true,
  run(context) {
    const rule = readRule(context);
    const unanswered = findUnanswered('records', context);
    if (unanswered !== undefined) return unanswered;
    const read = rule === undefined ? undefined : readAsked(rule, context);
    if (rule === undefined || read === undefined) return [];
    if ('needs' in read) return [read];
    const page = read.records.filter(isRecord);
    const all = [...(rule.page?.before ?? []).filter(isRecord), ...page];
    const { ledger, guessed = [] } = context;
    const excuse = (key: unknown): string | undefined =>
      explainGuess(guessed, ledger) ?? explainRenaming(key, ledger) ?? explainEnded(key, context);
    const open = describeOpenEnd(all.length, rule.page, readAnswer(context));
    const { texts } = ledger;
    const total = readTotal(rule, readAnswer(context));
    const state = { texts, excuse, total, page, all, whole: read.isLast, open, isEnd: read.isEnd };
    const found = [
      ...judgePage(state, rule, context),
      ...(state.whole || state.isEnd ? judgeAll(state, rule) : []),
      ...(state.whole ? judgeOwnListed(all, rule, context) : []),
      ...judgeLacking(state, rule),
      ...judgeRefused(state, rule, texts),
    ];
    return doubtSwitches(found, { rule, all }, context).map((each) => placeInContract(each, context, rule));
  },
};

function readRule(context: CheckContext): RecordsRule | undefined {
  const { records } = context.expect;
  if (records?.has === undefined) return records;
  return { ...records, has: records.has.map(({ key, like }) => ({ key, like: withoutWriteOnly(like, context) })) };
}

export const recordsKeyword: Keyword = { check: recordsCheck, looksAt: 'body', findMistake: findBadList };

/** `undefined` for a refusal, which other checks tell of. */
function readAsked(
  rule: RecordsRule,
  context: CheckContext,
): (ReadPage & { isEnd: boolean }) | { needs: string } | undefined {
  const { at, page } = rule;
  const answer = readAnswer(context);
  const { status, body } = answer;
  const isDone = status >= 200 && status <= 299 && body !== undefined;
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
  const records = isDone ? followPointer(body, at) : undefined;
  if (Array.isArray(records)) return { records: records as unknown[], isLast: false, isEnd: true };
  return isDone ? { needs: 'a response with a list of records' } : undefined;
}

function readAnswer(context: CheckContext): PageAnswer {
  const { status = 0, headers = {} } = answered(context) ?? {};
  return { status, headers, body: context.body.kind === 'json' ? context.body.value : undefined };
}

interface State {
  /** What the answer says of all pages. */
  total: unknown;
  texts: RunTexts;
  /** Why a record may be there although its key is not. */
  excuse: (key: unknown) => string | undefined;
  /** The records of this answer. */
  page: readonly Listed[];
  /** With those of the pages before it. */
  all: readonly Listed[];
  /** Whether there are no more. */
  whole: boolean;
  /** Why nobody knows whether there are more. */
  open: string;
  /** Whether no further page is read. */
  isEnd: boolean;
}

function judgePage({ page, all }: State, rule: RecordsRule, context: CheckContext): CheckOutcome[] {
  return [
    ...judgeLength(page, rule),
    ...judgeFull(page, rule, context),
    ...judgeFiltered(page, rule, context),
    ...judgeOrder(all, all.length - page.length, rule),
    ...(rule.distinct === undefined
      ? []
      : judgeDistinct(page, rule, explainGuess(context.guessed ?? [], context.ledger))),
  ];
}

function judgeLength(page: readonly Listed[], { at, atMost }: RecordsRule): CheckOutcome[] {
  if (atMost === undefined || page.length <= Number(atMost)) return [];
  const noun = Number(atMost) === 1 ? 'record' : 'records';
  return [
    { rule: 'limit', at: `body${at}`, expected: `at most ${Number(atMost)} ${noun}`, actual: `${page.length} records` },
  ];
}

/** The limit is a maximum: strictly read, a page may be shorter, even empty. */
function judgeFull(page: readonly Listed[], { at, full }: RecordsRule, context: CheckContext): CheckOutcome[] {
  if (full === undefined) return [];
  const listed = Array.isArray(full.of)
    ? full.of.flatMap((body) => followPointer(body, at)).filter(isRecord).length
    : 0;
  const there = full.seen === undefined ? listed : countSeen(context);
  const length = Math.min(Number(full.limit), there);
  if (page.length >= length) return [];
  return [
    {
      rule: 'full',
      at: `body${at}`,
      expected: `${length} records, since ${full.seen === undefined ? 'the whole list has' : 'lists have shown'} ${there}`,
      value: `${length} records`,
      actual: `${page.length} records`,
      // Other clients may have removed records meanwhile.
      settles: true,
      gap: { id: full.gap, choice: 'shorter' },
      severity: context.strict ? 'deviation' : 'information',
    },
  ];
}

/** How many records this list has shown, by whatever filter; none where some may have been removed since. */
function countSeen({ contract, sent, ledger }: CheckContext): number {
  const { subject } = findAsked(contract, sent) ?? {};
  return subject === undefined || subject.roles.remove !== undefined ? 0 : ledger.listOf(sent).keys.size;
}

function judgeAll({ all, whole, open, total, texts, excuse }: State, rule: RecordsRule): CheckOutcome[] {
  return [
    ...judgeMore({ all, whole, open }, rule),
    ...(rule.has ?? []).flatMap((wanted) => judgeWanted(wanted, { all, whole, open, texts, excuse }, rule)),
    ...judgeCovers({ all, whole, open }, rule),
    ...judgeTotal({ all, whole, open, total }, rule),
    ...(rule.pages === undefined && rule.total === undefined ? judgeSame(all, rule) : []),
    ...judgeWalk({ all, whole, open }, rule),
    ...(rule.whole === undefined || whole ? [] : [{ needs: open }]),
  ];
}

function judgeMore({ all, whole, open }: Pick<State, 'all' | 'whole' | 'open'>, rule: RecordsRule): CheckOutcome[] {
  const { at, moreThan } = rule;
  if (moreThan === undefined || all.length > Number(moreThan)) return [];
  // Nothing comes after a page with nothing.
  if (!whole && all.length > 0) return [{ needs: open }];
  const expected = `more than ${Number(moreThan)} ${Number(moreThan) === 1 ? 'record' : 'records'}`;
  return [{ rule: 'more', at: `body${at}`, expected, actual: String(all.length), settles: true }];
}

function judgeWanted(
  { key, like }: NonNullable<RecordsRule['has']>[number],
  { all, whole, open, texts, excuse }: Pick<State, 'all' | 'whole' | 'open' | 'texts' | 'excuse'>,
  rule: RecordsRule,
): CheckOutcome[] {
  const record = all.find((each) => isSameKey(each[rule.keyProperty], key));
  if (record === undefined) {
    const reason = excuse(key);
    if (reason !== undefined) return [{ needs: reason }];
    if (!whole) return [{ needs: `${open}, so the record may be further back` }];
    return [findLacking(key, rule)];
  }
  return judgeLike(record, like, rule, { at: `body${rule.at}/*`, texts });
}

/**
 * Whether a list has such records alone as its filter chooses. One that does not show a field may have the value, as long as none
 * beside it shows that; what is left out is the default, and a flag that is not set.
 */
export function judgeFiltered(
  page: readonly Listed[],
  { at, every = {}, among = {}, fields, defaults = {}, keyProperty }: RecordsRule,
  context: CheckContext,
): CheckOutcome[] {
  const single = Object.entries(every).map(([field, value]) => [field, [value]] as const);
  return [...single, ...Object.entries(among)]
    .filter(([field]) => fields.includes(field))
    .flatMap(([field, values]) => {
      const isShown = page.some((record) => record[field] !== undefined);
      const isOther = (record: Listed): boolean => {
        const shown = record[field] ?? defaults[field];
        return shown === undefined
          ? isShown && !values.includes(false)
          : !values.some((value) => sameJson(shown, value));
      };
      const index = page.findIndex(isOther);
      if (index === -1) return [];
      return [
        {
          rule: 'filter',
          at: `body${at}/${index}/${field}`,
          expected: values.map((value) => show(value)).join(' or '),
          actual: show(page[index]?.[field]),
          // What a list is filtered by may be older than what it shows.
          settles: true,
          isUntouched: !page.some((record) => isOther(record) && wasChanged(record[keyProperty], context)),
        },
      ];
    });
}

/** Whether a list shows a record that the run has created, and changed since. */
function wasChanged(key: unknown, { contract, sent, ledger }: CheckContext): boolean {
  const { subject } = findAsked(contract, sent) ?? {};
  const read = readPathKey(key);
  if (subject === undefined || read === undefined) return false;
  const id = identifyRecord(subject, sent.path, read);
  return ledger.createdByRun(id) && ledger.expected(id) === undefined;
}

/**
 * The findings of a list, those in doubt that a parameter may explain which does something else than to choose records; a record that
 * the list lacks may be one that it leaves out on purpose.
 */
function doubtSwitches(
  outcomes: readonly CheckOutcome[],
  { rule: asked, all }: { rule: RecordsRule; all: readonly Listed[] },
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
    const about = isLacking
      ? { id: key, hidden: undefined }
      : { id: undefined, hidden: isHidden ? fieldOfRule(rule) : undefined };
    const turns = page?.walk.parameter;
    const doubt: Doubt = { kind: 'switch', ...about, switches: telling, at, keyProperty, turns };
    return { ...each, doubt: each.doubt?.kind === 'gone' ? { ...each.doubt, or: doubt } : doubt };
  });
}

/** Whether the list has another record with the value by which the parameter chooses: then it does not choose by that. */
function isShownWith({ field }: Switch, wanted: unknown, all: readonly Listed[]): boolean {
  if (field === undefined || !isRecord(wanted) || wanted[field] === undefined) return false;
  return all.some((each) => sameJson(each[field], wanted[field]));
}

// The records of the run's own that a list must have, whichever scenario created them.

/**
 * A list that was read to its end has each record that nothing has changed since it was created like one that it has shown:
 * what a list leaves out by default, it may leave out by a value. Whether a service has let go of one by itself, a second look tells.
 */
function judgeOwnListed(all: readonly Listed[], rule: RecordsRule, context: CheckContext): CheckOutcome[] {
  const subject = findListed(context);
  if (rule.hasOwn === undefined || subject === undefined || subject.resource.scope.length > 0) return [];
  const { like } = rule.hasOwn;
  if (!isRecord(like)) return [];
  const missing = context.ledger
    .listUnchanged(subject)
    .find(
      ({ key, sent }) =>
        isAlike(sent, like, context.ledger.texts.mark) &&
        !all.some((each) => isSameKey(each[rule.keyProperty], key)) &&
        explainEnded(key, context) === undefined,
    );
  if (missing === undefined) return [];
  const { key } = missing;
  return [{ ...findLacking(key, rule), doubt: { kind: 'gone', id: key, of: subject.name } }];
}

/** That a list lacks a record. */
export function findLacking(key: unknown, { at }: Pick<RecordsRule, 'at'>): CheckFinding {
  const expected = `the record with the key ${show(key)}`;
  return { rule: 'present', key, at: `body${at}`, expected, actual: 'a list without it', settles: true };
}

function findListed({ contract, sent: { operation } }: CheckContext): Subject | undefined {
  return readSubjects(contract).find(({ roles }) => roles.list?.operation.id === operation?.id);
}

/** Whether a record was sent as another was, but for the texts that each has of its own. */
function isAlike(sent: Listed, other: Listed, mark: string): boolean {
  const names = new Set([...Object.keys(sent), ...Object.keys(other)]);
  const isOwn = (value: unknown): boolean =>
    typeof value === 'string' && (value.includes(mark) || value.includes(turnAround(mark)));
  return [...names].every((name) => (isOwn(sent[name]) && isOwn(other[name])) || sameJson(sent[name], other[name]));
}
