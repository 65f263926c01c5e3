import { expect, test } from 'vitest';
import { EVERYTHING, nextSort, NOT_SET, selectRecords, type Selection } from '../../src/console/collections/fields.js';
import type { KeptRecord } from '../../src/console/types.js';

const exact = (): string => '1e400';

const ALL: KeptRecord[] = [
  { id: 1, name: 'Rex', size: 10, state: 'open', address: { city: 'Ulm' } },
  { id: 2, name: 'ada', size: 9, state: 'done' },
  { id: 3, name: 'Item 10', size: 9007199254740993n, state: 'open' },
  { id: 4, name: 'Item 9', size: 9007199254740992n },
  { id: 5, name: 'Zoe', size: exact, state: null },
  { id: 6, size: 'large', state: 7 },
].map((record) => ({ record, origin: 'fixture' }));

const idsOf = (selection: Partial<Selection>): unknown[] =>
  selectRecords(ALL, { ...EVERYTHING, ...selection }).map(({ record }) => record['id']);

test('a search looks into all values, in nested ones too, without regard to case', () => {
  expect(idsOf({ search: 'REX' })).toEqual([1]);
  expect(idsOf({ search: ' ulm ' })).toEqual([1]);
  expect(idsOf({ search: '740993' })).toEqual([3]);
  expect(idsOf({ search: 'city' })).toEqual([]);
  expect(idsOf({ search: ' ' })).toHaveLength(6);
});

test('a filter tells a number from its text, and finds what is not set', () => {
  expect(idsOf({ filters: { state: '"open"' } })).toEqual([1, 3]);
  expect(idsOf({ filters: { state: '7' } })).toEqual([6]);
  expect(idsOf({ filters: { state: NOT_SET } })).toEqual([4, 5]);
  expect(idsOf({ filters: { state: '' } })).toHaveLength(6);
  expect(idsOf({ filters: { state: '"open"' }, search: 'item' })).toEqual([3]);
});

test('numbers are sorted by their value, however large, before texts', () => {
  expect(idsOf({ sort: { name: 'size', down: false } })).toEqual([2, 1, 4, 3, 5, 6]);
  expect(idsOf({ sort: { name: 'size', down: true } })).toEqual([6, 5, 3, 4, 1, 2]);
});

test('texts are sorted as a person would, and what is not set comes last in both directions', () => {
  expect(idsOf({ sort: { name: 'name', down: false } })).toEqual([2, 4, 3, 1, 5, 6]);
  expect(idsOf({ sort: { name: 'name', down: true } })).toEqual([5, 1, 3, 4, 2, 6]);
});

test('without an order it is that of the API, to which the third press on a header goes back', () => {
  expect(idsOf({})).toEqual([1, 2, 3, 4, 5, 6]);
  const first = nextSort(undefined, 'name');
  const second = nextSort(first, 'name');
  expect([first, second, nextSort(second, 'name')]).toEqual([
    { name: 'name', down: false },
    { name: 'name', down: true },
    undefined,
  ]);
  expect(nextSort(second, 'id')).toEqual({ name: 'id', down: false });
});
