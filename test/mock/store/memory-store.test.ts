import { expect, test } from 'vitest';
import type { Int64 } from '../../../src/contract/document/json.js';
import { createMemoryStore, type MemoryStoreOptions } from '../../../src/mock/store/memory-store.js';
import type { ListQuery, PetStore, SeedPet } from '../../../src/mock/store/pet-store.js';
import { threePets } from '../../support/test-world.js';

const INT64_MAX = 9223372036854775807n;

function idsOf(options: MemoryStoreOptions, query: Partial<ListQuery> = {}): Int64[] {
  return createMemoryStore(options)
    .list({ order: 'oldest-first', ...query })
    .map(({ pet }) => pet.id);
}

const rex = { name: 'Rex', categoryId: 1 };

test('pets are listed in either order', () => {
  expect(idsOf({ pets: threePets })).toEqual([1, 2, 3]);
  expect(idsOf({ pets: threePets }, { order: 'newest-first' })).toEqual([3, 2, 1]);
});

test.each([
  ['oldest-first', [1, 2]],
  ['newest-first', [3, 2]],
] as const)('a limit cuts the %s list at its end', (order, ids) => {
  expect(idsOf({ pets: threePets }, { order, limit: 2 })).toEqual(ids);
  expect(idsOf({ pets: threePets }, { order, limit: 7 })).toHaveLength(3);
});

test('a status filters the list, and pets without one are in none', () => {
  expect(idsOf({ pets: threePets }, { status: 'sold' })).toEqual([2]);
  expect(idsOf({ pets: threePets }, { status: 'pending' })).toEqual([]);
  expect(idsOf({ pets: threePets }, { status: 'undefined' })).toEqual([]);
});

test('ids go on after the highest one', () => {
  const store = createMemoryStore({ pets: [{ id: 40, ...rex }, rex, { id: 7, ...rex }] });
  expect(store.list({ order: 'oldest-first' }).map(({ pet }) => pet.id)).toEqual([40, 41, 7]);
  expect(store.add(rex)?.pet.id).toBe(42);
});

test('ids begin where the options say', () => {
  expect(createMemoryStore({ pets: threePets, nextId: 1000 }).add(rex)?.pet.id).toBe(1000);
});

test('an id that a later pet comes with is not given to an earlier one', () => {
  expect(idsOf({ pets: [rex, { id: 5, ...rex }, rex], nextId: 5 })).toEqual([6, 5, 7]);
});

test('ids that are taken are passed over', () => {
  const store = createMemoryStore({ pets: threePets, nextId: 2 });
  expect([store.add(rex)?.pet.id, store.add(rex)?.pet.id]).toEqual([4, 5]);
});

test('past the last int64, ids go on at the first that is free', () => {
  const store = createMemoryStore({ pets: [{ id: 1, ...rex }], nextId: INT64_MAX });
  expect([store.add(rex)?.pet.id, store.add(rex)?.pet.id]).toEqual([INT64_MAX, 2]);
});

test('a pet is found by an id past 2^53, and its neighbour is not', () => {
  const store = createMemoryStore({ pets: [{ id: 9007199254740993n, ...rex }] });
  expect(store.get(9007199254740993n)?.text).toBe('{"id":9007199254740993,"name":"Rex","categoryId":1}');
  expect(store.get(9007199254740992)).toBeUndefined();
  expect(store.get(9007199254740994)).toBeUndefined();
});

test('the text of a pet is its JSON', () => {
  const stored = createMemoryStore().add({ name: '"\u2028', categoryId: INT64_MAX, status: 'sold' });
  expect(stored?.text).toBe('{"id":1,"name":"\\"\u2028","categoryId":9223372036854775807,"status":"sold"}');
});

test('what is stored cannot be changed by who holds it', () => {
  const store = createMemoryStore({ pets: threePets });
  expect(() => Object.assign(store.get(1)?.pet as SeedPet, { name: 'Max' })).toThrow(TypeError);
});

test('a full store takes no more, and gives no id away', () => {
  const store = createMemoryStore({ pets: threePets, capacity: 4 });
  expect(store.add(rex)?.pet.id).toBe(4);
  expect(store.add(rex)).toBeUndefined();
  expect([store.size, store.capacity]).toEqual([4, 4]);
});

test('the category of a pet is known, however it was written', () => {
  const store = createMemoryStore({ pets: [{ ...rex, categoryId: 9007199254740993n }] });
  expect(store.hasCategory(9007199254740993n)).toBe(true);
  expect(store.hasCategory(9007199254740992)).toBe(false);
});

test('a page costs the same of a hundred pets and of a hundred thousand', () => {
  const many = (length: number): SeedPet[] => Array.from({ length }, () => ({ ...rex, status: 'sold' }));
  const few = createMemoryStore({ pets: many(100) });
  const lots = createMemoryStore({ pets: many(100_000) });
  const costOf = (store: typeof few): number => {
    const started = performance.now();
    for (let round = 0; round < 2000; round++) store.list({ order: 'newest-first', status: 'sold', limit: 20 });
    return performance.now() - started;
  };
  costOf(few);
  costOf(lots);
  // A cost that grew with the collection would be a thousandfold.
  expect(costOf(lots)).toBeLessThan(costOf(few) * 20 + 20);
});

test('a reset brings the pets and the ids back', () => {
  const store = createMemoryStore({ pets: threePets });
  store.add(rex);
  store.reset();
  expect(store.size).toBe(3);
  expect(store.get(4)).toBeUndefined();
  expect(store.add(rex)?.pet.id).toBe(4);
});

test('pets that replace others never take an id that was handed out', () => {
  const store = createMemoryStore({ pets: threePets });
  store.add(rex);
  store.replace([rex]);
  expect(store.list({ order: 'oldest-first' }).map(({ pet }) => pet.id)).toEqual([5]);
  expect([store.get(1), store.hasCategory(2)]).toEqual([undefined, false]);
});

const CHANGES: [name: string, change: (store: PetStore) => void][] = [
  ['are added', (store) => void store.add(rex)],
  ['are replaced', (store) => store.replace([rex])],
  ['are reset', (store) => store.reset()],
];

test.each(CHANGES)('a page is the same array until pets %s', (_, change) => {
  const store = createMemoryStore({ pets: threePets });
  const list = (): readonly unknown[] => store.list({ order: 'newest-first', limit: 20 });
  const before = list();
  expect(list()).toBe(before);
  change(store);
  expect(list()).not.toBe(before);
  expect(list()).toHaveLength(store.size);
});

test('however many statuses are asked for, each gets its own pets', () => {
  const store = createMemoryStore({ pets: threePets });
  const ask = (status: string | undefined): number => store.list({ status, limit: 20, order: 'newest-first' }).length;
  const counts = Array.from({ length: 500 }, (_, index) => ask(`status ${index}`));
  expect([...new Set(counts), ask('sold'), ask('undefined'), ask(''), ask(undefined)]).toEqual([0, 1, 0, 0, 3]);
});
