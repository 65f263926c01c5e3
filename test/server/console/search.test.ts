import { expect, test } from 'vitest';
import type { PetstoreMock } from '../../../src/index.js';
import { createPet, KEY, startMock as start } from '../../support/started-mock.js';
const ask = async <T>(mock: PetstoreMock, path: string): Promise<T> =>
  (await (await fetch(`${mock.adminUrl}/console/${path}`)).json()) as T;

async function search(mock: PetstoreMock, text: string): Promise<number[]> {
  return (await ask<{ ids: number[] }>(mock, `search?text=${encodeURIComponent(text)}`)).ids;
}

const post = (mock: PetstoreMock, body: string, headers = {}): Promise<Response> => createPet(mock, body, { headers });
test.each([
  ['a path', '/v1/pets'],
  ['a reason', 'categoryId is required'],
  ['a header field of the request', 'X-Trace: t-17'],
  ['a header field of the answer', 'content-type: application/json'],
  ['a body that was sent, without its escapes', 'zoë whiskers'],
  ['JSON as it is shown', '"name": "Zoë Whiskers"'],
  ['JSON as it was sent', '{"name":"Zoë'],
  ['a body that was answered', 'invalid_request'],
])('an exchange is found by %s: %s', async (_what, text) => {
  const mock = await start();
  await post(mock, String.raw`{ "name" :"Zo\u00eb Whiskers" }`, { 'X-Trace': 't-17' });
  expect(await search(mock, text)).toHaveLength(1);
  expect(await search(mock, `${text} of nobody`)).toEqual([]);
});

test('a secret is found by none of its letters', async () => {
  const key = 'the-key-of-a-user';
  const mock = await start({ apiKey: key });
  const escaped = Array.from(Buffer.from(key), (code) => `\\u00${code.toString(16)}`).join('');
  const sent = { Authorization: `Bearer ${key}`, Cookie: 'session=oatmeal', 'X-Api-Key': 'pumpernickel' };
  await post(mock, `{"name":"${escaped}"}`, sent);
  for (const text of [key, 'key-of', escaped, 'oatmeal', 'pumper']) expect(await search(mock, text)).toEqual([]);
  expect(await search(mock, 'cookie: [redacted]')).toHaveLength(1);
});

test('an answer that its client never received is not searched', async () => {
  const mock = await start();
  await mock.faults.add({ at: 'after', effect: { reset: true } });
  await post(mock, '{"name":"Rex","categoryId":1}').catch(() => undefined);
  expect(await search(mock, '"id"')).toEqual([]);
  expect(await search(mock, 'Rex')).toHaveLength(1);
});

test('an archive has the exchanges that a page asks for', async () => {
  const mock = await start();
  for (const limit of [1, 2, 3, 4, 5]) await fetch(`${mock.url}/pets?limit=${limit}`, { headers: KEY });
  const ids = await search(mock, 'limit=');
  const [first = 0, , third = 0, fourth = 0] = ids;
  const path = `har?ids=${first},${third}-${fourth},9999999`;
  const { log } = await ask<{ log: { entries: { request: { url: string } }[] } }>(mock, path);
  expect(log.entries.map(({ request }) => request.url.at(-1))).toEqual(['1', '3', '4']);
});
