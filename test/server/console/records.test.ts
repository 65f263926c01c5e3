import { expect, test } from 'vitest';
import type { PetstoreMock } from '../../../src/index.js';
import { packageFile } from '../../../src/package-files.js';
import { createPet, startMock } from '../../support/started-mock.js';

let mock: PetstoreMock;

const read = async (path: string): Promise<{ status: number; body: Record<string, unknown> }> => {
  const response = await fetch(`${mock.adminUrl}/console/${path}`);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

test('each record tells who made it: the fixtures, the fixtures and somebody since, or a client', async () => {
  mock = await startMock({ count: 2 });
  await createPet(mock);
  await mock.collection('pets').update(1, { name: 'Max' });
  const { body } = await read('records?collection=pets');
  const records = body['records'] as { record: { id: number; name: string }; origin: string }[];
  const told = records.map(({ record, origin }) => `${record.id} ${origin}`);
  expect([body['total'], told]).toEqual([3, ['3 client', '2 fixture', '1 changed']]);
  expect(records[2]?.record.name).toBe('Max');
});

test('records come a page at a time, whatever is asked for', async () => {
  mock = await startMock({ count: 2100 });
  const page = await read('records?collection=pets&offset=2098&limit=50');
  expect(page.body).toMatchObject({ total: 2100, records: [{ record: { id: 2 } }, { record: { id: 1 } }] });
  for (const limit of ['100000', '-1', 'x'])
    expect((await read(`records?collection=pets&limit=${limit}`)).body['records']).toHaveLength(2000);
});

test('the collections tell what belongs to what, and the operation that creates one', async () => {
  mock = await startMock({ spec: packageFile('test/server/console/shop.openapi.yaml') });
  const { body } = await read('collections');
  expect(body['collections']).toMatchObject([
    { name: 'users', key: 'id', within: [], create: 'addUser', count: 50 },
    { name: 'orders', within: ['userId'], parent: 'users', used: [] },
  ]);
  expect((await read('records?collection=orders&within=7')).status).toBe(200);
  expect((await read('records?collection=orders&within=7777')).status).toBe(404);
  expect((await read('collections')).body['collections']).toMatchObject([{}, { used: [['7']] }]);
  const message = expect.stringContaining('there is no collection pots');
  expect(await read('records?collection=pots')).toMatchObject({ status: 404, body: { message } });
});
