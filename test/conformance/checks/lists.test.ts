import { expect, test } from 'vitest';
import type { CheckContext, CheckOutcome } from '../../../src/conformance/checks/check.js';
import {
  checkFiltered,
  checkTotal,
  checkCovers,
  checkLacking,
  checkWalk,
} from '../../../src/conformance/checks/list.js';
import { isShorterThanBefore } from '../../../src/conformance/checks/own-records.js';
import { RecordLedger } from '../../../src/conformance/ledger/record-ledger.js';
import { RunTexts } from '../../../src/conformance/ledger/shown-records.js';
import type { RecordsRule } from '../../../src/conformance/model/exchange.js';
import { readSubjects } from '../../../src/conformance/resources/resource-under-test.js';
import { shippedContract } from '../../support/shipped.js';
import { makeContext } from '../support/check-context.js';

const listOf = (keys: readonly number[]): { id: number }[] => keys.map((id) => ({ id }));
const makeRule = (rule: object): RecordsRule => ({ at: '', keyProperty: 'id', ...rule }) as unknown as RecordsRule;
const tell = (outcomes: readonly CheckOutcome[]): string[] =>
  outcomes.map((each) => ('rule' in each ? each.rule : each.needs));
const open = 'a list with an end';
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
  const rule = makeRule({ lacks: [3], removed: before === undefined ? undefined : [listOf(before)] });
  expect(tell(checkLacking({ page: listOf(page), whole: false, open, isEnd: true }, rule))).toEqual(told);
});

const CHANGES = [expect.stringContaining('no other client changes')];

// Three records on two pages, of which the first says one number of records, and the second another.
test.each([
  ['is right', [3, 3, 2], []],
  ['is wrong on every page', [4, 4, 2], ['total']],
  ['grew while the pages were read', [3, 4, 2], CHANGES],
  ['grew after the last page, which has but one', [3, 4, 1, 2], CHANGES],
  ['is what is left after each page', [3, 1, 2], ['total']],
  ['is what each page has', [2, 1, 2], ['total']],
] as const)('a total that %s', (_, [first, second, lastLength, length = lastLength], told) => {
  const page = { totals: [first], lastLength, before: listOf(Array.from({ length }, (__, index) => index)) };
  const list = { all: listOf([1, 2, 3]), page: listOf([3]), whole: true, open, isEnd: true };
  expect(tell(checkTotal(list, second, makeRule({ total: { at: '/total' }, page })))).toEqual(told);
});

test.each([
  ['is told if they end', { next: null }, ['covers']],
  ['is not told if nobody knows how to ask for the next', { next: '/x?after=k2' }, [open]],
])('what two short pages lack of three records %s', (_, last, told) => {
  const walk = { kind: 'cursor', parameter: 'cursor', first: 0, at: '/data', linkAt: '/next', atMost: 9 };
  const page = { turn: null, before: [], isLast: false, walk };
  const pages = [
    { data: listOf([1]), next: '/x?cursor=k1' },
    { data: listOf([2]), ...last },
  ];
  const rule = makeRule({ at: '/data', fields: [], pages, page });
  expect(tell(checkWalk({ all: listOf([1, 2, 3]), whole: true, open }, rule))).toEqual(told);
});

test('keys that differ in case alone are those of two records', () => {
  const upper = { id: 'aB1', name: 'one', status: 'x' };
  const lower = { id: 'Ab1', name: 'two', status: 'x' };
  const other = { id: 'c', name: 'three', status: 'y' };
  const all = [upper, lower, other];
  const rule = makeRule({ fields: ['name', 'status'] });
  const walk = (...pages: object[][]): string[] => tell(checkWalk({ all, whole: true, open }, { ...rule, pages }));
  expect(walk([lower, upper], [other])).toEqual([]);
  expect(walk([upper], [other])).toEqual(['covers']);
  const cover = (listed: object[], isMoving = false): string[] => {
    const covers = { of: [all], in: [listed], field: 'status', value: 'x' };
    return tell(checkCovers({ all, whole: true, open }, { ...rule, covers }, isMoving));
  };
  expect(cover([lower, upper])).toEqual([]);
  expect(cover([upper])).toEqual(['covers']);
  // A state that the service changes by itself may have been another between.
  expect(cover([upper], true)).not.toContain('covers');
});

test('what a list has that does not fit may be late where the run has changed one of it, and nowhere else', () => {
  const ledger = new RecordLedger(shippedContract, new RunTexts('cf'));
  const [pets] = readSubjects(shippedContract);
  if (pets === undefined) throw new Error('there are no pets');
  const operation = shippedContract.operations.find(({ id }) => id === 'listPets');
  const context = { contract: shippedContract, sent: { operation, path: {} }, ledger } as unknown as CheckContext;
  for (const petId of [7, 8]) ledger.notePresent(ledger.entryOf(pets, { petId }, petId));
  const unchanged = { key: 8, sent: { status: 'pending' }, kept: new Set<string>(), since: 0 };
  ledger.noteExpected(ledger.entryOf(pets, { petId: 8 }, 8), unchanged);
  const rule = makeRule({ fields: ['status'], every: { status: 'sold' } });
  const isUntouched = (...keys: number[]): unknown => {
    const page = keys.map((id) => ({ id, status: 'pending' }));
    return checkFiltered(page, rule, context).map((each) => 'isUntouched' in each && each.isUntouched);
  };
  expect([[5], [8], [7], [5, 7]].map((keys) => isUntouched(...keys))).toEqual([[true], [true], [false], [false]]);
});

// Of two lists that are asked for at once, the one whose response comes first may be the newer one.
test('a list is held against one that was there before it was asked for, and not against one that came after', () => {
  const isShorter = (at: number): boolean => {
    const context = makeContext({ body: [] });
    context.ledger.listOf(context.sent).lengths.push({ count: 10, at });
    return isShorterThanBefore(9, context);
  };
  expect([999, 1001].map(isShorter)).toEqual([true, false]);
});
