// Whether a list has the records that it must have, and no others.
import { sameJson } from '../../contract/document/json.js';
import { asObject } from '../../contract/document/plain.js';
import { findAsked, identifyRecord, withoutWriteOnly, type RunTexts } from '../ledger/shown-records.js';
import { fieldOfRule, followPointer, readPathKey, MOST_PAGES, ruleOfField } from '../model/exchange.js';
import type { Doubt, RecordsRule, Switch } from '../model/exchange.js';
import { readSubjects } from '../resources/resource-under-test.js';
import { turnAround } from '../http/template.js';
import { printField } from '../ledger/record-ledger.js';
import { answered, within, isRecord, show } from './check.js';
import type { CheckContext, CheckFinding, CheckOutcome, Given, JsonObject, Mistake, StatedCheck } from './check.js';
import {
  findUnanswered,
  checkLike,
  findBadFields,
  findBadKey,
  isSameKey,
  placeInContract,
  listDifferingFields,
} from './expectations.js';
import { explainEnded, explainGuess, explainRenaming, NEEDS_REMOVAL } from './status.js';
import { hasAllThatWasSeen, isShorterThanBefore } from './own-records.js';
import { describeOpenEnd, readPage, turnPage, isCutShort, type PageAnswer } from '../resources/paging.js';
import { orderOf } from '../../contract/resources/resource.js';

