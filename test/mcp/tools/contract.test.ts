import { expect, test } from 'vitest';
import { makeFolder } from '../../support/folder.js';
import { connectClient } from '../support/connect-client.js';
import { countTokens } from '../support/count-tokens.js';

const ORDERS = { spec: 'examples/store-orders/petstore.openapi.yaml' };

test('operations and schemas are found by words, the best first', async () => {
  const { call } = await connectClient();
  const { data } = await call('contract', { ...ORDERS, find: 'create order' });
  expect(data.items[0]).toMatchObject({ kind: 'operation', name: expect.stringMatching(/order/i) });
  expect(data.items[0].place).toMatch(/^examples\/store-orders\/orders\.yaml:\d+/);
});

test('an operation is told with parameters, fields, answers and a request that the mock accepts', async () => {
  const { call } = await connectClient();
  const started = await call('mock', { do: 'start' });
  const { data, text } = await call('contract', { operation: 'createPet' });
  expect(data.fields).toContainEqual(expect.stringMatching(/^body\/name string required /));
  expect(text).toContain('needs the key');
  const { method, path, body } = data.example;
  const headers = { Authorization: `Bearer ${started.data.key}`, 'Content-Type': 'application/json' };
  expect((await fetch(new URL(path, started.data.url), { method, headers, body })).status).toBe(201);
});

test('a schema is told field by field', async () => {
  const { call } = await connectClient();
  expect((await call('contract', { ...ORDERS, schema: 'Pet' })).text).toMatch(/body\/categoryId integer required/);
});

test.each([
  [{ operation: 'createPat' }, 'the contract has no operation createPat; did you mean createPet?'],
  [{ schema: 'Pat' }, 'the contract has no schema Pat; did you mean Pet?'],
])('%j is suggested right', async (given, message) => {
  const { call } = await connectClient();
  expect((await call('contract', { ...ORDERS, ...given })).text).toContain(message);
});

test('the contract of a thousand operations is told page by page', async () => {
  const get = { summary: 'List '.repeat(100), responses: { 200: { description: 'ok' } } };
  const pathOf = (index: number) => [`/things${index}`, { get: { ...get, operationId: `list${index}` } }] as const;
  const paths = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => pathOf(index)));
  const document = JSON.stringify({ openapi: '3.1.0', info: { title: 'Big', version: '1' }, paths });
  const folder = makeFolder({ 'api.json': document });
  const { call } = await connectClient({ folder });
  const { text, data } = await call('contract', { spec: 'api.json' });
  expect(data).toMatchObject({ found: 1000, left: 980, next: 20 });
  expect(countTokens(text + JSON.stringify(data))).toBeLessThan(2500);
  const last = await call('contract', { spec: 'api.json', offset: 980 });
  expect(last.data).not.toHaveProperty('next');
  expect(last.data.items).toHaveLength(20);
});
