import { expect, test } from 'vitest';
import { runConformance } from '../../src/conformance/index.js';
import type { PetstoreMock } from '../../src/index.js';
import { makeFile } from '../support/folder.js';
import { content } from '../support/open-paths.js';
import { JSON_TYPE, startMock } from '../support/started-mock.js';

const properties = { id: { type: 'integer', readOnly: true }, name: { type: 'string' } };
const file = { type: 'object', required: ['name'], properties };
const body = content(file);
const list = content({ type: 'array', items: file });
const paths = (servers: unknown, ofOne: unknown): object => ({
  '/files': {
    servers,
    get: { responses: { 200: list } },
    post: { requestBody: body, responses: { 201: body, 400: content({}) } },
  },
  '/files/{id}': {
    servers,
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
    get: { responses: { 200: body, 404: content({}) } },
    delete: { servers: ofOne, responses: { 204: { description: 'Gone.' }, 404: content({}) } },
  },
  '/things': { get: { operationId: 'things', responses: { 200: list } } },
});

/** The file of a document whose files have servers of their own. */
function write(servers: unknown, ofOne: unknown = servers): string {
  const info = { title: 'Own', version: '1' };
  const document = {
    openapi: '3.0.3',
    info,
    servers: [{ url: 'https://api.example.com/v1' }],
    paths: paths(servers, ofOne),
  };
  return makeFile('own.json', JSON.stringify(document));
}

const start = (spec: string): Promise<PetstoreMock> => startMock({ spec, prism: false });

const UPLOAD = [
  { url: 'https://{host}/{base}/', variables: { host: { default: 'api.example.com' }, base: { default: 'upload' } } },
];
const ELSEWHERE = [{ url: 'https://files.example.net/f' }];

test.each([
  ['a URL at the host of the document', UPLOAD, '/upload/files', '/v1/files'],
  ['the one of several that is at the host', [...ELSEWHERE, ...UPLOAD], '/upload/files', '/f/files'],
  ['another host', ELSEWHERE, '/f/files', '/v1/files'],
])('a path whose server is %s is served there, and nowhere else', async (_, servers, there, nowhere) => {
  const { origin } = new URL((await start(write(servers))).url);
  const created = await fetch(`${origin}${there}`, { method: 'POST', body: '{"name":"a"}', headers: JSON_TYPE });
  const location = new URL(created.headers.get('location') ?? '', created.url).pathname;
  expect([created.status, location.startsWith(`${there}/`)]).toEqual([201, true]);
  expect((await fetch(`${origin}/worlds/w${there}`)).status).toBe(200);
  expect((await fetch(`${origin}/v1/things`)).status).toBe(200);
  expect((await fetch(`${origin}${nowhere}`)).status).toBe(404);
});

test('the servers of an operation come before those of its path', async () => {
  const { origin } = new URL((await start(write(UPLOAD, [{ url: '/v2' }]))).url);
  const remove = async (path: string) => (await fetch(`${origin}${path}`, { method: 'DELETE' })).status;
  expect([await remove('/v2/files/1'), await remove('/upload/files/2')]).toEqual([204, 405]);
});

test('a run asks a path at its own server, beside the base URL', async () => {
  const spec = write(UPLOAD);
  const mock = await start(spec);
  const result = await runConformance({ apiKey: '', target: mock.url, spec });
  expect(result.problems).toEqual([]);
  const asked = (await mock.requests.list()).map(({ url }) => url);
  expect(asked.filter((url) => url.startsWith('/v1/files'))).toEqual([]);
  expect(asked.some((url) => url.startsWith('/upload/files'))).toBe(true);
  const shown = result.scenarios
    .flatMap(({ steps }) => steps.flatMap(({ exchanges }) => exchanges))
    .find(({ request }) => request.base !== undefined);
  expect(shown?.request).toMatchObject({ base: '/upload', path: expect.stringMatching(/^\/files/) });
});

test('what is at another host is noted and not asked', async () => {
  const spec = write(ELSEWHERE);
  const mock = await start(spec);
  const result = await runConformance({ apiKey: '', target: mock.url, spec });
  expect(result.problems).toEqual([]);
  expect((await mock.requests.list()).filter(({ url }) => url.includes('/files'))).toEqual([]);
  const note =
    /own\.json:1:\d+: https:\/\/files\.example\.net\/f is on another host .* the runner does not test them, and 2 more/;
  expect(result.contract.notes).toEqual([expect.stringMatching(note)]);
});
