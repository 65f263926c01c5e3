import { expect, test } from 'vitest';
import { createPetstoreApp, createPetstoreFetch, type Exchange, type PetstoreApp } from '../../../src/index.js';
import { send } from '../../support/send.js';

const tell = ({ method, url, status, verdict, reason }: Exchange): string =>
  `${method} ${url} ${status} ${verdict} ${reason}`;

async function toldOf(app: PetstoreApp, call: string): Promise<string[]> {
  await send(app, call);
  return (await app.requests.list()).map(tell);
}

test.each([
  ['GET /pets?limit=1', '/pets', '/v1/pets'],
  ['POST /api/v1/pets', '/api/v1/pets', '/v1/pets'],
  ['GET /nothing', '/nothing', 'a path below /v1'],
  ['GET /world/w/v1/pets/1', '/world/w/v1/pets/1', '/v1/pets/1'],
])('%s is remembered as outside the API, with what was meant', async (call, path, expected) => {
  const app = createPetstoreApp();
  expect(await toldOf(app, call)).toEqual([`${call} 404 client ${path} is outside the API; the API is at /v1`]);
  const [exchange] = await app.violations();
  expect(exchange?.violations).toMatchObject([{ at: 'path', rule: 'servers', expected }]);
  const place = { file: 'spec/petstore.openapi.yaml', line: expect.any(Number) };
  expect(exchange?.violations[0]?.contract).toMatchObject(place);
});

test('what names a world is remembered there, and a slip makes no world', async () => {
  const app = createPetstoreApp();
  app.world('w');
  await send(app, 'GET /worlds/w/pets');
  await send(app, 'GET /worlds/v/pets');
  expect((await app.world('w').requests.list()).map(tell)).toEqual([
    'GET /worlds/w/pets 404 client /worlds/w/pets is outside the API; the API is at /worlds/w/v1',
  ]);
  expect((await app.violations())[0]?.url).toBe('/worlds/v/pets');
  expect(await app.worlds()).toEqual(['default', 'w']);
});

test('a name that no world can have is remembered, what browsers ask for unbidden is no slip, and no key is told', async () => {
  const told = expect.stringMatching(/^GET \/worlds\/-\/v1\/pets 400 client the name of a world must have/);
  expect(await toldOf(createPetstoreApp(), 'GET /worlds/-/v1/pets')).toEqual([told]);
  for (const path of ['/', '/favicon.ico', '/.well-known/appspecific/com.chrome.devtools.json'])
    expect(await toldOf(createPetstoreApp(), `GET ${path}`)).toEqual([]);
  const guarded = createPetstoreApp({ apiKey: 'very-secret-key' });
  expect((await toldOf(guarded, 'GET /very-secret-key/pets')).join('')).not.toContain('very-secret-key');
});

test('without a port it is the same', async () => {
  const petstore = createPetstoreFetch();
  expect((await petstore.fetch('/pets')).status).toBe(404);
  expect((await petstore.fetch('/worlds/-/v1/pets')).status).toBe(400);
  expect((await petstore.requests.list()).map(({ reason }) => reason)).toEqual([
    '/pets is outside the API; the API is at /v1',
    expect.stringContaining('the name of a world'),
  ]);
});
