import { afterEach, expect, test } from 'vitest';
import { startPetstoreMock, type PetstoreMock } from '../../../src/index.js';
import { packageFile } from '../../../src/package-files.js';

const KEY = { Authorization: 'Bearer petstore-dev-key', 'Content-Type': 'application/json' };

let mock: PetstoreMock | undefined;
afterEach(() => mock?.close());

const read = async (path: string): Promise<{ status: number; body: Record<string, unknown> }> => {
  const response = await fetch(`${mock?.adminUrl}/console/${path}`);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

test('each record tells who made it: the fixtures, the fixtures and somebody since, or a client', async () => {
  mock = await startPetstoreMock({ count: 2 });
  await fetch(`${mock.url}/pets`, { method: 'POST', headers: KEY, body: '{"name":"Rex","categoryId":1}' });
  await mock.collection('pets').update(1, { name: 'Max' });
  const { body } = await read('records?collection=pets');
  expect(body).toMatchObject({
    total: 3,
    records: [
      { record: { id: 3 }, origin: 'client' },
      { record: { id: 2 }, origin: 'fixture' },
      { record: { id: 1, name: 'Max' }, origin: 'changed' },
    ],
  });
});

test('records come a page at a time, whatever is asked for', async () => {
  mock = await startPetstoreMock({ count: 2100 });
  const page = await read('records?collection=pets&offset=2098&limit=50');
  expect(page.body).toMatchObject({ total: 2100, records: [{ record: { id: 2 } }, { record: { id: 1 } }] });
  for (const limit of ['100000', '-1', 'x'])
    expect((await read(`records?collection=pets&limit=${limit}`)).body['records']).toHaveLength(2000);
});

test('a collection that there is not, or whose record there is not, is refused with the reason', async () => {
  mock = await startPetstoreMock();
  expect(await read('records?collection=pots')).toMatchObject({
    status: 404,
    body: { message: expect.stringContaining('there is no collection pots') },
  });
});

test('the collections tell what belongs to what, and the operation that creates one', async () => {
  mock = await startPetstoreMock({ spec: packageFile('test/server/console/shop.openapi.yaml') });
  const { body } = await read('collections');
  expect(body['collections']).toMatchObject([
    { name: 'users', key: 'id', within: [], create: 'addUser', count: 50 },
    { name: 'orders', within: ['userId'], parent: 'users', used: [] },
  ]);
  expect((await read('records?collection=orders&within=7')).status).toBe(200);
  expect((await read('records?collection=orders&within=7777')).status).toBe(404);
  expect((await read('collections')).body['collections']).toMatchObject([{}, { used: [['7']] }]);
});
