// What is said of a list as a whole: no record twice, in order, the same on every page, as many as the service says.
import { sameJson } from '../../contract/document/json.js';
import { orderOf } from '../../contract/resources/resource.js';
import type { RunTexts } from '../ledger/run-texts.js';
import { followPointer, MOST_PAGES, ruleOfField, type RecordsRule } from '../model/records.js';
import type { CheckOutcome } from './check.js';
import { isCutShort, type PageAnswer } from './pages.js';
import { isSameKey, listDifferingFields } from './record.js';
import { isRecord, listRecords, show, type JsonObject } from './show.js';
import { NEEDS_REMOVAL } from './status.js';

/** The records of all pages that were read, and whether there are no more. */
export type WholeList = { all: readonly JsonObject[]; whole: boolean; open: string };

export interface ReadList extends WholeList {
  page: readonly JsonObject[];
  isEnd: boolean;
}

const NEEDS_PEACE = 'a collection that no other client changes during the run';

/** No key stands twice; `guess` says why what is taken for it may be none. */
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

/** What was removed is in no list, unless that marks it. */
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
  const shown = new Map(page.map((record, place) => [String(record[keyProperty]), place]));
  const keys = earlier.map((record) => String(record[keyProperty]));
  const index = keys.findIndex((each) => isSameKey(each, key));
  const isShown = (each: string): boolean => shown.has(each);
  const before = keys.slice(0, Math.max(index, 0)).findLast(isShown);
  const after = keys.slice(index + 1).find(isShown);
  if (index === -1 || before === undefined || after === undefined) return false;
  return (shown.get(before) ?? 0) < (shown.get(after) ?? 0);
}

/** What was rejected is not there: a text of it that was never taken stands in no record. */
export function checkRejected({ page, isEnd }: ReadList, { at, noneRefused }: RecordsRule, texts: RunTexts) {
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

/** Others who write meanwhile move records from page to page. */
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
  const left = new Set(all.map((each) => String(each[rule.keyProperty])));
  const walked = pages.flatMap((body) => {
    if (left.size === 0) return [];
    const page = readRecords([body], rule);
    for (const each of page) left.delete(String(each[rule.keyProperty]));
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

/** Whether every record that is asked for was found, and nothing else is asked: what further pages have does not matter. */
export function isAllFound({ has, keyProperty, ...rule }: RecordsRule, all: readonly unknown[]): boolean {
  if (has === undefined || TELLING_OF_ALL.some((name) => rule[name] !== undefined)) return false;
  return has.every(({ key }) => all.some((each) => isRecord(each) && isSameKey(each[keyProperty], key)));
}

/** A filtered list has what stood in the whole list before and stands there after it, both times with the value. */
export function checkCovers({ all, whole, open }: WholeList, rule: RecordsRule): CheckOutcome[] {
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
    // The parameter may decide whether the field is shown at all.
    const isShown = filtered.some((record) => record[field] !== undefined);
    const fields = rule.fields.filter((name) => isShown || name !== field);
    const unlike = checkAlike(filtered, wanted, { ...rule, fields });
    const isProven = before.some((record) => record[field] !== undefined && !fits(record));
    if (unlike.length > 0 || isProven) return unlike;
    return [{ needs: `a record with another value than ${show(value)} as ${field}` }];
  }
  // A record may have moved from one page to another while they were read: not if the first is shorter than it may be.
  const [first = 0, ...others] = covers.in.map((body) => readRecords([body], rule).length);
  const isOfPages = others.some((count) => count > 0) || (others.length > 0 && first >= (rule.page?.walk.length ?? 0));
  if (isOfPages && !hasSameKeys(before, all, rule)) return [{ needs: NEEDS_PEACE }];
  const expected = `the record with the key ${show(missing[keyProperty])}, which the whole list has`;
  return [{ rule: 'covers', at: `body${at}`, expected, actual: 'a list without it', settles: true }];
}

export function readTotal(
  { total }: Pick<RecordsRule, 'total'>,
  { body, headers }: Omit<PageAnswer, 'status'>,
): unknown {
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
  // A page beyond the last may be the last again.
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
  if (isSameOrder(all, listRecords(followPointer(ordered.usual, at)) ?? [], keyProperty))
    return [{ needs: 'a list whose order the parameter changes' }];
  const place = { rule: 'order', at: `body${at}`, settles: true };
  const back = steps.find(({ direction }) => direction !== first.direction);
  if (back !== undefined) {
    const expected = `${first.direction > 0 ? 'at least' : 'at most'} ${show(back.before)}, which stands before it`;
    const index = Math.max(0, back.index - before);
    return [{ ...place, at: `body${at}/${index}/${by}`, expected, actual: show(back.value) }];
  }
  if (ordered.turned === undefined) return [];
  const others = listSteps(listRecords(followPointer(ordered.turned, at)) ?? [], by);
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
