import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { startPetstoreMock, type ListeningOptions, type PetstoreMock } from '../../../src/index.js';
import { packageFile } from '../../../src/package-files.js';
import { callAdmin } from '../../support/admin.js';
import { makeFolder } from '../../support/folder.js';

const open: PetstoreMock[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function start(options?: ListeningOptions): Promise<PetstoreMock> {
  const mock = await startPetstoreMock(options);
  open.push(mock);
  return mock;
}

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

test('a key of the user’s is a placeholder', async () => {
  const mock = await start({ apiKey: 'very-secret-key' });
  const { credentials } = await describeOperation(mock, 'listPets');
  expect(credentials.headers).toEqual({ Authorization: 'Bearer $PETSTORE_API_KEY' });
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

test('an id may have a space and a slash, as those have that are made of method and path', async () => {
  const mock = await start({ fixtures: 'one' });
  expect((await callAdmin(mock.adminUrl, `GET /operations/${encodeURIComponent('GET /pets')}`)).value).toMatchObject({
    message: 'the contract has no operation GET /pets',
  });
});

describe('a body without an example', () => {
  const spec = join(makeFolder(), 'people.json');
  const startWith = async (schema: object): Promise<PetstoreMock> => {
    const content = { 'application/json': { schema } };
    const paths = {
      '/people': {
        post: {
          operationId: 'createPerson',
          requestBody: { content },
          responses: { 201: { description: 'Created.', content } },
        },
      },
      '/photos': { put: { operationId: 'putPhoto', requestBody: { content: { 'image/*': {} } }, responses: {} } },
    };
    writeFileSync(spec, JSON.stringify({ openapi: '3.1.0', info: { title: 'People', version: '1' }, paths }));
    return start({ spec });
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

  test('is as plain as can be where such values break the contract', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, maxProperties: 0 };
    expect(await bodyOf(await startWith(schema))).toEqual({});
  });

  test('says only what must be said where all would be too long', async () => {
    const properties = Object.fromEntries(Array.from({ length: 99 }, (_, at) => [`name${at}`, { type: 'string' }]));
    expect(Object.keys(await bodyOf(await startWith({ type: 'object', required: ['name7'], properties })))).toEqual([
      'name7',
    ]);
  });

  test('that is a file says so', async () => {
    const { body } = await describeOperation(await startWith({}), 'putPhoto');
    expect(body?.contents).toMatchObject([{ mediaType: 'image/*', files: [''] }]);
  });
});
