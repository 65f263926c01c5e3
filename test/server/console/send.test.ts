import express from 'express';
import request, { type Response } from 'supertest';
import { expect, test } from 'vitest';
import { createPetstoreApp, type PetstoreMock } from '../../../src/index.js';
import { JSON_TYPE, KEY as AUTHORIZATION, startMock as start } from '../../support/started-mock.js';

type Sent = { id: number; world: string; phrase: string; message: string };

async function send(mock: PetstoreMock, draft: object, query = ''): Promise<Partial<Sent> & { code?: string }> {
  const init = { method: 'POST', headers: JSON_TYPE, body: JSON.stringify({ headers: AUTHORIZATION, ...draft }) };
  const answer = await fetch(`${mock.adminUrl}/console/send${query}`, init);
  return (await answer.json()) as Partial<Sent>;
}

test('what is written in the page is answered as any request, and stands in the journal', async () => {
  const mock = await start();
  const body = '{"name":"Rex","categoryId":9007199254740993}';
  const headers = { ...AUTHORIZATION, ...JSON_TYPE, 'X-Note': 'Zoë' };
  expect(await send(mock, { method: 'post', target: '/v1/pets', headers, body })).toMatchObject({ phrase: 'Created' });
  expect(await mock.requests.list()).toMatchObject([
    { method: 'POST', url: '/v1/pets', status: 201, operationId: 'createPet', verdict: 'ok' },
  ]);
  expect(await mock.pets.get(2)).toMatchObject({ categoryId: 9007199254740993n });
});

test('it goes to the world that it names', async () => {
  const mock = await start();
  const inPath = await send(mock, { method: 'DELETE', target: '/worlds/w1/v1/pets/1' });
  const inField = { ...AUTHORIZATION, 'X-Petstore-World': 'w2' };
  const sent = await send(mock, { method: 'GET', target: '/v1/pets', headers: inField });
  expect([inPath.world, sent.world]).toEqual(['w1', 'w2']);
  expect(await mock.world('w1').requests.count()).toBe(1);
  expect(await mock.requests.count()).toBe(0);
});

test('credentials that the page never sees are filled in, for a placeholder or as of an exchange before', async () => {
  const mock = await start({ apiKey: 'very-secret-key' });
  const get = { method: 'GET', target: '/v1/pets' };
  const first = await send(mock, { ...get, headers: { Authorization: 'Bearer $PETSTORE_API_KEY' } });
  expect(first).toMatchObject({ phrase: 'OK' });
  const again = { ...get, headers: { authorization: '[redacted]' }, like: first.id };
  expect(await send(mock, again)).toMatchObject({ phrase: 'OK' });
  expect(await send(mock, { ...again, like: undefined })).toMatchObject({ phrase: 'Unauthorized' });
  expect(JSON.stringify(await mock.requests.list())).not.toContain('very-secret-key');
});

test('a request outside the API is answered outside it', async () =>
  expect(await send(await start(), { method: 'GET', target: '/pets' })).toMatchObject({ phrase: 'Not Found' }));

test('below the path at which the mock is mounted, and nowhere else', async () => {
  const app = express().use('/shop', createPetstoreApp({ fixtures: 'one', adminToken: 'a-token-of-the-admin' }));
  const post = async (target: string): Promise<Response> =>
    request(app)
      .post('/shop/__admin/console/send')
      .set({ Authorization: 'Bearer a-token-of-the-admin', Host: 'localhost' })
      .send({ method: 'GET', target, headers: AUTHORIZATION });
  expect((await post('/shop/v1/pets')).body).toMatchObject({ phrase: 'OK' });
  expect((await post('/shop/pets')).body).toMatchObject({ phrase: 'Not Found' });
  expect((await post('/v1/pets')).status).toBe(400);
});

test.each([
  [{ method: 'GE T', target: '/v1/pets' }, 'the method is one word'],
  [{ method: 'GET', target: 'v1/pets' }, 'the target begins with /'],
  [{ method: 'GET', target: '/v1/pets?name=a b' }, 'a space as %20'],
  [{ method: 'GET', target: '/v1/pets', headers: { 'a b': 'c' } }, 'a b is not the name of a header field'],
  [{ method: 'GET', target: '/v1/pets', headers: { a: 'b\nc' } }, 'the header field a is one line of text'],
  [{ method: 'GET', target: '/' }, 'a page of the mock'],
])('what is no request is refused with the reason: %j', async (draft, told) => {
  const mock = await start();
  const message = expect.stringContaining(told);
  expect(await send(mock, draft)).toMatchObject({ code: 'invalid_request', message });
  expect(await mock.requests.count()).toBe(0);
});

test('a body that is longer than the mock takes is refused as over HTTP', async () => {
  const mock = await start();
  const headers = { ...AUTHORIZATION, ...JSON_TYPE };
  const body = `{"name":"${'x'.repeat(2 * 1024 * 1024)}"}`;
  const over = await fetch(`${mock.url}/pets`, { method: 'POST', headers, body });
  await send(mock, { method: 'POST', target: '/v1/pets', headers, body });
  expect((await mock.requests.list()).map(({ status }) => status)).toEqual([over.status, over.status]);
});