export const recordsCheck: StatedCheck = {
  id: 'records',
  title: 'a list has all records that exist, each once, and only records that match the request',
  comparesAnswers: true,
  showsAlone: ['limit', 'filter'],
  onRequest: true,
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
    const { subject } = findAsked(context.contract, context.sent) ?? {};
    const { field = '' } = rule.covers ?? {};
    const isMoving = subject !== undefined && ledger.learned.moving.has(printField(subject, field));
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
            ...checkCovers(list, rule, isMoving),
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

const describeCount = (count: number): string => `${count} ${count === 1 ? 'record' : 'records'}`;

function checkLength(page: readonly JsonObject[], { at, atMost }: RecordsRule): CheckOutcome[] {
  if (atMost === undefined || page.length <= Number(atMost)) return [];
  const expected = `at most ${describeCount(Number(atMost))}`;
  return [{ rule: 'limit', at: `body${at}`, expected, actual: `${page.length} records` }];
}

/** The limit is a maximum: strictly read, a page may be shorter, even empty. */
function checkFull(page: readonly JsonObject[], { at, full }: RecordsRule, context: CheckContext): CheckOutcome[] {
  if (full === undefined) return [];
  const { contract, sent, ledger, strict } = context;
  const { subject } = findAsked(contract, sent) ?? {};
  const isLasting = subject !== undefined && subject.roles.remove === undefined;
  const seen = isLasting ? ledger.listOf(sent).keys.size : 0;
  const there = full.seen === undefined ? readRecords(full.of, { at }).length : seen;
  const length = Math.min(Number(full.limit), there);
  if (page.length >= length) return [];
  const [value, actual] = [`${length} records`, `${page.length} records`];
  const expected = `${value}, since ${full.seen === undefined ? 'the whole list has' : 'lists have shown'} ${there}`;
  const gap = { id: full.gap, choice: 'shorter' };
  const severity = strict ? 'deviation' : 'information';
  return [{ rule: 'full', at: `body${at}`, expected, value, actual, settles: true, gap, severity }];
}

/** Whether a list has only what its filter chooses. A field that is not shown may have the value, unless a record beside it shows it. */
export function checkFiltered(page: readonly JsonObject[], asked: RecordsRule, context: CheckContext): CheckOutcome[] {
  const { at, every = {}, among = {}, fields, defaults = {}, keyProperty } = asked;
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

type Wanted = NonNullable<RecordsRule['has']>[number];

function checkWanted({ key, like }: Wanted, { all, whole, open }: WholeList, rule: RecordsRule, context: CheckContext) {
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
    const wanted = asObject(isLacking ? asked.has?.find((one) => isSameKey(one.key, key))?.like : undefined);
    const isShownWith = (name: string | undefined): boolean =>
      name !== undefined && wanted[name] !== undefined && all.some((one) => sameJson(one[name], wanted[name]));
    const telling = switches.filter((one) => {
      if (isOfFilter) return isSent(one);
      if (isSent(one)) return false;
      return isLacking ? !isShownWith(one.field) : [fieldOfRule(rule), undefined].includes(one.field);
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

type WholeList = { all: readonly JsonObject[]; whole: boolean; open: string };
type ReadList = WholeList & { page: readonly JsonObject[]; isEnd: boolean };

const NEEDS_PEACE = 'a collection that no other client changes during the run';

export function checkDistinct(list: readonly JsonObject[], { at, keyProperty }: RecordsRule, guess?: string) {
  const seen = new Map<string, JsonObject>();
  for (const [index, record] of list.entries()) {
    const key = record[keyProperty];
    if (key === undefined) continue;
    const before = seen.get(show(key));
    if (before !== undefined && guess !== undefined && !sameJson(before, record)) return [{ needs: guess }];
    if (before !== undefined) {
      const actual = `${show(key)}, which stands before it too`;
      const finding = { rule: 'distinct', expected: 'a key of its own', actual };
      return [{ ...finding, at: `body${at}/${index}/${keyProperty}`, settles: true }];
    }
    seen.set(show(key), record);
  }
  return [];
}

export function checkLacking({ page, whole, open, isEnd }: Omit<ReadList, 'all'>, rule: RecordsRule): CheckOutcome[] {
  const { at, keyProperty, lacks = [], removed } = rule;
  if (lacks.length === 0) return [];
  const earlier = readRecords(removed, rule);
  const index = page.findIndex((record) => lacks.some((key) => isSameKey(record[keyProperty], key)));
  const listed = page[index];
  if (listed !== undefined) {
    const before = earlier.find((each) => isSameKey(each[keyProperty], listed[keyProperty]));
    if (before !== undefined && !sameJson(before, listed)) return [{ needs: NEEDS_REMOVAL }];
    const actual = `the record with the key ${show(listed[keyProperty])}`;
    return [{ rule: 'absent', at: `body${at}/${index}`, expected: 'a list without the record', actual, settles: true }];
  }
  if (whole || !isEnd || lacks.every((key) => isSeenAround(key, page, earlier, keyProperty))) return [];
  return [{ needs: `${open}, so a record that is not in it may be further back` }];
}

function isSeenAround(key: unknown, page: readonly JsonObject[], earlier: readonly JsonObject[], keyProperty: string) {
  const shown = page.map((record) => String(record[keyProperty]));
  const keys = earlier.map((record) => String(record[keyProperty]));
  const index = keys.findIndex((each) => isSameKey(each, key));
  const before = keys.slice(0, Math.max(index, 0)).findLast((each) => shown.includes(each)) ?? '';
  const after = keys.slice(index + 1).find((each) => shown.includes(each)) ?? '';
  return index !== -1 && shown.includes(before) && shown.lastIndexOf(before) < shown.lastIndexOf(after);
}

function checkRejected({ page, isEnd }: ReadList, { at, noneRefused }: RecordsRule, texts: RunTexts): CheckOutcome[] {
  if (noneRefused === undefined) return [];
  const rejected = new Set([...texts.rejected].flatMap(([text, by]) => (by === noneRefused ? [text] : [])));
  if (rejected.size === 0) return isEnd ? [{ needs: 'a rejected record with a unique text' }] : [];
  return page.flatMap((record, index) => {
    const found = texts
      .listMarked(record)
      .find(({ text }) => texts.list(text.toLowerCase()).some((each) => rejected.has(each)));
    if (found === undefined) return [];
    const place = `body${at}/${index}/${found.name}`;
    return [{ rule: 'refused', at: place, expected: 'no rejected record', actual: show(found.text) }];
  });
}

function checkAlike(all: readonly JsonObject[], wanted: readonly JsonObject[], rule: RecordsRule): CheckOutcome[] {
  const { at, keyProperty, fields, sets = [] } = rule;
  const before = new Map(wanted.map((record) => [String(record[keyProperty]), record]));
  const [first] = all
    .filter((record) => record[keyProperty] !== undefined)
    .flatMap((record) => listDifferingFields(record, before.get(String(record[keyProperty])), { fields, sets }));
  if (first === undefined) return [];
  const { field, at: place, expected: value, actual } = first;
  const expected = `${value}, as another page has it`;
  return [{ rule: ruleOfField(field), at: `body${at}/*${place}`, expected, value, actual, settles: true }];
}

export function checkSame(all: readonly JsonObject[], rule: RecordsRule): CheckOutcome[] {
  const { at, same } = rule;
  if (!Array.isArray(same) || hasSameKeys(readRecords(same, rule), all, rule)) return [];
  return [{ rule: 'same', at: `body${at}`, expected: 'the same records as before', actual: 'others', settles: true }];
}

function hasSameKeys(before: readonly JsonObject[], all: readonly JsonObject[], { keyProperty }: RecordsRule): boolean {
  const keysOf = (list: readonly JsonObject[]): string =>
    [...new Set(list.map((each) => String(each[keyProperty])))].toSorted().join();
  return keysOf(before) === keysOf(all);
}

function readRecords(bodies: unknown, { at }: Pick<RecordsRule, 'at'>): JsonObject[] {
  return Array.isArray(bodies) ? bodies.flatMap((body) => followPointer(body, at)).filter(isRecord) : [];
}

function listUnchanged(all: readonly JsonObject[], before: readonly JsonObject[], rule: RecordsRule): JsonObject[] {
  const { keyProperty, fields, sets = [] } = rule;
  const known = new Map(before.map((record) => [String(record[keyProperty]), record]));
  return all.filter((record) => {
    const earlier = known.get(String(record[keyProperty]));
    return earlier !== undefined && listDifferingFields(record, earlier, { fields, sets }).length === 0;
  });
}

export function checkWalk({ all, whole, open }: WholeList, rule: RecordsRule): CheckOutcome[] {
  const { at, keyProperty, pages } = rule;
  if (!Array.isArray(pages)) return [];
  if (checkSame(all, rule).length > 0) return [{ needs: NEEDS_PEACE }];
  const left = new Set(all.map((each) => String(each[keyProperty])));
  const walked = pages.flatMap((body) => {
    const page = left.size === 0 ? [] : readRecords([body], rule);
    for (const each of page) left.delete(String(each[keyProperty]));
    return page;
  });
  const twice = checkDistinct(walked, rule);
  if (twice.length > 0) return twice;
  if (!whole || isCutShort(pages.at(-1), rule.page)) return [{ needs: open }];
  const seen = new Set(walked.map((each) => String(each[keyProperty])));
  const missing = all.find((each) => !seen.has(String(each[keyProperty])));
  const same = rule.same === undefined ? all : listUnchanged(all, readRecords(rule.same, rule), rule);
  if (missing === undefined) return checkAlike(same, walked, rule);
  if (pages.length >= MOST_PAGES)
    return [{ needs: `a list of at most ${MOST_PAGES} pages, the most that a run reads` }];
  const expected = `pages with the record that has the key ${show(missing[keyProperty])}, as the whole list has it`;
  return [{ rule: 'covers', at: `body${at}`, expected, actual: 'pages without it', settles: true }];
}

const TELLING_OF_ALL = ['lacks', 'covers', 'same', 'pages', 'total', 'moreThan', 'whole', 'hasOwn'] as const;

export function isAllFound({ has, keyProperty, ...rule }: RecordsRule, all: readonly unknown[]): boolean {
  if (has === undefined || TELLING_OF_ALL.some((name) => rule[name] !== undefined)) return false;
  return has.every(({ key }) => all.some((each) => isRecord(each) && isSameKey(each[keyProperty], key)));
}

export function checkCovers({ all, whole, open }: WholeList, rule: RecordsRule, isMoving: boolean): CheckOutcome[] {
  const { at, keyProperty, covers } = rule;
  if (covers === undefined || !Array.isArray(covers.of) || !Array.isArray(covers.in)) return [];
  const { field, value } = covers;
  const before = readRecords(covers.of, rule);
  const fits = (record: JsonObject): boolean => sameJson(record[field], value);
  const wanted = listUnchanged(all.filter(fits), before.filter(fits), rule);
  if (wanted.length === 0)
    return [{ needs: `a record with ${show(value)} as ${field}; give one in a file (--records)` }];
  if (!whole) return [{ needs: open }];
  const filtered = readRecords(covers.in, rule);
  const keys = new Set(filtered.map((record) => String(record[keyProperty])));
  const missing = wanted.find((record) => !keys.has(String(record[keyProperty])));
  if (missing === undefined) {
    const isShown = filtered.some((record) => record[field] !== undefined);
    const fields = rule.fields.filter((name) => isShown || name !== field);
    const unlike = checkAlike(filtered, wanted, { ...rule, fields });
    const isProven = before.some((record) => record[field] !== undefined && !fits(record));
    if (unlike.length > 0 || isProven) return unlike;
    return [{ needs: `a record with another value than ${show(value)} as ${field}` }];
  }
  // A state that goes round is the same in both lists, and was another between.
  if (isMoving) return [{ needs: `a \`${field}\` that the service does not change by itself` }];
  // A record may have moved from one page to another while they were read: not if the first is shorter than it may be.
  const [first = 0, ...others] = covers.in.map((body) => readRecords([body], rule).length);
  const isOfPages = others.some((count) => count > 0) || (others.length > 0 && first >= (rule.page?.walk.length ?? 0));
  if (isOfPages && !hasSameKeys(before, all, rule)) return [{ needs: NEEDS_PEACE }];
  const expected = `the record with the key ${show(missing[keyProperty])}, which the whole list has`;
  return [{ rule: 'covers', at: `body${at}`, expected, actual: 'a list without it', settles: true }];
}

export function readTotal(rule: Pick<RecordsRule, 'total'>, { body, headers }: Omit<PageAnswer, 'status'>): unknown {
  const { total } = rule;
  if (total === undefined) return undefined;
  if ('at' in total) return followPointer(body, total.at);
  const text = headers[total.header.toLowerCase()];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : text;
}

export function checkTotal({ all, whole, open }: WholeList, total: unknown, rule: RecordsRule): CheckOutcome[] {
  if (rule.total === undefined) return [];
  if (checkSame(all, rule).length > 0) return [{ needs: NEEDS_PEACE }];
  if (total === undefined || total === null || Number.isNaN(Number(total)))
    return [{ needs: 'a response with the number of records' }];
  const count = new Set(all.map((each) => each[rule.keyProperty] ?? each)).size;
  if (show(total) === String(count)) return [];
  if (!whole) return [{ needs: open }];
  const { page } = rule;
  const totals = [...(page?.totals ?? []), total].filter((each) => each !== undefined).map(Number);
  const [least, most] = [Math.min(...totals), Math.max(...totals)];
  const few = Math.max(page?.lastLength ?? 0, Math.ceil((page?.before.length ?? 0) / (page?.totals?.length ?? 1)));
  if (least < most && most - least < few && least <= count && count <= most) return [{ needs: NEEDS_PEACE }];
  const at = 'at' in rule.total ? `body${rule.total.at}` : `header/${rule.total.header.toLowerCase()}`;
  const expected = `${count}, the number of records on all pages`;
  return [{ rule: 'total', at, expected, value: String(count), actual: show(total), settles: true }];
}

/** Up or down, since a name alone says neither. What lacks the field may stand anywhere. `before`: how many stand on earlier pages. */
export function checkOrder(all: readonly JsonObject[], before: number, rule: RecordsRule): CheckOutcome[] {
  const { at, keyProperty, ordered } = rule;
  if (ordered === undefined) return [];
  if (checkDistinct(all, rule).length > 0) return [{ needs: 'pages that show no record twice' }];
  const { by } = ordered;
  const steps = listSteps(all, by);
  const [first] = steps;
  if (first === undefined) return [{ needs: `records that differ in ${by}` }];
  if (isSameOrder(all, readRecords([ordered.usual], rule), keyProperty))
    return [{ needs: 'a list whose order the parameter changes' }];
  const place = { rule: 'order', at: `body${at}`, settles: true };
  const back = steps.find(({ direction }) => direction !== first.direction);
  if (back !== undefined) {
    const expected = `${first.direction > 0 ? 'at least' : 'at most'} ${show(back.before)}, which stands before it`;
    const index = Math.max(0, back.index - before);
    return [{ ...place, at: `body${at}/${index}/${by}`, expected, actual: show(back.value) }];
  }
  if (ordered.turned === undefined) return [];
  const others = listSteps(readRecords([ordered.turned], rule), by);
  if (others.length === 0 || others.some(({ direction }) => direction !== first.direction)) return [];
  const [way, other] = first.direction > 0 ? ['ascending', 'descending'] : ['descending', 'ascending'];
  return [{ ...place, at: `body${at}/0/${by}`, expected: `${other} order`, actual: `${way} order` }];
}

function isSameOrder(one: readonly JsonObject[], other: readonly JsonObject[], keyProperty: string): boolean {
  const keysOf = (list: readonly JsonObject[]): string[] => list.map((record) => show(record[keyProperty]));
  const [keys, others] = [keysOf(one), keysOf(other)];
  const ofOther = others.filter((key) => keys.includes(key));
  return keys.filter((key) => others.includes(key)).every((key, index) => key === ofOther[index]);
}

function listSteps(list: readonly JsonObject[], by: string) {
  const values = list
    .map((record, index) => ({ index, value: record[by] }))
    .filter(({ value }) => value !== undefined && value !== null);
  return values.slice(1).flatMap(({ index, value }, at) => {
    const before = values[at]?.value;
    const direction = Math.sign(orderOf(value, before));
    return direction === 0 ? [] : [{ index, before, value, direction }];
  });
}
