// What is said of a list as a whole: no record twice, the same on every page, as many as the service says.
import { answered, successBody, type CheckContext, type CheckOutcome } from './check.js';
import { isPet as isRecord, show } from './pets.js';
import { followPointer, listDifferingFields } from './record-like.js';
import { MOST_PAGES } from './page-walk.js';
import type { RecordsRule } from './record-rules.js';

export type Listed = Readonly<Record<string, unknown>>;

/** The records of all pages that were read, and whether there are no more. */
export interface WholeList {
  all: readonly Listed[];
  whole: boolean;
}

/** No key stands twice. */
export function judgeDistinct(
  list: readonly Listed[],
  { at, keyProperty }: Pick<RecordsRule, 'at' | 'keyProperty'>,
): CheckOutcome[] {
  const seen = new Set<string>();
  for (const [index, record] of list.entries()) {
    const key = record[keyProperty];
    if (key === undefined) continue;
    if (seen.has(show(key))) {
      const actual = `${show(key)}, which stands before it too`;
      const finding = { rule: 'distinct', expected: 'a key of its own', actual };
      return [{ ...finding, at: `body${at}/${index}/${keyProperty}`, settles: true }];
    }
    seen.add(show(key));
  }
  return [];
}

/** A record is the same on any page. */
export function judgeAlike(
  all: readonly Listed[],
  wanted: readonly Listed[],
  { at, keyProperty, fields }: Pick<RecordsRule, 'at' | 'keyProperty' | 'fields'>,
): CheckOutcome[] {
  const before = new Map(wanted.map((record) => [show(record[keyProperty]), record]));
  const found = all.flatMap((record) => listDifferingFields(record, before.get(show(record[keyProperty])), { fields }));
  return found.slice(0, 1).map(({ field, at: place, expected, actual }) => ({
    rule: field,
    at: `body${at}/*${place}`,
    expected: `${expected}, as another page has it`,
    actual,
    settles: true,
  }));
}

/** Others who write meanwhile move records from page to page. */
export function judgeSame(all: readonly Listed[], { at, keyProperty, same }: RecordsRule): CheckOutcome[] {
  if (!Array.isArray(same)) return [];
  const keysOf = (list: readonly Listed[]): string =>
    list
      .map((each) => show(each[keyProperty]))
      .toSorted()
      .join();
  const before = same.flatMap((body) => followPointer(body, at)).filter(isRecord);
  if (keysOf(before) === keysOf(all)) return [];
  return [{ rule: 'same', at: `body${at}`, expected: 'the same records as before', actual: 'others', settles: true }];
}

/** All pages have every record, each once. */
export function judgeWalk({ all, whole }: WholeList, rule: RecordsRule): CheckOutcome[] {
  const { at, keyProperty, fields, pages } = rule;
  if (!Array.isArray(pages)) return [];
  if (!whole) return [{ needs: 'a list that can be read to its end' }];
  if (judgeSame(all, rule).length > 0) return [{ needs: 'records that nobody else creates or removes meanwhile' }];
  const walked = pages.flatMap((body) => followPointer(body, at)).filter(isRecord);
  const twice = judgeDistinct(walked, rule);
  if (twice.length > 0) return twice;
  const seen = new Set(walked.map((each) => show(each[keyProperty])));
  const missing = all.find((each) => !seen.has(show(each[keyProperty])));
  if (missing === undefined) return judgeAlike(all, walked, { at, keyProperty, fields });
  if (pages.length >= MOST_PAGES) return [{ needs: 'a list of fewer pages' }];
  const expected = `pages with the record that has the key ${show(missing[keyProperty])}, as the whole list has it`;
  return [{ rule: 'covers', at: `body${at}`, expected, actual: 'pages without it', settles: true }];
}

/** What an answer says of all pages. */
export function readTotal({ total }: RecordsRule, context: CheckContext): unknown {
  if (total === undefined) return undefined;
  if ('at' in total) return followPointer(successBody(context), total.at);
  const text = answered(context)?.headers[total.header.toLowerCase()];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : text;
}

/** A list says as many records as there are. */
export function judgeTotal({ all, whole, total }: WholeList & { total: unknown }, rule: RecordsRule): CheckOutcome[] {
  if (rule.total === undefined) return [];
  if (total === undefined || total === null) return [{ needs: 'an answer that says how many records there are' }];
  if (!whole) return [{ needs: 'a list that can be read to its end' }];
  if (show(total) === String(all.length)) return [];
  const at = 'at' in rule.total ? `body${rule.total.at}` : `header/${rule.total.header.toLowerCase()}`;
  const expected = `${all.length}, the number of records on all pages`;
  return [{ rule: 'total', at, expected, actual: show(total), settles: true }];
}
