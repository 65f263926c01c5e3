import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createPetstoreFetch, type PetstoreFetch } from '../../src/index.js';
import { isMissing } from '../support/optional-tool.js';

const FOLDER = fileURLToPath(new URL('generated-sdk/', import.meta.url));
const GENERATOR = join(FOLDER, 'node_modules/.bin/openapi-ts');
const DOCUMENTS = fileURLToPath(new URL('../contract/resources/support/documents/', import.meta.url));

const withoutGenerator = isMissing({
  found: existsSync(GENERATOR),
  name: '@hey-api/openapi-ts',
  howToGet: 'npm ci --prefix test/e2e/generated-sdk',
});

type Call = (options?: object) => Promise<{ data?: unknown; response: Response }>;

interface Sdk {
  mock: PetstoreFetch;
  /** Calls an operation by its id; a path that is not there is a refusal with its status. */
  call: (id: string, options?: object) => Promise<{ data: Record<string, unknown>; status: number }>;
}

/** The client that the generator makes of a document, asking a mock of the same document. */
async function generateSdk(name: string): Promise<Sdk> {
  const input = join(DOCUMENTS, `${name}.yaml`);
  const output = join(FOLDER, 'build', name);
  const plugins = ['@hey-api/client-fetch', '@hey-api/sdk', '@hey-api/typescript'];
  await promisify(execFile)(GENERATOR, ['-i', input, '-o', output, '-p', ...plugins], { cwd: FOLDER });
  const calls = (await import(join(output, 'sdk.gen.ts'))) as Record<string, Call>;
  const { client } = (await import(join(output, 'client.gen.ts'))) as { client: { setConfig(to: object): void } };
  const mock = createPetstoreFetch({ spec: input, prism: false, count: 3 });
  client.setConfig({ baseUrl: mock.url, fetch: mock.fetch, headers: { Authorization: 'Bearer petstore-dev-key' } });
  return {
    mock,
    call: async (id, options = {}) => {
      const { data, response } = (await calls[id]?.(options)) ?? {};
      return { data: data as Record<string, unknown>, status: response?.status ?? 0 };
    },
  };
}

describe.skipIf(withoutGenerator)(
  'a client that is generated from a document creates, gets, lists, changes and removes',
  () => {
    test('as of Swagger’s petstore', async () => {
      const { call, mock } = await generateSdk('shelter');
      const { data: dog } = await call('addDog', { body: { name: 'Rex', photos: ['a'], status: 'free' } });
      const path = { dogId: dog['id'] };
      expect((await call('getDogById', { path })).data).toEqual(dog);
      expect((await call('findDogsByStatus', { query: { status: 'free' } })).data).toContainEqual(dog);
      expect((await call('updateDog', { body: { ...dog, status: 'gone' } })).data).toEqual({ ...dog, status: 'gone' });
      expect((await call('findDogsByStatus', { query: { status: 'free' } })).data).not.toContainEqual(dog);
      expect((await call('deleteDog', { path })).status).toBe(200);
      expect((await call('getDogById', { path })).status).toBe(404);
      await mock.assertNoViolations();
    });

    test('as of a todo service', async () => {
      const { call, mock } = await generateSdk('chores');
      const path = { slug: 'home' };
      await call('createList', { body: { list: { slug: 'home', title: 'At home' } } });
      expect((await call('getList', { path })).data).toMatchObject({ list: { slug: 'home', title: 'At home' } });
      expect((await call('createTask', { path, body: { text: 'Sweep' } })).status).toBe(202);
      expect((await call('listTasks', { path })).data).toMatchObject([{ text: 'Sweep' }]);
      await call('putList', { path, body: { list: { slug: 'home', title: 'House' } } });
      const lists = expect.arrayContaining([expect.objectContaining({ title: 'House' })]);
      expect((await call('listLists')).data).toMatchObject({ lists });
      expect((await call('deleteList', { path })).status).toBe(200);
      expect((await call('getList', { path })).status).toBe(404);
      expect((await call('listTasks', { path })).status).toBe(404);
      await mock.assertNoViolations();
    });
  },
);
