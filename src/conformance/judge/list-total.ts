// A list has as many records as the service says.
import { followPointer } from '../model/follow-pointer.js';
import type { RecordsRule } from '../model/record-rules.js';
import type { CheckOutcome } from './check.js';
import type { PageAnswer } from './page-end.js';
import { show } from './shown.js';
import { judgeSame, NEEDS_PEACE, type WholeList } from './whole-list.js';

/** What an answer says of all pages. */
export function readTotal(
  { total }: Pick<RecordsRule, 'total'>,
  { body, headers }: Pick<PageAnswer, 'body' | 'headers'>,
): unknown {
  if (total === undefined) return undefined;
  if ('at' in total) return followPointer(body, total.at);
  const text = headers[total.header.toLowerCase()];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : text;
}

/** Whether others created or removed records while the pages were read: few, and what is there is between what was said. */
function hasMoved(total: unknown, count: number, { page }: RecordsRule): boolean {
  const totals = [...(page?.totals ?? []), total].filter((each) => each !== undefined).map(Number);
  const [least, most] = [Math.min(...totals), Math.max(...totals)];
  // As many as a page has: the last one may have but one.
  const few = Math.max(page?.lastLength ?? 0, Math.ceil((page?.before.length ?? 0) / (page?.totals?.length ?? 1)));
  return least < most && most - least < few && least <= count && count <= most;
}

/** A list says as many records as there are. */
export function judgeTotal(
  { all, whole, open, total }: WholeList & { total: unknown },
  rule: RecordsRule,
): CheckOutcome[] {
  if (rule.total === undefined) return [];
  if (judgeSame(all, rule).length > 0) return [{ needs: NEEDS_PEACE }];
  // What is no number is told by its schema.
  if (total === undefined || total === null || Number.isNaN(Number(total)))
    return [{ needs: 'a response with the number of records' }];
  // A page beyond the last may be the last again.
  const count = new Set(all.map((each) => each[rule.keyProperty] ?? each)).size;
  if (show(total) === String(count)) return [];
  if (!whole) return [{ needs: open }];
  if (hasMoved(total, count, rule)) return [{ needs: NEEDS_PEACE }];
  const at = 'at' in rule.total ? `body${rule.total.at}` : `header/${rule.total.header.toLowerCase()}`;
  const expected = `${count}, the number of records on all pages`;
  return [{ rule: 'total', at, expected, value: String(count), actual: show(total), settles: true }];
}
