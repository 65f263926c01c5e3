import { beforeEach, describe, expect, test } from 'vitest';
import { connectPetstoreMock, type PetstoreMock } from '../../src/index.js';
import { ENCODINGS } from '../redact/support/encodings.js';
import { findKey } from '../redact/support/find-key.js';
import { createPet, KEY as DOCUMENTED, startMock } from '../support/started-mock.js';

const KEY = 'S3cret/Key+42&of-a~user';
const TOKEN = 'T0ken-of-the-admin-API';
const AUTHORIZED = { Authorization: `Bearer ${KEY}` };
let mock: PetstoreMock;

beforeEach(async () => void (mock = await startMock({ apiKey: KEY, adminToken: TOKEN })));

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${mock.url}${path}`, { headers: { ...AUTHORIZED, ...headers } });

const post = (body: string, headers: Record<string, string> = {}): Promise<Response> =>
  createPet(mock, body, { headers: { ...AUTHORIZED, ...headers } });
/** All that is told of what was sent: by the library, by a failed assertion, by the admin API. */
async function tellAll(): Promise<string> {
  const names = await mock.worlds();
  const remote = await connectPetstoreMock(mock.adminUrl, { token: TOKEN });
  const ask = async (path: string): Promise<string> => {
    const response = await fetch(`${mock.adminUrl}${path}`, { headers: { authorization: `Bearer ${TOKEN}` } });
    return `${JSON.stringify([...response.headers])} ${await response.text()}`;
  };
  const failed = (work: Promise<unknown>): Promise<string> => work.then(String, (error: Error) => error.message);
  const told: unknown[] = [names, await remote.worlds(), await mock.requests.list(), await remote.requests.list()];
  told.push(await mock.violations(), await mock.deprecatedCallers(), (await mock.coverage()).text);
  told.push(await failed(mock.assertNoViolations()), await failed(remote.assertNoViolations()));
  told.push(await failed(mock.requests.waitFor({ path: '/nowhere' }, { timeout: 1 })));
  const refused = [`/worlds/${encodeURIComponent(KEY)}`, `/requests?world=${encodeURIComponent(KEY)}`, `/${KEY}`];
  for (const path of [
    '/requests',
    '/requests/har',
    '/violations',
    '/deprecated-callers',
    '/worlds',
    '/coverage',
    ...refused,
  ])
    told.push(await ask(path));
  return told
    .map((each) => JSON.stringify(each, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)))
    .join('\n');
}

/** What can be read of the secrets, with what stands around it. */
async function findSecrets(): Promise<string[]> {
  const told = await tellAll();
  return [findKey(told, KEY), findKey(told, TOKEN)].filter((found) => found !== undefined);
}

describe('a key of the user stands in nothing that the mock tells', () => {
  // The tests of the redaction have all encodings.
  test.each(Object.entries(ENCODINGS).filter((_, index) => index % 4 === 0))(
    'when it is sent as %s',
    async (_, encode) => {
      const text = encode(KEY);
      const token = text.replace(/[^!-~]/g, '');
      await get(`/pets?limit=${text}`);
      await get(`/pets?status=${text}&${text}=${text}`);
      await get(`/pets/${text}`);
      await get(`/pets/1`, {
        'user-agent': `tool ${token}`,
        origin: `http://${token}`,
        referer: `http://x/?a=${token}`,
      });
      await get('/pets', { 'x-note': token, 'x-petstore-world': token, prefer: `code=${token}`, accept: token });
      await post(`{"name":"my ${text}","categoryId":"${text}","${text}":1,"deep":[{"${text}":["${text}"]}]}`);
      await post(`{"name":"my ${text}", `);
      await post(text, { 'content-type': `text/${token}` });
      expect(await findSecrets()).toEqual([]);
    },
  );

  test('in answers that refuse it', async () => {
    const sent = encodeURIComponent(KEY);
    const answers = [
      await get(`/pets?limit=${sent}`),
      await get(`/pets/${sent}`),
      await get(`/${sent}`),
      await get('/pets', { accept: `text/${KEY}` }),
      await get('/pets', { 'x-petstore-world': KEY }),
      await post(`{"name":"Rex","categoryId":"${KEY}"}`),
      await fetch(new URL(`/worlds/${sent}/v1/pets`, mock.url), { headers: AUTHORIZED }),
    ];
    for (const answer of answers)
      expect([answer.status >= 400, findKey(await answer.text(), KEY)]).toEqual([true, undefined]);
  });

  test('as the token of the admin API does not', async () => {
    await get(`/pets?limit=${TOKEN}`, { 'x-note': TOKEN });
    expect(await findSecrets()).toEqual([]);
  });

  test('when a world is named by it', async () => {
    mock = await startMock({ apiKey: 'Key-that-names-a-world', adminToken: TOKEN });
    const headers = { authorization: 'Bearer Key-that-names-a-world', 'x-petstore-world': 'Key-that-names-a-world' };
    await fetch(`${mock.url}/pets?limit=0`, { headers });
    const world = mock.world('Key-that-names-a-world');
    const told = JSON.stringify([await world.violations(), await mock.worlds(), await tellAll()]);
    expect(findKey(told, 'Key-that-names-a-world')).toBeUndefined();
  });

  test('when it is a number', async () => {
    mock = await startMock({ apiKey: '12345678901234', adminToken: TOKEN });
    const headers = { Authorization: 'Bearer 12345678901234' };
    await createPet(mock, '{"name":1,"categoryId":12345678901234}', { headers });
    expect(await tellAll()).not.toContain('12345678901234');
  });
});

test('what no secret stands in is shown as it was sent, and the documented key may be shown', async () => {
  await post('{"name":"a \\u0053 b","categoryId":1}');
  const [exchange] = await mock.requests.list();
  expect(exchange?.request.body).toEqual({ name: 'a S b', categoryId: 1 });
  const open = await startMock();
  await fetch(`${open.url}/pets?limit=petstore-dev-key`, { headers: DOCUMENTED });
  expect(JSON.stringify(await open.violations())).toContain('petstore-dev-key');
});
