import { describe, expect, test } from 'vitest';
import type { PetstoreMock } from '../../../src/index.js';
import { packageFile } from '../../../src/package-files.js';
import { listFields } from '../../../src/server/admin/handlers.js';
import { callAdmin } from '../../support/admin.js';
import { makeFile } from '../../support/folder.js';
import { parseContract } from '../../support/parse-contract.js';
import { startMock as start } from '../../support/started-mock.js';

interface Described {
  parameters: { name: string; keys: unknown[]; example: unknown }[];
  body?: { contents: { mediaType: string; example: string; fields: object[]; files: string[] }[] };
  credentials: { headers: Record<string, string> };
}

const describeOperation = async (mock: PetstoreMock, id: string): Promise<Described> =>
  (await callAdmin(mock.adminUrl, `GET /operations/${encodeURIComponent(id)}`)).value as Described;

test('the body that a request begins with is accepted, and its fields are those of the contract', async () => {
  const mock = await start({ fixtures: 'one' });
  const { body, credentials } = await describeOperation(mock, 'createPet');
  const [content] = body?.contents ?? [];
  expect(content?.mediaType).toBe('application/json');
  expect(content?.fields).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ pointer: '/name', required: true, types: ['string'] }),
      expect.objectContaining({ pointer: '/status', required: false, choices: ['available', 'pending', 'sold'] }),
    ]),
  );
  const headers = { ...credentials.headers, 'Content-Type': 'application/json' };
  expect((await fetch(`${mock.url}/pets`, { method: 'POST', headers, body: content?.example ?? '' })).status).toBe(201);
});

test('a key of the user’s is a placeholder, and an id may have a space and a slash', async () => {
  const mock = await start({ apiKey: 'very-secret-key' });
  const { credentials } = await describeOperation(mock, 'listPets');
  expect(credentials.headers).toEqual({ Authorization: 'Bearer $PETSTORE_API_KEY' });
  const { value } = await callAdmin(mock.adminUrl, `GET /operations/${encodeURIComponent('GET /pets')}`);
  expect(value).toMatchObject({ message: 'the contract has no operation GET /pets' });
});
test('keys are those of the records that there are, also of the records that they belong to', async () => {
  const mock = await start({ spec: packageFile('test/server/console/shop.openapi.yaml'), count: 3 });
  const { operations } = (await (await fetch(`${mock.adminUrl}/console/about`)).json()) as {
    operations: { id: string; method: string; path: string }[];
  };
  const item = operations.find(({ method, path }) => method === 'GET' && /orders\/\{[^}]+\}$/.test(path));
  const [user, order] = (await describeOperation(mock, item?.id ?? '')).parameters;
  expect(user?.keys).toHaveLength(3);
  const orders = (await mock.collection('orders', { within: [user?.example as number] }).list()) as { id: number }[];
  expect(order?.keys).toEqual(orders.map(({ id }) => id));
});

describe('a body without an example', () => {
  const startWith = async (schema: object): Promise<PetstoreMock> => {
    const content = { 'application/json': { schema } };
    const responses = { 201: { description: 'Created.', content } };
    const paths = {
      '/people': { post: { operationId: 'createPerson', requestBody: { content }, responses } },
      '/photos': { put: { operationId: 'putPhoto', requestBody: { content: { 'image/*': {} } }, responses: {} } },
    };
    const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'People', version: '1' }, paths });
    return start({ spec: makeFile('people.json', text) });
  };
  const bodyOf = async (mock: PetstoreMock): Promise<Record<string, unknown>> => {
    const { body } = await describeOperation(mock, 'createPerson');
    return JSON.parse(body?.contents[0]?.example ?? '') as Record<string, unknown>;
  };

  test('has the values that the mock gives its own records, for all that a client may send', async () => {
    const text = { type: 'string' };
    const properties = { id: { type: 'integer', readOnly: true }, firstName: text, email: text, city: text };
    const body = await bodyOf(await startWith({ type: 'object', required: ['firstName'], properties }));
    expect(Object.keys(body)).toEqual(['firstName', 'email', 'city']);
    expect(body['email']).toMatch(/^\S+@\S+\.\w+$/);
    for (const name of ['firstName', 'city']) expect(body[name]).toMatch(/^[A-Z][\w' .-]+$/);
    expect(body['firstName']).not.toBe('string');
  });

  test('is as plain as can be where such values break the contract, and says only what it must if it is long', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, maxProperties: 0 };
    expect(await bodyOf(await startWith(schema))).toEqual({});
    const properties = Object.fromEntries(Array.from({ length: 99 }, (_, at) => [`name${at}`, { type: 'string' }]));
    const long = await bodyOf(await startWith({ type: 'object', required: ['name7'], properties }));
    expect(Object.keys(long)).toEqual(['name7']);
  });

  test('that is a file says so', async () => {
    const { body } = await describeOperation(await startWith({}), 'putPhoto');
    expect(body?.contents).toMatchObject([{ mediaType: 'image/*', files: [''] }]);
  });
});
function listOf(schemas: Record<string, object>): ReturnType<typeof listFields> {
  return listFields(parseContract({ paths: {}, components: { schemas } }).document, '/components/schemas/Root');
}

test('fields are those of every alternative and of items, but none that only answers have', () => {
  const fields = listOf({
    Root: {
      required: ['kind'],
      properties: { id: { type: 'integer', readOnly: true }, kind: { enum: ['a', 'b'], description: 'Which.' } },
      oneOf: [{ $ref: '#/components/schemas/One' }, { properties: { 'a/b': { const: 1 } } }],
    },
    One: { properties: { list: { type: 'array', items: { properties: { n: { type: 'integer' } } } } } },
  });
  expect(fields.map(({ pointer }) => pointer)).toEqual(['/kind', '/list', '/a~1b', '/list/*', '/list/*/n']);
  expect(fields[0]).toMatchObject({ required: true, choices: ['a', 'b'], description: 'Which.' });
  expect(fields[2]).toMatchObject({ required: false, choices: [1] });
});

test('schemas that lead to each other by many ways end', () => {
  const names = Array.from({ length: 40 }, (_, index) => `S${index}`);
  const all = names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const each = names.map((name) => [name, { anyOf: all, properties: { [name]: { anyOf: all } } }]);
  const fields = listOf({ Root: { anyOf: all }, ...(Object.fromEntries(each) as Record<string, object>) });
  expect(fields.length).toBeGreaterThanOrEqual(names.length);
  expect(fields.length).toBeLessThanOrEqual(300);
});
