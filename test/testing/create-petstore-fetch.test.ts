import { expect, test } from 'vitest';
import { createPetstoreFetch } from '../../src/index.js';

const headers = { Authorization: 'Bearer petstore-dev-key' };

test('takes a text, a URL, a Request, and a path without an origin', async () => {
  const { fetch, url } = createPetstoreFetch({ fixtures: 'one' });
  const [pets, other] = [`${url}/pets`, 'https://any.example/v1/pets'];
  const asked = [pets, new URL(pets), new Request(pets), '/v1/pets', other];
  const answers = await Promise.all(asked.map((input) => fetch(input, { headers })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(answers.map((answer) => answer.url).slice(3)).toEqual([pets, other]);
  expect(answers.every((answer) => answer instanceof Response && answer.ok)).toBe(true);
});

test('says where the API is when something else is asked for', async () => {
  const answer = await createPetstoreFetch().fetch('/v2/pets');
  const body = { message: expect.stringContaining('/v1') };
  expect([answer.status, await answer.json()]).toMatchObject([404, body]);
});

test('reads a body that comes as a stream, and no further than what is refused', async () => {
  const { fetch, url } = createPetstoreFetch();
  let pulled = 0;
  const endless = new ReadableStream({
    pull(controller) {
      pulled += 1;
      controller.enqueue(new Uint8Array(65_536));
    },
  });
  const type = { 'Content-Type': 'application/json' };
  const init = { method: 'POST', headers: { ...headers, ...type }, duplex: 'half' } as const;
  expect((await fetch(`${url}/pets`, { ...init, body: endless })).status).toBe(413);
  expect(pulled).toBeLessThan(40);
  const pet = new Blob(['{"name":"Rex",', '"categoryId":1}']).stream();
  expect((await fetch(`${url}/pets`, { ...init, body: pet })).status).toBe(201);
});

test('rejects with the reason of its signal, before and while it waits, and nothing is done', async () => {
  const { fetch, url, pets, requests } = createPetstoreFetch({ delay: 60_000 });
  const reason = new Error('no longer wanted');
  await expect(fetch(`${url}/pets`, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const waiting = fetch(`${url}/pets`, { headers, signal: AbortSignal.timeout(20) });
  await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' });
  expect([await pets.count(), await requests.count()]).toEqual([50, 0]);
});

test('fails as a network does, with a cause that has a code', async () => {
  const petstore = createPetstoreFetch({ faults: [{ effect: { reset: true } }] });
  const reset = await petstore.fetch(`${petstore.url}/pets`, { headers }).catch((error: unknown) => error);
  expect(reset).toBeInstanceOf(TypeError);
  expect(reset).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNRESET' } });
  await petstore.close();
  const closed = petstore.fetch(`${petstore.url}/pets`, { headers });
  await expect(closed).rejects.toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNREFUSED' } });
});

test("a world's own fetch needs no header and no other URL, and two worlds at once are rejected", async () => {
  const petstore = createPetstoreFetch();
  const world = petstore.world('w3');
  await world.pets.clear();
  const answers = [await world.fetch('/v1/pets', { headers }), await world.fetch(`${world.url}/pets`, { headers })];
  expect(await Promise.all(answers.map((answer) => answer.json()))).toEqual([[], []]);
  expect([await world.requests.count(), await petstore.requests.count()]).toEqual([2, 0]);
  const other = { ...headers, 'X-Petstore-World': 'b' };
  expect((await petstore.fetch(`${world.url}/pets`, { headers: other })).status).toBe(400);
});

test('refuses options that make no sense without a port', () => {
  expect(() => createPetstoreFetch({ cors: false } as never)).toThrow('there is no option cors');
  expect(() => createPetstoreFetch({ port: 4010 } as never)).toThrow('there is no option port');
});
