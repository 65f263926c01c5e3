import { expect, test } from 'vitest';
import { parseContract } from '../../support/parse-contract.js';
import { ask, createTestWorld } from '../../support/test-world.js';

const json = (schema: object): object => ({ description: 'Fine.', content: { 'application/json': { schema } } });
const path = (name: string, type: string): object => ({ name, in: 'path', required: true, schema: { type } });

const open = (paths: object): ReturnType<typeof createTestWorld> =>
  createTestWorld({ contract: parseContract({ paths }), others: 2 });

const account = { type: 'object', required: ['id'], properties: { id: { type: 'string' }, name: { type: 'string' } } };

test('what an envelope must have beside its records is there, however deep they stand', () => {
  const data = {
    type: 'object',
    required: ['accounts', 'revision'],
    properties: { accounts: { type: 'array', items: account }, revision: { type: 'integer' } },
  };
  const world = open({
    '/accounts': { get: { responses: { 200: json({ type: 'object', required: ['data'], properties: { data } }) } } },
    '/accounts/{id}': { get: { parameters: [path('id', 'string')], responses: { 200: json(account) } } },
  });
  expect(ask(world, 'GET /accounts').value).toEqual({
    data: { accounts: [expect.any(Object), expect.any(Object)], revision: expect.any(Number) as number },
  });
});

test('a key that is a text in a record and an integer in a path is made of digits', () => {
  const world = open({
    '/accounts': { get: { responses: { 200: json({ type: 'array', items: account }) } } },
    '/accounts/{id}': { get: { parameters: [path('id', 'integer')], responses: { 200: json(account) } } },
  });
  expect(ask(world, 'GET /accounts').value).toMatchObject([{ id: '2' }, { id: '1' }]);
  expect(ask(world, 'GET /accounts/2').value).toMatchObject({ id: '2' });
});
