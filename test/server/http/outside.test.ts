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
  ['GET /pets?limit=1', 'GET /pets?limit=1 404 client /pets is outside the API; the API is at /v1', '/v1/pets'],
  ['POST /api/v1/pets', 'POST /api/v1/pets 404 client /api/v1/pets is outside the API; the API is at /v1', '/v1/pets'],
  ['GET /nothing', 'GET /nothing 404 client /nothing is outside the API; the API is at /v1', 'a path below /v1'],
  [
    'GET /world/w/v1/pets/1',
    'GET /world/w/v1/pets/1 404 client /world/w/v1/pets/1 is outside the API; the API is at /v1',
    '/v1/pets/1',
  ],
])('%s is remembered as outside the API, with what was meant', async (call, told, expected) => {
  const app = createPetstoreApp();
  expect(await toldOf(app, call)).toEqual([told]);
  const [exchange] = await app.violations();
  expect(exchange?.violations).toMatchObject([{ at: 'path', rule: 'servers', expected }]);
  expect(exchange?.violations[0]?.contract).toMatchObject({
    file: 'spec/petstore.openapi.yaml',
    line: expect.any(Number),
  });
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

test('a name that no world can have is remembered', async () => {
  const app = createPetstoreApp();
  expect(await toldOf(app, 'GET /worlds/-/v1/pets')).toEqual([
    expect.stringMatching(/^GET \/worlds\/-\/v1\/pets 400 client the name of a world must have/),
  ]);
});

test('what browsers ask for unbidden is no slip', async () => {
  const app = createPetstoreApp();
  for (const path of ['/', '/favicon.ico', '/.well-known/appspecific/com.chrome.devtools.json']) {
    expect(await toldOf(app, `GET ${path}`)).toEqual([]);
  }
});

test('a key in the path is not told', async () => {
  const app = createPetstoreApp({ apiKey: 'very-secret-key' });
  await send(app, 'GET /very-secret-key/pets');
  expect(JSON.stringify(await app.requests.list())).not.toContain('very-secret-key');
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
