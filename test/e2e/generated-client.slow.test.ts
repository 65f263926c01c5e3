import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import createClient, { type Client } from 'openapi-fetch';
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import { startPetstoreMock, type PetstoreMock } from '../../src/index.js';
import { packageFile } from '../../src/package-files.js';
import { isMissing } from '../support/optional-tool.js';
import type { components, paths } from './generated-client/schema.d.js';

const FOLDER = fileURLToPath(new URL('generated-client/', import.meta.url));
const GENERATOR = join(FOLDER, 'node_modules/.bin/openapi-typescript');

const withoutGenerator = isMissing({
  found: existsSync(GENERATOR),
  name: 'openapi-typescript',
  howToGet: 'npm ci --prefix test/e2e/generated-client',
});

/** Without comments and formatting. */
const bare = (text: string): string =>
  text
    .replaceAll(/\/\*\*[^]*?\*\//g, '')
    .replaceAll('"', "'")
    .replaceAll(/\s+/g, '')
    .replaceAll(';}', '}');

test.skipIf(withoutGenerator)('the client is the one that openapi-typescript makes of the contract', async () => {
  const output = join(mkdtempSync(join(tmpdir(), 'petstore-mock-client-')), 'schema.d.ts');
  await promisify(execFile)(GENERATOR, [packageFile('spec/petstore.openapi.yaml'), '--output', output]);
  expect(bare(readFileSync(join(FOLDER, 'schema.d.ts'), 'utf8'))).toBe(bare(readFileSync(output, 'utf8')));
});

describe('a client generated from the contract', () => {
  let mock: PetstoreMock;
  let client: Client<paths>;

  beforeAll(async () => {
    mock = await startPetstoreMock();
    client = createClient<paths>({ baseUrl: mock.url, headers: { Authorization: 'Bearer petstore-dev-key' } });
  });

  afterAll(() => mock.close());

  test('lists', async () => {
    const { data } = await client.GET('/pets', { params: { query: { limit: 3, status: 'sold' } } });
    expectTypeOf(data).toExtend<components['schemas']['Pets'] | undefined>();
    expect(data?.map(({ status }) => status)).toEqual(['sold', 'sold', 'sold']);
  });

  test('creates, and gets what it created', async () => {
    const { data: created } = await client.POST('/pets', { body: { name: 'Rex', categoryId: 1, status: 'pending' } });
    expect(created).toMatchObject({ name: 'Rex', categoryId: 1, status: 'pending' });
    const { data } = await client.GET('/pets/{petId}', { params: { path: { petId: created?.id ?? 0 } } });
    expect(data).toEqual(created);
  });

  test('learns what is wrong from the Error body', async () => {
    const { error, response } = await client.POST('/pets', { body: { name: 'Rex' } as never });
    expect(response.status).toBe(400);
    expect(error).toEqual({ code: 'invalid_request', message: 'body/categoryId is required', status: 400 });
  });

  test('learns that its key is missing', async () => {
    expect((await createClient<paths>({ baseUrl: mock.url }).GET('/pets')).error?.status).toBe(401);
  });

  test('never breaks the contract where its types are kept', async () => {
    const requests = await mock.requests.list();
    expect(requests.filter(({ violations }) => violations.length > 0).map(({ reason }) => reason)).toEqual([
      'body/categoryId is required',
    ]);
  });
});
