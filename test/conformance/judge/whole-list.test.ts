import { expect, test } from 'vitest';
import { judgeLacking } from '../../../src/conformance/judge/whole-list.js';
import type { RecordsRule } from '../../../src/conformance/model/record-rules.js';

const listOf = (keys: readonly number[]): { id: number }[] => keys.map((id) => ({ id }));

/** What is said of a page that may have others after it, once a record was removed from what the list had before. */
function judge(page: readonly number[], before: readonly number[] | undefined): string[] {
  const rule = {
    at: '',
    keyProperty: 'id',
    lacks: [3],
    removed: before === undefined ? undefined : [listOf(before)],
  } as unknown as RecordsRule;
  const outcomes = judgeLacking({ page: listOf(page), whole: false, open: 'a list with an end', isEnd: true }, rule);
  return outcomes.map((each) => ('rule' in each ? each.rule : each.needs));
}

const OPEN = ['a list with an end, so a record that is not in it may be further back'];

test.each([
  ['stands no more between its neighbours', [1, 2, 4, 5], [1, 2, 3, 4, 5], []],
  ['stood last, so that a page may end before it', [1, 2], [1, 2, 3], OPEN],
  ['stood first, so that it may have moved back', [4, 5], [3, 4, 5], OPEN],
  ['had a neighbour that is not shown either', [1, 2], [1, 2, 3, 4], OPEN],
  ['was in a list of another order', [4, 2, 1], [1, 2, 3, 4], OPEN],
  ['was never seen in the list', [1, 2, 4], undefined, OPEN],
  ['is still there', [1, 2, 3, 4], [1, 2, 3, 5], ['absent']],
])('in a list that may be a page, a removed record %s', (_, page, before, told) => {
  expect(judge(page, before)).toEqual(told);
});
