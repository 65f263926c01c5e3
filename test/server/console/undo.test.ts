import { beforeEach, expect, test } from 'vitest';
import type { PetstoreMock } from '../../../src/index.js';
import { packageFile } from '../../../src/package-files.js';
import { JSON_TYPE, startMock } from '../../support/started-mock.js';

let mock: PetstoreMock;
beforeEach(async () => {
  mock = await startMock({ spec: packageFile('test/server/console/shop.openapi.yaml'), count: 5 });
});

async function post(path: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const init = { method: 'POST', headers: JSON_TYPE, body: '{}' };
  const response = await fetch(`${mock.adminUrl}/console/${path}`, init);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const keep = async (): Promise<number> => (await post('keep')).body['id'] as number;
const ids = async (): Promise<unknown[]> => (await mock.collection('users').list()).map(({ id }) => id);

test('a removed record comes back to its place, with what belonged to it, and what came since stays', async () => {
  const users = mock.collection('users');
  const orders = mock.collection('orders', { within: [3] });
  const order = await orders.add({ quantity: 7 });
  const [before, ordersBefore] = [await users.get(3), await orders.list()];
  const id = await keep();
  await users.remove(3);
  await users.add({ email: 'new@example.com' });
  await users.update(4, { email: 'changed@example.com' });
  expect(await post(`undo?id=${id}&collection=users&key=3`)).toMatchObject({ status: 200 });
  expect(await ids()).toEqual([6, 5, 4, 3, 2, 1]);
  expect(await users.get(3)).toEqual(before);
  expect(await users.get(4)).toMatchObject({ email: 'changed@example.com' });
  expect(await orders.list()).toEqual(ordersBefore);
  expect(ordersBefore).toContainEqual(order);
});

test('the first and the last record come back to their places, also if their neighbours are gone', async () => {
  const users = mock.collection('users');
  for (const key of [5, 1]) {
    const id = await keep();
    await users.remove(key);
    await users.remove(key === 5 ? 4 : 2);
    await users.add({ email: `after-${key}@example.com` });
    expect(await post(`undo?id=${id}&collection=users&key=${key}`)).toMatchObject({ status: 200, body: {} });
  }
  expect(await ids()).toEqual([7, 6, 5, 3, 1]);
});

test('a reset of the records leaves the rest, and is undone exactly', async () => {
  const users = mock.collection('users');
  await mock.faults.add({ operationId: 'getUser', effect: { status: 503 } });
  await users.remove(2);
  await users.add({ email: 'new@example.com' });
  const before = await users.list();
  const id = await keep();
  expect((await post('reset')).status).toBe(200);
  expect(await ids()).toEqual([5, 4, 3, 2, 1]);
  expect(await mock.faults.list()).toHaveLength(1);
  expect((await post(`undo?id=${id}`)).status).toBe(200);
  expect(await users.list()).toEqual(before);
  expect(await users.add({ email: 'next@example.com' })).toMatchObject({ id: 7 });
});

test('another start is undone with the records, and a reset goes back to the start before it', async () => {
  const users = mock.collection('users');
  await users.remove(2);
  const before = await users.list();
  const id = await keep();
  await mock.useFixtures('default', { count: 3 });
  expect(await ids()).toEqual([3, 2, 1]);
  expect((await post(`undo?id=${id}`)).status).toBe(200);
  expect(await users.list()).toEqual(before);
  await mock.reset();
  expect(await ids()).toEqual([5, 4, 3, 2, 1]);
});

test('a forgotten snapshot comes back, and what cannot be undone is rejected with the reason', async () => {
  await mock.snapshots.save('before');
  const kept = await keep();
  await mock.snapshots.remove('before');
  await mock.collection('users').clear();
  expect((await post(`undo?id=${kept}&snapshot=before`)).status).toBe(200);
  await mock.snapshots.restore('before');
  expect(await ids()).toEqual([5, 4, 3, 2, 1]);
  const stale = await keep();
  const id = await keep();
  const refuse = async (query: string, why: string): Promise<void> => {
    expect(await post(`undo?${query}`)).toMatchObject({ body: { message: expect.stringContaining(why) } });
  };
  await refuse(`id=${stale}`, 'something else has changed since');
  await refuse('', 'something else has changed since');
  await refuse(`id=${id}&collection=users&key=3`, 'a user with this key exists again');
  await refuse(`id=${id}&collection=users&key=x`, 'a user with this key exists again');
  await refuse(`id=${id}&collection=pots&key=3`, 'no collection pots');
  await refuse(`id=${id}&snapshot=before`, 'a snapshot before exists again');
  expect((await post(`undo?id=${id}`)).status).toBe(200);
  await refuse(`id=${id}`, 'something else has changed since');
});

test('the start that a reset goes back to is told', async () => {
  const response = await fetch(`${mock.adminUrl}/console/collections`);
  expect(await response.json()).toMatchObject({
    collections: [{ name: 'users', singular: 'user', count: 5, countAtStart: 5 }, { name: 'orders' }],
  });
});
