// What is said of a list as a whole: no record twice, the same on every page.
import type { CheckOutcome } from './check.js';
import { isRecord, show } from './shown.js';
import { sameJson } from '../../contract/document/json.js';
import { isCutShort } from './page-end.js';
import { isSameKey, listDifferingFields } from './record-like.js';
import { followPointer } from '../model/follow-pointer.js';
import type { RunTexts } from '../ledger/run-texts.js';
import { MOST_PAGES } from '../model/page-walk.js';
import { ruleOfField, type RecordsRule } from '../model/record-rules.js';
import { NEEDS_REMOVAL } from './status.js';

export type Listed = Readonly<Record<string, unknown>>;

/** The records of all pages that were read, and whether there are no more. */
export interface WholeList {
  all: readonly Listed[];
  whole: boolean;
  /** Why nobody knows whether there are more. */
  open: string;
}

/** No key stands twice; `guess` says why what is taken for it may be none. */
export function judgeDistinct(
  list: readonly Listed[],
  { at, keyProperty }: Pick<RecordsRule, 'at' | 'keyProperty'>,
  guess?: string,
): CheckOutcome[] {
  const seen = new Map<string, Listed>();
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
export function judgeLacking(
  { page, whole, open, isEnd }: { page: readonly Listed[]; whole: boolean; open: string; isEnd: boolean },
  rule: RecordsRule,
): CheckOutcome[] {
  const { at, keyProperty, lacks = [], removed } = rule;
  if (lacks.length === 0) return [];
  const index = page.findIndex((record) => lacks.some((key) => isSameKey(record[keyProperty], key)));
  if (index !== -1) {
    const before = readRecords(removed, rule).find((each) => isSameKey(each[keyProperty], page[index]?.[keyProperty]));
    if (before !== undefined && !sameJson(before, page[index])) return [{ needs: NEEDS_REMOVAL }];
    const actual = `the record with the key ${show(page[index]?.[keyProperty])}`;
    return [{ rule: 'absent', at: `body${at}/${index}`, expected: 'a list without the record', actual, settles: true }];
  }
  if (whole || !isEnd || lacks.every((key) => isSeenAround(key, page, rule))) return [];
  return [{ needs: `${open}, so a record that is not in it may be further back` }];
}

/** Whether a page shows, in their order, records that the list had before and after one: where that stood, nothing stands. */
function isSeenAround(key: unknown, page: readonly Listed[], rule: RecordsRule): boolean {
  const { keyProperty, removed } = rule;
  const shown = new Map(page.map((record, place) => [String(record[keyProperty]), place]));
  const keys = readRecords(removed, rule).map((record) => String(record[keyProperty]));
  const index = keys.findIndex((each) => isSameKey(each, key));
  const isShown = (each: string): boolean => shown.has(each);
  // Others may have removed those next to it.
  const before = keys.slice(0, Math.max(index, 0)).findLast(isShown);
  const after = keys.slice(index + 1).find(isShown);
  if (index === -1 || before === undefined || after === undefined) return false;
  return (shown.get(before) ?? 0) < (shown.get(after) ?? 0);
}

/** What was refused is not there: a text of it that was never taken stands in no record. */
export function judgeRefused(
  { page, isEnd }: { page: readonly Listed[]; isEnd: boolean },
  { at, noneRefused }: Pick<RecordsRule, 'at' | 'noneRefused'>,
  texts: RunTexts,
): CheckOutcome[] {
  if (noneRefused === undefined) return [];
  const refused = new Set([...texts.rejected].flatMap(([text, by]) => (by === noneRefused ? [text] : [])));
  if (refused.size === 0) return isEnd ? [{ needs: 'a rejected record with a unique text' }] : [];
  const isRefused = (text: string): boolean => texts.list(text.toLowerCase()).some((each) => refused.has(each));
  return page.flatMap((record, index) =>
    texts
      .listMarked(record)
      .filter(({ text }) => isRefused(text))
      .slice(0, 1)
      .map(({ name, text }) => ({
        rule: 'refused',
        at: `body${at}/${index}/${name}`,
        expected: 'no rejected record',
        actual: show(text),
      })),
  );
}

/** A record is the same on any page. */
function judgeAlike(
  all: readonly Listed[],
  wanted: readonly Listed[],
  { at, keyProperty, fields, sets = [] }: RecordsRule,
): CheckOutcome[] {
  const before = new Map(wanted.map((record) => [String(record[keyProperty]), record]));
  // What has no key may be any of them.
  const known = all.filter((record) => record[keyProperty] !== undefined);
  const found = known.flatMap((record) =>
    listDifferingFields(record, before.get(String(record[keyProperty])), { fields, sets }),
  );
  return found.slice(0, 1).map(({ field, at: place, expected, actual }) => ({
    rule: ruleOfField(field),
    at: `body${at}/*${place}`,
    expected: `${expected}, as another page has it`,
    value: expected,
    actual,
    settles: true,
  }));
}

/** Others who write meanwhile move records from page to page. */
export function judgeSame(all: readonly Listed[], rule: RecordsRule): CheckOutcome[] {
  const { at, same } = rule;
  if (!Array.isArray(same) || hasSameKeys(readRecords(same, rule), all, rule)) return [];
  return [{ rule: 'same', at: `body${at}`, expected: 'the same records as before', actual: 'others', settles: true }];
}

function hasSameKeys(before: readonly Listed[], all: readonly Listed[], { keyProperty }: RecordsRule): boolean {
  const keysOf = (list: readonly Listed[]): string =>
    [...new Set(list.map((each) => String(each[keyProperty])))].toSorted().join();
  return keysOf(before) === keysOf(all);
}

function readRecords(bodies: unknown, { at }: RecordsRule): Listed[] {
  return Array.isArray(bodies) ? bodies.flatMap((body) => followPointer(body, at)).filter(isRecord) : [];
}

/** Of what stands here, that which stood in the list before and was no other then. */
function listUnchanged(
  all: readonly Listed[],
  before: readonly Listed[],
  { keyProperty, fields, sets = [] }: RecordsRule,
): Listed[] {
  const known = new Map(before.map((record) => [String(record[keyProperty]), record]));
  return all.filter((record) => {
    const earlier = known.get(String(record[keyProperty]));
    return earlier !== undefined && listDifferingFields(record, earlier, { fields, sets }).length === 0;
  });
}

export const NEEDS_PEACE = 'a collection that no other client changes during the run';

/** All pages have every record, each once. */
export function judgeWalk({ all, whole, open }: WholeList, rule: RecordsRule): CheckOutcome[] {
  const { at, keyProperty, pages } = rule;
  if (!Array.isArray(pages)) return [];
  if (judgeSame(all, rule).length > 0) return [{ needs: NEEDS_PEACE }];
  const walked = readUntilWhole(pages, all, rule);
  const twice = judgeDistinct(walked, rule);
  if (twice.length > 0) return twice;
  if (!whole || isCutShort(pages.at(-1), rule.page)) return [{ needs: open }];
  const seen = new Set(walked.map((each) => String(each[keyProperty])));
  const missing = all.find((each) => !seen.has(String(each[keyProperty])));
  const same = rule.same === undefined ? all : listUnchanged(all, readRecords(rule.same, rule), rule);
  if (missing === undefined) return judgeAlike(same, walked, rule);
  if (pages.length >= MOST_PAGES)
    return [{ needs: `a list of at most ${MOST_PAGES} pages, the most that a run reads` }];
  const expected = `pages with the record that has the key ${show(missing[keyProperty])}, as the whole list has it`;
  return [{ rule: 'covers', at: `body${at}`, expected, actual: 'pages without it', settles: true }];
}

/** Whether every record that is asked for was found, and nothing else is asked: what further pages have does not matter. */
export function isAllFound({ has, keyProperty, ...rule }: RecordsRule, all: readonly unknown[]): boolean {
  if (has === undefined || TELLING_OF_ALL.some((name) => rule[name] !== undefined)) return false;
  return has.every(({ key }) => all.some((each) => isRecord(each) && isSameKey(each[keyProperty], key)));
}

const TELLING_OF_ALL = ['lacks', 'covers', 'same', 'pages', 'total', 'moreThan', 'whole', 'hasOwn'] as const;

/** The records of all pages up to the last: what a service shows beyond that is its own. */
function readUntilWhole(pages: readonly unknown[], all: readonly Listed[], rule: RecordsRule): Listed[] {
  const missing = new Set(all.map((each) => String(each[rule.keyProperty])));
  return pages.flatMap((body) => {
    if (missing.size === 0) return [];
    const page = readRecords([body], rule);
    for (const each of page) missing.delete(String(each[rule.keyProperty]));
    return page;
  });
}

/** A filtered list has what stood in the whole list before and stands there after it, both times with the value. */
export function judgeCovers({ all, whole, open }: WholeList, rule: RecordsRule): CheckOutcome[] {
  const { at, keyProperty, covers } = rule;
  if (covers === undefined || !Array.isArray(covers.of) || !Array.isArray(covers.in)) return [];
  const before = readRecords(covers.of, rule);
  const fits = (record: Listed): boolean => sameJson(record[covers.field], covers.value);
  const wanted = listUnchanged(all.filter(fits), before.filter(fits), rule);
  if (wanted.length === 0)
    return [{ needs: `a record with ${show(covers.value)} as ${covers.field}; give one in a file (--records)` }];
  if (!whole) return [{ needs: open }];
  const filtered = readRecords(covers.in, rule);
  const keys = new Set(filtered.map((record) => String(record[keyProperty])));
  const missing = wanted.find((record) => !keys.has(String(record[keyProperty])));
  // The parameter may decide whether the field is shown at all.
  const isShown = filtered.some((record) => record[covers.field] !== undefined);
  const fields = rule.fields.filter((name) => isShown || name !== covers.field);
  if (missing === undefined) {
    const unlike = judgeAlike(filtered, wanted, { ...rule, fields });
    const isProven = before.some((record) => record[covers.field] !== undefined && !fits(record));
    if (unlike.length > 0 || isProven) return unlike;
    return [{ needs: `a record with another value than ${show(covers.value)} as ${covers.field}` }];
  }
  if (isOfPages(covers.in, rule) && !hasSameKeys(before, all, rule)) return [{ needs: NEEDS_PEACE }];
  const expected = `the record with the key ${show(missing[keyProperty])}, which the whole list has`;
  return [{ rule: 'covers', at: `body${at}`, expected, actual: 'a list without it', settles: true }];
}

/** Whether a record may have moved from one page to another while they were read: not if the first is shorter than it may be. */
function isOfPages(bodies: readonly unknown[], rule: RecordsRule): boolean {
  const [first = 0, ...others] = bodies.map((body) => readRecords([body], rule).length);
  return others.some((count) => count > 0) || (others.length > 0 && first >= (rule.page?.walk.length ?? 0));
}
