import { expect, test } from 'vitest';
import { createExpressApp } from '../../src/server/start-petstore-mock.js';
import { send, tell, type Sent } from '../support/send.js';
import { createTestWorlds, KEY, type TestWorldOptions } from '../support/test-world.js';
import { words } from '../support/words.js';

const appOf = (options: TestWorldOptions = {}): ReturnType<typeof createExpressApp> =>
  createExpressApp(createTestWorlds(options), { cors: false });
const ask = async (target: string, sent: Sent = {}, options: TestWorldOptions = {}): Promise<string> =>
  tell(await send(appOf(options), target, sent));

const anonymous = { headers: { Authorization: undefined } };
const max = '{"name":"Max","categoryId":1}';

const UNAUTHORIZED: [string, string, Sent?][] = [
  ['a known path', 'GET /v1/pets'],
  ['a body that is no JSON', 'POST /v1/pets', { body: '{' }],
  ['a wrong media type', 'POST /v1/pets', { body: max, headers: { 'Content-Type': 'text/plain' } }],
  ['a body of two megabytes', 'POST /v1/pets', { body: 'x'.repeat(2_000_000) }],
  ['an Accept that excludes JSON', 'GET /v1/pets', { headers: { Accept: 'text/html' } }],
  ['a pet that is not there', 'GET /v1/pets/99'],
  ['a bad escape', 'GET /v1/pets/%zz'],
  ...['', 'Bearer', 'Basic dXNlcg==', KEY].map((Authorization): [string, string, Sent] => [
    `credentials such as "${Authorization}"`,
    'GET /v1/pets',
    { headers: { Authorization } },
  ]),
];

test.each(UNAUTHORIZED)('without a key, %s is 401 before anything is judged', async (_, target, sent = {}) => {
  const headers = { Authorization: undefined, ...sent.headers };
  const answer = await send(appOf(), target, { ...sent, headers });
  expect(answer.status).toBe(401);
  expect(answer.headers['www-authenticate']).toBe('Bearer realm="petstore"');
});

test.each(words`/v1/nothing /v1 /v1/ /v1/pets/ /v1/pets/1/toys /v1/PETS /v1x/pets / /pets /v2/pets`)(
  'the path %s is unknown, with a key or without',
  async (path) => {
    expect(await ask(`GET ${path}`)).toMatch(/^404 /);
    expect(await ask(`GET ${path}`, anonymous)).toMatch(/^404 /);
  },
);

test('an unknown path is told which ones there are', async () => {
  const told = '404 the contract has no path /v1/pet; its paths are /v1/pets, /v1/pets/{petId}';
  expect(await ask('GET /v1/pet')).toBe(told);
  expect(await ask('GET /pets')).toBe('404 /pets is outside the API; the API is at /v1');
});

test.each([
  ['PUT /v1/pets', 'GET, POST, HEAD, OPTIONS'],
  ['DELETE /v1/pets/1', 'GET, HEAD, OPTIONS'],
])('%s is 405 and told what is allowed, with a key or without', async (target, allow) => {
  const [one, other] = [await send(appOf(), target), await send(appOf(), target, anonymous)];
  expect([one.status, one.headers['allow'], other.status]).toEqual([405, allow, 405]);
});

test('HEAD is answered as GET, without the body and with its length', async () => {
  const app = appOf();
  const [head, get] = [await send(app, 'HEAD /v1/pets'), await send(app, 'GET /v1/pets')];
  expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', get.headers['content-length']]);
  expect((await send(app, 'HEAD /v1/pets/99')).status).toBe(404);
  expect((await send(app, 'HEAD /v1/pets', anonymous)).status).toBe(401);
});

test.each([
  ...['application/*', 'text/html, */*;q=0.1', 'application/json;q=0.5', undefined].map((each) => [each, '200']),
  ...['text/html', 'application/xml, text/*', 'application/json;q=0', 'nonsense'].map((each) => [
    each,
    `406 Accept is ${each}, but the responses are application/json`,
  ]),
])('Accept: %s gets %s', async (Accept, told) => expect(await ask('GET /v1/pets', { headers: { Accept } })).toBe(told));

test('every violation of a request is in one message', async () => {
  expect(await ask('GET /v1/pets?limit=0&status=lost')).toBe(
    '400 query/limit must be at least 1, but is 0; query/status must be one of "available", "pending", "sold", but is "lost"',
  );
  expect(await ask('POST /v1/pets', { body: '{"status":"lost"}' })).toBe(
    '400 body/name is required; body/categoryId is required; body/status must be one of "available", "pending", "sold", but is "lost"',
  );
});

test.each([
  ['limit=1.0', '400 query/limit must be an integer, but is "1.0"'],
  ['limit=%2B5', '400 query/limit must be an integer, but is "+5"'],
  ['limit=', '400 query/limit must be an integer, but is ""'],
  ['limit=1&limit=2', '400 query/limit is there more than once'],
  ['status=sold', '200'],
  ['status[]=sold', '200'],
  ['color=red&__proto__=x', '200'],
  ['status=%E0%A4%A', '400 query/status has a percent escape that is not UTF-8: status=%E0%A4%A'],
  ['%zz=1', '400 query/%zz has a percent escape that is not UTF-8: %zz=1'],
  ['&&', '200'],
])('the query %s is answered %s', async (query, answer) => expect(await ask(`GET /v1/pets?${query}`)).toBe(answer));

test.each([
  ['1', '200'],
  ['%31', '200'],
  ['99', '404 no pet has the id 99'],
  ['1%2F2', '404 path/petId must be an integer, but is "1/2"'],
  ['%zz', '400 path/petId has a percent escape that is not UTF-8: %zz'],
  ['%00', '404 path/petId must be an integer, but is "\\u0000"'],
])('the petId %s is answered %s', async (petId, answer) => expect(await ask(`GET /v1/pets/${petId}`)).toBe(answer));

test.each([
  ['nothing', undefined, '400 createPet needs a body, and none was sent'],
  ['a list', '[]', '400 body must be an object, but is []'],
  ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff]), '400 body: the bytes are not valid UTF-8'],
  ['a body of a mebibyte and a byte', `"${'x'.repeat(1_048_575)}"`, '413 the body is longer than 1048576 bytes'],
  ['a byte order mark and a pet', `\uFEFF${max}`, '201'],
])('%s is answered as it should be', async (_, body, answer) => {
  const headers = { 'Content-Type': 'application/json' };
  expect(await ask('POST /v1/pets', body === undefined ? { headers } : { body, headers })).toMatch(answer);
});

test('a body of exactly a mebibyte is read', async () => {
  const name = 'x'.repeat(1_048_576 - '{"name":"","categoryId":1}'.length);
  expect(await ask('POST /v1/pets', { body: `{"name":"${name}","categoryId":1}` })).toBe('201');
});
