import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createPetstoreFetch } from '../../src/index.js';
import { createPetstoreHandlers } from '../../src/testing/msw.js';

const URL = 'https://petstore.example:8443/v1';
const headers = { Authorization: 'Bearer petstore-dev-key' };
const petstore = createPetstoreFetch();
const server = setupServer(...createPetstoreHandlers(petstore, { url: `${URL}/` }));

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => petstore.reset());
afterAll(() => server.close());

function create(body: string): Promise<Response> {
  const type = { 'Content-Type': 'application/json' };
  return fetch(`${URL}/pets`, { method: 'POST', headers: { ...headers, ...type }, body });
}

test('what the code under test sends to its own address is answered, with state', async () => {
  const created = await create('{"name":"Rex","categoryId":9223372036854775807}');
  expect([created.status, created.headers.get('Location')]).toEqual([201, '/v1/pets/51']);
  const listed = await fetch(`${URL}/pets?limit=1`, { headers });
  expect(await listed.text()).toBe('[{"id":51,"name":"Rex","categoryId":9223372036854775807}]');
});

test('what breaks the contract is refused and seen', async () => {
  expect((await create('{"name":"Rex"}')).status).toBe(400);
  expect(await petstore.violations()).toMatchObject([{ operationId: 'createPet', status: 400 }]);
});

test.each([
  ['is reset', { reset: true }],
  ['breaks off', { truncate: true }],
] as const)('a connection that %s is an error of fetch', async (_, effect) => {
  await petstore.faults.add({ operationId: 'listPets', times: 1, effect });
  await expect(fetch(`${URL}/pets`, { headers }).then((response) => response.text())).rejects.toBeInstanceOf(TypeError);
  expect((await fetch(`${URL}/pets`, { headers })).status).toBe(200);
});

test('who leaves before a slow answer meets what fetch throws', async () => {
  await petstore.faults.add({ operationId: 'listPets', effect: { delay: 60_000 } });
  const slow = fetch(`${URL}/pets`, { headers, signal: AbortSignal.timeout(20) });
  await expect(slow).rejects.toMatchObject({ name: 'TimeoutError' });
});

test('a world answers below a base URL of its own', async () => {
  const url = 'https://other.example/v1';
  const world = petstore.world('other');
  await world.pets.clear();
  server.use(...createPetstoreHandlers(world, { url }));
  expect(await (await fetch(`${url}/pets`, { headers })).json()).toEqual([]);
  expect(await petstore.pets.count()).toBe(50);
});

test('a base URL that begins with a slash is at any origin', async () => {
  server.use(...createPetstoreHandlers(petstore, { url: '/api/v1' }));
  const origins = ['http://localhost:3000', 'https://shop.example'];
  const answers = await Promise.all(origins.map((origin) => fetch(`${origin}/api/v1/pets?limit=2`, { headers })));
  expect(await Promise.all(answers.map((answer) => answer.json()))).toMatchObject([{ length: 2 }, { length: 2 }]);
});

test('what is no base URL is refused', () => {
  const make = (): unknown => createPetstoreHandlers(petstore, { url: 'petstore.example/v1' });
  expect(make).toThrow('petstore.example/v1 is not a base URL');
});

test('nothing beside the base URL is touched', async () => {
  await expect(fetch('https://petstore.example:8443/v10/pets', { headers })).rejects.toThrow('onUnhandledRequest');
  expect(await petstore.requests.count()).toBe(0);
});
