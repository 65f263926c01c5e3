import { expect, test } from 'vitest';
import { checkTotal, checkCovers, checkLacking, checkWalk } from '../../../src/conformance/checks/whole-list.js';
import type { RecordsRule } from '../../../src/conformance/model/records.js';

const listOf = (keys: readonly number[]): { id: number }[] => keys.map((id) => ({ id }));

/** What is said of a page that may have others after it, once a record was removed from what the list had before. */
function judge(page: readonly number[], before: readonly number[] | undefined): string[] {
  const rule = {
    at: '',
    keyProperty: 'id',
    lacks: [3],
    removed: before === undefined ? undefined : [listOf(before)],
  } as unknown as RecordsRule;
  const outcomes = checkLacking({ page: listOf(page), whole: false, open: 'a list with an end', isEnd: true }, rule);
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

/** What is said of three records on two pages, of which the first said one number of records, and the second another. */
function judgeSaid(first: number, second: number, lastLength: number, length = lastLength): string[] {
  const page = { totals: [first], lastLength, before: listOf(Array.from({ length }, (_, index) => index)) };
  const rule = { at: '', keyProperty: 'id', total: { at: '/total' }, page } as unknown as RecordsRule;
  const list = { all: listOf([1, 2, 3]), page: listOf([3]), whole: true, open: 'a list with an end', isEnd: true };
  return checkTotal(list, second, rule).map((each) => ('rule' in each ? each.rule : each.needs));
}

test.each([
  ['is right', [3, 3, 2], []],
  ['is wrong on every page', [4, 4, 2], ['total']],
  ['grew while the pages were read', [3, 4, 2], [expect.stringContaining('no other client changes')]],
  ['grew after the last page, which has but one', [3, 4, 1, 2], [expect.stringContaining('no other client changes')]],
  ['is what is left after each page', [3, 1, 2], ['total']],
  ['is what each page has', [2, 1, 2], ['total']],
] as const)('a total that %s', (_, [first, second, lastLength, length], told) => {
  expect(judgeSaid(first, second, lastLength, length)).toEqual(told);
});

/** What is said of a list of three records, of which short pages showed two, and the second page says how to go on. */
function judgeShortPages(last: object): string[] {
  const walk = { kind: 'cursor', parameter: 'cursor', first: 0, at: '/data', linkAt: '/next', atMost: 9 };
  const page = { turn: null, before: [], isLast: false, walk };
  const pages = [
    { data: listOf([1]), next: '/x?cursor=k1' },
    { data: listOf([2]), ...last },
  ];
  const rule = { at: '/data', keyProperty: 'id', fields: [], pages, page } as unknown as RecordsRule;
  const outcomes = checkWalk({ all: listOf([1, 2, 3]), whole: true, open: 'a list with an end' }, rule);
  return outcomes.map((each) => ('rule' in each ? each.rule : each.needs));
}

test('what short pages lack is told if they end, and not if nobody knows how to ask for the next', () => {
  expect(judgeShortPages({ next: null })).toEqual(['covers']);
  expect(judgeShortPages({ next: '/x?after=k2' })).toEqual(['a list with an end']);
});

test('keys that differ in case alone are those of two records', () => {
  const all = [
    { id: 'aB1', name: 'one', status: 'x' },
    { id: 'Ab1', name: 'two', status: 'x' },
    { id: 'c', name: 'three', status: 'y' },
  ];
  const list = { all, whole: true, open: 'a list with an end' };
  const rule = { at: '', keyProperty: 'id', fields: ['name', 'status'] };
  const tell = (outcomes: readonly object[]): unknown[] => outcomes.map((each) => ('rule' in each ? each.rule : each));
  const walk = (...pages: object[][]): unknown[] => tell(checkWalk(list, { ...rule, pages }));
  expect(walk([all[1] as object, all[0] as object], [all[2] as object])).toEqual([]);
  expect(walk([all[0] as object], [all[2] as object])).toEqual(['covers']);
  const cover = (listed: object[]): unknown[] => {
    const covers = { of: [all], in: [listed], field: 'status', value: 'x' };
    return tell(checkCovers(list, { ...rule, covers }));
  };
  expect(cover([all[1] as object, all[0] as object])).toEqual([]);
  expect(cover([all[0] as object])).toEqual(['covers']);
});
