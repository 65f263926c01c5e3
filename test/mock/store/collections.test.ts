import { expect, test } from 'vitest';
import { ask } from '../../support/test-world.js';
import { content, fill, inPath, openPaths } from '../../support/open-paths.js';

const item = { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, name: { type: 'string' } } };
const many = (parameters: object[] = []): object => ({
  parameters,
  get: { responses: { 200: content({ type: 'array', items: item }) } },
  post: { requestBody: content(item), responses: { 201: content(item) } },
});
const one = (parameters: object[]): object => ({
  parameters,
  get: { responses: { 200: content(item) } },
  delete: { responses: { 204: { description: 'Gone.' } } },
});
const [user, order, line] = [inPath('userId'), inPath('orderId'), inPath('lineId')];
const PATHS = {
  '/users': many(),
  '/users/{userId}': one([user]),
  '/users/{userId}/orders': many([user]),
  '/users/{userId}/orders/{orderId}': one([user, order]),
  '/users/{userId}/orders/{orderId}/lines': many([user, order]),
  '/users/{userId}/orders/{orderId}/lines/{lineId}': one([user, order, line]),
  '/tags': many(),
  '/tags/{tagId}': one([inPath('tagId')]),
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
  const statuses = [
    '/users/1/orders',
    '/users/1/orders/10/lines',
    '/users/2/orders/10',
    '/users/2/orders/10/lines/100',
  ];
  expect(statuses.map((path) => ask(world, `GET ${path}`).status)).toEqual([404, 404, 200, 200]);
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
  const statuses = ['/users', '/users/1/orders', '/tags'].map(
    (path) => ask(world, `POST ${path}`, { body: '{"id":7,"name":"x"}' }).status,
  );
  expect(statuses).toEqual([507, 507, 507]);
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
