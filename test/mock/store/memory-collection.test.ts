import { expect, test } from 'vitest';
import {
  Collection,
  type ListQuery,
  type StoreOptions,
  Pages,
  RecordIndex,
} from '../../../src/mock/store/collection.js';
import { StoredRecord } from '../../../src/mock/store/kept.js';
import { threePets } from '../../support/test-world.js';

const INT64_MAX = 9223372036854775807n;

function idsOf(options: StoreOptions, query: Partial<ListQuery> = {}): unknown[] {
  return new Collection(options).list({ order: 'oldest-first', ...query }).map(({ record }) => record['id']);
}

const rex = { name: 'Rex', categoryId: 1 };

test('ids go on after the highest one', () => {
  const store = new Collection({ records: [{ id: 40, ...rex }, rex, { id: 7, ...rex }] });
  expect(store.list({ order: 'oldest-first' }).map(({ record }) => record['id'])).toEqual([40, 41, 7]);
  expect(store.add(rex)?.record['id']).toBe(42);
});

test('ids begin where the options say', () =>
  expect(new Collection({ records: threePets, nextKey: 1000 }).add(rex)?.record['id']).toBe(1000));

test('an id that a later pet comes with is not given to an earlier one', () =>
  expect(idsOf({ records: [rex, { id: 5, ...rex }, rex], nextKey: 5 })).toEqual([6, 5, 7]));

test('ids that are taken are passed over', () => {
  const store = new Collection({ records: threePets, nextKey: 2 });
  expect([store.add(rex)?.record['id'], store.add(rex)?.record['id']]).toEqual([4, 5]);
});

test('past the last int64, ids go on at the first that is free', () => {
  const store = new Collection({ records: [{ id: 1, ...rex }], nextKey: INT64_MAX });
  expect([store.add(rex)?.record['id'], store.add(rex)?.record['id']]).toEqual([INT64_MAX, 2]);
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
  expect(store.list({ order: 'oldest-first' }).map(({ record }) => record['id'])).toEqual([5]);
  expect([store.get(1), store.holds('categoryId', 2)]).toEqual([undefined, false]);
});

const CHANGES: [name: string, change: (store: Collection) => void][] = [
  ['are added', (store) => void store.add(rex)],
  ['are replaced', (store) => store.replace([rex])],
  ['are reset', (store) => store.reset()],
];

test.each(CHANGES)('a page is the same array until pets %s', (_, change) => {
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
  const ask = (status: string | undefined): number =>
    store.list({
      where: status === undefined ? undefined : { property: 'status', value: status },
      limit: 20,
      order: 'newest-first',
    }).length;
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
