import request from 'supertest';
import { expect, test } from 'vitest';
import { createPetstoreApp } from '../../../src/index.js';
import { makeFolder } from '../../support/folder.js';
import { content } from '../../support/open-paths.js';

const responses = { 200: content({}) };

/** An app of `/a`, whose document has these servers, and of `/b`, which has these of its own. */
function open(servers: unknown, own?: unknown): ReturnType<typeof createPetstoreApp> {
  const paths = { '/a': { get: { responses } }, '/b': { get: { responses, servers: own } } };
  const text = JSON.stringify({ openapi: '3.0.3', info: { title: 'A', version: '1' }, servers, paths });
  return createPetstoreApp({ spec: `${makeFolder({ 'a.json': text })}/a.json`, prism: false });
}

async function list(app: ReturnType<typeof open>, ...paths: string[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const path of paths) statuses.push((await request(app).get(path)).status);
  return statuses;
}

const V1 = { url: 'https://api.example.com/v1' };
const B = { url: 'https://b.example.com/one' };
const CHOICE = { url: '/{v}', variables: { v: { default: 'v1', enum: ['v1', 'v2'] } } };

test.each([
  ['several', [V1, { url: 'https://t.example.com/v2' }, { url: '/v3' }], ['/v1/a', '/v2/a', '/v3/a'], ['/a', '/v4/a']],
  ['one with values to choose from', [CHOICE], ['/v1/a', '/v2/a'], ['/a', '/v3/a']],
  ['the first one without a base path', [{ url: '/' }, { url: '/v1' }], ['/a', '/v1/a'], ['/v2/a']],
  ['another host without a base path', [V1, { url: 'http://localhost:8080' }], ['/v1/a'], ['/a']],
])('every base path of the servers of a document is served: %s', async (_, servers, there, nowhere) => {
  const app = open(servers);
  expect(await list(app, ...there)).toEqual(there.map(() => 200));
  expect(await list(app, ...nowhere)).toEqual(nowhere.map(() => 404));
  expect(await list(app, `/worlds/w${there[1] ?? there[0] ?? ''}`)).toEqual([200]);
});

test.each([
  ['at the host', [{ url: '/one' }, { url: 'https://api.example.com/two/' }], ['/one/b', '/two/b'], ['/v1/b']],
  ['at other hosts alone', [B, { url: 'https://c.example.com/two' }], ['/one/b', '/two/b'], ['/v1/b']],
  ['at the host and another', [B, { url: '/two' }], ['/two/b'], ['/one/b']],
  ['with that of the document', [V1, { url: '/two' }], ['/v1/b', '/two/b'], ['/b']],
])('so are those of an operation: %s', async (_, own, there, nowhere) => {
  const app = open([V1], own);
  expect(await list(app, '/v1/a', ...there)).toEqual(['', ...there].map(() => 200));
  expect(await list(app, ...nowhere, '/two/a')).toEqual([...nowhere, ''].map(() => 404));
});

test('what is outside the API is told all base paths', async () => {
  const told = async (app: ReturnType<typeof open>): Promise<string> =>
    ((await request(app).get('/nothing')).body as { message: string }).message;
  expect(await told(open([V1]))).toBe('/nothing is outside the API; the API is at /v1');
  const several = open([V1, { url: '/v2' }], [{ url: '/uploads' }, { url: '/' }]);
  expect(await told(several)).toBe('/nothing is outside the API; the API is at /v1, /v2, /uploads and /');
  const many = Array.from({ length: 12 }, (_, index) => ({ url: `/v${index}` }));
  expect(await told(open(many))).toMatch(/\/v8, \/v9 and 2 more$/);
});
