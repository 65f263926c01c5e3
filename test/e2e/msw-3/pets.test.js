import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setupServer } from 'msw/node';
import { createPetstoreFetch } from 'petstore-mock';
import { createPetstoreHandlers } from 'petstore-mock/msw';

const url = 'https://petstore.example/v1';
const headers = { Authorization: 'Bearer petstore-dev-key' };
const petstore = createPetstoreFetch({ fixtures: 'one' });
const server = setupServer(...createPetstoreHandlers(petstore, { url }));

server.listen({ onUnhandledRequest: 'error' });

await test('pets are listed and created', async () => {
  const init = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' } };
  const created = await fetch(`${url}/pets`, { ...init, body: '{"name":"Luna","categoryId":1}' });
  assert.equal(created.status, 201);
  const listed = await (await fetch(`${url}/pets`, { headers })).json();
  assert.deepEqual(
    listed.map(({ name }) => name),
    ['Luna', 'Rex'],
  );
});

await test('what breaks the contract is refused and seen', async () => {
  assert.equal((await fetch(`${url}/pets?limit=101`, { headers })).status, 400);
  await assert.rejects(petstore.assertNoViolations(), { code: 'violations' });
});

await test('a connection that is reset, or breaks off, is an error of fetch', async () => {
  for (const effect of [{ reset: true }, { truncate: true }]) {
    await petstore.faults.add({ operationId: 'listPets', times: 1, effect });
    await assert.rejects(async () => (await fetch(`${url}/pets`, { headers })).text(), TypeError);
    assert.equal((await fetch(`${url}/pets`, { headers })).status, 200);
  }
});

server.close();
