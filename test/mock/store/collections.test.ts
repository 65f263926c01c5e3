import { expect, test } from 'vitest';
import { ask, threePets } from '../../support/test-world.js';
import { fill, keep, openPaths } from '../../support/open-paths.js';
import { listOf, NUMBER, object, TEXT } from '../../support/schemas.js';
import { words } from '../../support/words.js';
import { Collection, Pages, RecordIndex, type StoreOptions } from '../../../src/mock/store/collection.js';
import { StoredRecord } from '../../../src/mock/store/kept.js';

const item = object({ id: NUMBER, name: TEXT }, ['id']);
const ALL = 'list create get remove';
const PATHS = {
  ...keep('/users/{userId}', item, ALL),
  ...keep('/users/{userId}/orders/{orderId}', item, ALL),
  ...keep('/users/{userId}/orders/{orderId}/lines/{lineId}', item, ALL),
  ...keep('/tags/{tagId}', item, ALL),
};

function openShop(): ReturnType<typeof openPaths> {
  const world = openPaths(PATHS);
  fill(world, 'users', [{ id: 1 }, { id: 2 }]);
  for (const key of [1, 2]) {
    fill(world, 'orders', [{ id: 10 }], [key]);
    fill(world, 'lines', [{ id: 100 }], [key, 10]);
  }
  return world;
}

test('what belongs to a record goes with it, however deep, and nothing else does', () => {
  const world = openShop();
  expect(ask(world, 'DELETE /users/1').status).toBe(204);
  const paths = words`/users/1/orders /users/1/orders/10/lines /users/2/orders/10 /users/2/orders/10/lines/100`;
  expect(paths.map((path) => ask(world, `GET ${path}`).status)).toEqual([404, 404, 200, 200]);
});

test('a record that comes back under its old key has nothing of what it had', () => {
  const world = openShop();
  ask(world, 'DELETE /users/1');
  fill(world, 'users', [{ id: 1 }, { id: 2 }]);
  expect(ask(world, 'GET /users/1/orders').value).toEqual([]);
});

test('the collections of one world share its memory, and give back what is removed', () => {
  const world = openShop();
  const { used } = world.memory.records;
  const name = 'x'.repeat(1000);
  const created = ask(world, 'POST /users/2/orders', { body: JSON.stringify({ id: 1, name }) }).value as { id: number };
  const tag = ask(world, 'POST /tags', { body: JSON.stringify({ id: 1, name }) }).value as { id: number };
  expect(world.memory.records.used).toBeGreaterThan(used + 4000);
  ask(world, `DELETE /tags/${tag.id}`);
  expect(world.memory.records.used).toBeGreaterThan(used + 2000);
  ask(world, `DELETE /users/2/orders/${created.id}`);
  // A collection that was opened for it keeps the place of its index.
  expect(world.memory.records.used).toBeLessThan(used + 1000);
});

test('when there is no memory left, no collection takes more', () => {
  const world = openShop();
  world.memory.records.used = world.memory.records.most;
  const create = (path: string): number => ask(world, `POST ${path}`, { body: '{"id":7,"name":"x"}' }).status;
  expect(['/users', '/users/1/orders', '/tags'].map(create)).toEqual([507, 507, 507]);
});

test('going back to a state drops the collections that were opened since', () => {
  const world = openPaths(PATHS);
  fill(world, 'users', [{ id: 1 }]);
  const state = world.collections.state();
  fill(world, 'orders', [{ id: 10 }], [1]);
  fill(world, 'tags', [{ id: 5 }]);
  world.collections.restore(state);
  expect(ask(world, 'GET /users/1/orders').value).toEqual([]);
  expect(ask(world, 'GET /tags').value).toEqual([]);
  expect(ask(world, 'GET /users/1').status).toBe(200);
});

const COMMENT = { id: TEXT, file_key: TEXT, message: TEXT, version_number: NUMBER };
const comment = object(COMMENT, ['id', 'file_key', 'message']);
const FILES = keep('/files/{fileKey}/comments/{comment_id}', comment, 'list create get replace remove', {
  key: 'string',
  sent: object({ message: TEXT }, ['message']),
  list: object({ comments: listOf(comment) }, ['comments']),
});

test('what a path names and no resource is, is in each record of its list', () => {
  const world = openPaths(FILES, { others: 3 });
  const keysOf = (file: string): unknown[] =>
    (ask(world, `GET /files/${file}/comments`).value as { comments: { file_key: string }[] }).comments.map(
      (each) => each.file_key,
    );
  expect([keysOf('ABC'), keysOf('XYZ')]).toEqual([Array(3).fill('ABC'), Array(3).fill('XYZ')]);
});

test('it is in what is created there, and no request changes it', () => {
  const world = openPaths(FILES);
  const made = ask(world, 'POST /files/ABC/comments', { body: '{"message":"Fine"}' });
  expect(made).toMatchObject({ status: 201, value: { file_key: 'ABC', message: 'Fine' } });
  const { id } = made.value as { id: string };
  const body = JSON.stringify({ id, file_key: 'OTHER', message: 'Better' });
  const put = ask(world, `PUT /files/ABC/comments/${id}`, { body });
  expect(put.value).toMatchObject({ file_key: 'ABC', message: 'Better' });
});

test('a number in the record is one where the path has a text', () => {
  const build = object({ id: TEXT, project_no: NUMBER }, ['id']);
  const paths = keep('/projects/{projectNo}/builds/{id}', build, 'list get', { key: 'string' });
  const world = openPaths(paths, { others: 1 });
  expect(ask(world, 'GET /projects/12/builds').value).toMatchObject([{ project_no: 12 }]);
});

test('the name of a team is not that of its members', () => {
  const team = object({ name: TEXT, city: TEXT }, ['name', 'city']);
  const member = object({ id: TEXT, name: TEXT }, ['id', 'name']);
  const key = 'string';
  const named = object({ name: TEXT }, ['name']);
  const members = keep('/teams/{name}/members/{id}', member, 'list create get', { key, sent: named });
  const world = openPaths({ ...keep('/teams/{name}', team, 'list get remove', { key }), ...members }, { others: 2 });
  const [first] = ask(world, 'GET /teams').value as { name: string }[];
  const path = `/teams/${encodeURIComponent(first?.name ?? '')}/members`;
  expect(ask(world, `POST ${path}`, { body: '{"name":"Ida"}' })).toMatchObject({ status: 201, value: { name: 'Ida' } });
});

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

test('however many statuses are asked for, each gets its own pets', () => {
  const store = new Collection({ records: threePets });
  const count = (value: string | undefined): number => {
    const where = value === undefined ? undefined : { property: 'status', value };
    return store.list({ where, limit: 20, order: 'newest-first' }).length;
  };
  const counts = Array.from({ length: 500 }, (_, index) => count(`status ${index}`));
  expect([...new Set(counts), count('sold'), count('undefined'), count(''), count(undefined)]).toEqual([0, 1, 0, 0, 3]);
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
