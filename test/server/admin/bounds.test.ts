import { request as httpRequest } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { startPetstoreMock, type PetstoreMock } from '../../../src/index.js';
import { callAdmin, type AdminAnswer } from '../../support/admin.js';

let mock: PetstoreMock;
afterEach(() => mock.close());

const pack = (fields: string): { pack: string } => ({ pack: `generate: [{ categoryId: 1, ${fields} }]` });

const put = (body: { pack: string }): Promise<AdminAnswer> =>
  callAdmin(mock.adminUrl, 'PUT /fixtures', { body, broken: true });

test.each([
  [
    'a billion pets',
    pack("count: 1000000000, name: '{{animal.petName}}'"),
    507,
    'the pack has 1000000000 pets, but the store only holds 1000000.',
  ],
  [
    'a name of a hundred million letters',
    pack("count: 1, name: '{{string.alpha(100000000)}}'"),
    400,
    'string.alpha generates 100000000 at once',
  ],
])('%s in a pack is refused before anything is generated', async (_, body, status, message) => {
  mock = await startPetstoreMock();
  const answer = await put(body);
  expect(answer.status).toBe(status);
  expect(answer.value).toMatchObject({ message: expect.stringContaining(message) });
  expect(await mock.pets.count()).toBe(50);
});

test('maxPets moves the ceiling', async () => {
  mock = await startPetstoreMock({ fixtures: 'empty', maxPets: 4 });
  expect((await put(pack("count: 5, name: '{{animal.petName}}'"))).status).toBe(507);
  expect((await put(pack("count: 4, name: '{{animal.petName}}'"))).status).toBe(204);
  await expect(mock.useFixtures('default', { count: 5 })).rejects.toMatchObject({ code: 'store-full' });
});

test('others are served while a large pack is generated', async () => {
  mock = await startPetstoreMock();
  const generating = mock.useFixtures('large');
  const headers = { Authorization: 'Bearer petstore-dev-key' };
  const served = fetch(`${mock.url}/pets?limit=1`, { headers }).then(() => 'served');
  expect(await Promise.race([generating.then(() => 'generated'), served])).toBe('served');
  await generating;
});

/** The status that comes although the body never ends. */
function beginToSend(path: string, method: string): Promise<number | undefined> {
  const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${mock.adminUrl}${path}`, { method, headers }, (response) => {
      resolve(response.statusCode);
      sent.destroy();
    });
    sent.on('error', reject).write('{');
  });
}

test.each([
  ['POST /health', 405],
  ['DELETE /health', 405],
  ['GET /health', 200],
  ['DELETE /pets', 204],
  ['PUT /nothing', 404],
])('%s is answered without its body being waited for', async (call, status) => {
  const [method = '', path = ''] = call.split(' ');
  mock = await startPetstoreMock();
  expect(await beginToSend(path, method)).toBe(status);
});

test('health with another method is guarded as all the rest', async () => {
  mock = await startPetstoreMock({ adminToken: 'a-token' });
  expect(await beginToSend('/health', 'POST')).toBe(401);
});

test('only packs and lists of pets may be long', async () => {
  mock = await startPetstoreMock();
  const body = { name: 'a'.repeat(2 * 1024 * 1024), categoryId: 1 };
  expect((await callAdmin(mock.adminUrl, 'POST /pets', { body })).status).toBe(413);
  expect((await callAdmin(mock.adminUrl, 'PUT /pets', { body: [body] })).status).toBe(200);
});
