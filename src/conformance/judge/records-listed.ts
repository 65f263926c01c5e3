import type { RecordsRule } from '../model/record-rules.js';
import { answered, type Check, type CheckContext, type CheckOutcome } from './check.js';
import { doubtSwitches } from './doubt-switch.js';
import { explainGuess } from './invented.js';
import { explainEnded, explainRenaming } from './renamed.js';
import type { Keyword } from './keyword.js';
import { findUnanswered } from './looked-at.js';
import { findBadList } from './record-words.js';
import { describeOpenEnd, readPage, turnPage, type PageAnswer, type ReadPage } from './page-end.js';
import { isRecord, show } from './shown.js';
import { judgeOrder } from './in-order.js';
import { findLacking, judgeOwnListed } from './own-listed.js';
import { hasAllThatWasSeen, isShorterThanBefore } from './note-shown.js';
import { isSameKey, judgeLike, placeInContract } from './record-like.js';
import { followPointer } from '../model/follow-pointer.js';
import type { RunTexts } from '../ledger/run-texts.js';
import { findAsked, withoutWriteOnly, identifyRecord } from '../ledger/shown-records.js';
import { judgeTotal, readTotal } from './list-total.js';
import {
  isAllFound,
  judgeCovers,
  judgeDistinct,
  judgeRefused,
  judgeSame,
  judgeWalk,
  judgeLacking,
  type Listed,
} from './whole-list.js';
import { sameJson } from '../../contract/document/json.js';
import { readPathKey } from '../model/path-key.js';

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
