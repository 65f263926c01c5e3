import { expect, test } from 'vitest';
import { Collection, Pages, RecordIndex, type StoreOptions } from '../../../src/mock/store/collection.js';
import { StoredRecord } from '../../../src/mock/store/kept.js';
import { threePets } from '../../support/test-world.js';

const INT64_MAX = 9223372036854775807n;

const idsOf = (store: Collection): unknown[] => store.list({ order: 'oldest-first' }).map(({ record }) => record['id']);

const rex = { name: 'Rex', categoryId: 1 };

test.each<[string, StoreOptions, held: unknown[], added: unknown[]]>([
  ['go on after the highest one', { records: [{ id: 40, ...rex }, rex, { id: 7, ...rex }] }, [40, 41, 7], [42]],
  ['begin where the options say', { records: threePets, nextKey: 1000 }, [1, 2, 3], [1000]],
  ['that a later pet comes with are not given', { records: [rex, { id: 5, ...rex }, rex], nextKey: 5 }, [6, 5, 7], [8]],
  ['that are taken are passed over', { records: threePets, nextKey: 2 }, [1, 2, 3], [4, 5]],
  ['go on at the first free after int64', { records: [{ id: 1, ...rex }], nextKey: INT64_MAX }, [1], [INT64_MAX, 2]],
])('ids %s', (_, options, held, added) => {
  const store = new Collection(options);
  expect(idsOf(store)).toEqual(held);
  expect(added.map(() => store.add(rex)?.record['id'])).toEqual(added);
});

test('a pet is found by an id past 2^53, and its neighbour is not', () => {
  const store = new Collection({ records: [{ id: 9007199254740993n, ...rex }] });
  expect(store.get(9007199254740993n)?.text).toBe('{"id":9007199254740993,"name":"Rex","categoryId":1}');
  expect(store.get(9007199254740992)).toBeUndefined();
  expect(store.get(9007199254740994)).toBeUndefined();
});

test('the text of a pet is its JSON', () => {
  const stored = new Collection().add({ name: '"\u2028', categoryId: INT64_MAX, status: 'sold' });
  expect(stored?.text).toBe('{"id":1,"name":"\\"\u2028","categoryId":9223372036854775807,"status":"sold"}');
});

test('what is stored cannot be changed by who holds it', () => {
  const store = new Collection({ records: threePets });
  expect(() => Object.assign(store.get(1)?.record as object, { name: 'Max' })).toThrow(TypeError);
});

test('a page costs what it holds: the collection is walked once, for the index, and a page reads its own records alone', () => {
  const records = Array.from({ length: 1000 }, () => new StoredRecord({ ...rex, status: 'sold' }));
  let walks = 0;
  const index = new RecordIndex(() => (walks++, records));
  let reads = 0;
  const counting: ProxyHandler<readonly StoredRecord[]> = {
    get: (from, name) => (reads++, Reflect.get(from, name) as unknown),
  };
  const pages = new Pages();
  // More limits than there are pages that are kept, so that each page is made.
  for (let round = 0; round < 150; round++)
    pages.take({ order: 'newest-first', where: { property: 'status', value: 'sold' }, limit: 1 + round }, (where) => {
      return new Proxy(index.find(where?.property ?? '', where?.value), counting);
    });
  expect([walks, reads < 150 * 100]).toEqual([1, true]);
});

test('pets that replace others never take an id that was handed out', () => {
  const store = new Collection({ records: threePets });
  store.add(rex);
  store.replace([rex]);
  expect(idsOf(store)).toEqual([5]);
  expect([store.get(1), store.holds('categoryId', 2)]).toEqual([undefined, false]);
});

test.each<[string, (store: Collection) => unknown]>([
  ['are added', (store) => store.add(rex)],
  ['are replaced', (store) => store.replace([rex])],
  ['are reset', (store) => store.reset()],
])('a page is the same array until pets %s', (_, change) => {
  const store = new Collection({ records: threePets });
  const list = (): readonly unknown[] => store.list({ order: 'newest-first', limit: 20 });
  const before = list();
  expect(list()).toBe(before);
  change(store);
  expect(list()).not.toBe(before);
  expect(list()).toHaveLength(store.size);
});

test('however many statuses are asked for, each gets its own pets', () => {
  const store = new Collection({ records: threePets });
  const ask = (value: string | undefined): number => {
    const where = value === undefined ? undefined : { property: 'status', value };
    return store.list({ where, limit: 20, order: 'newest-first' }).length;
  };
  const counts = Array.from({ length: 500 }, (_, index) => ask(`status ${index}`));
  expect([...new Set(counts), ask('sold'), ask('undefined'), ask(''), ask(undefined)]).toEqual([0, 1, 0, 0, 3]);
});

test('a collection knows what was removed from it, of very many the last', () => {
  const store = new Collection({ records: threePets });
  expect([store.hadOnce(1), store.remove(1), store.hadOnce(1), store.hadOnce(7)]).toEqual([false, true, true, false]);
  store.add({ id: 1, ...rex });
  expect(store.hadOnce(1)).toBe(false);
  for (let id = 100; id < 1200; id += 1) {
    store.add({ id, ...rex });
    store.remove(id);
  }
  expect([store.hadOnce(100), store.hadOnce(1199)]).toEqual([false, true]);
  store.reset();
  expect(store.hadOnce(1199)).toBe(false);
});
