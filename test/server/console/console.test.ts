import { request as httpRequest } from 'node:http';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../../../src/contract/document/json.js';
import type { PetstoreMock } from '../../../src/index.js';
import { setUp } from '../../../src/server/set-up.js';
import { createPet, JSON_TYPE, KEY, startMock as start } from '../../support/started-mock.js';

const HTML = { Accept: 'text/html' };
const TOKEN = 'a-token-of-the-admin';

type Answered = { status: number; headers: Record<string, unknown>; text: string };

/** By Node's own client, since `fetch` sets Host and Origin itself. */
function ask(mock: PetstoreMock, call: string, headers: Record<string, string> = {}): Promise<Answered> {
  const [method = 'GET', path = ''] = call.split(' ');
  return new Promise((resolve, reject) => {
    const asking = httpRequest(`${mock.adminUrl}${path}`, { method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    asking.on('error', reject).end(method === 'POST' ? '{}' : undefined);
  });
}

/** The first batch of a feed. */
async function readFeed(mock: PetstoreMock, query = ''): Promise<{ rows: Record<string, unknown>[]; oldest: number }> {
  const leaving = new AbortController();
  const response = await fetch(`${mock.adminUrl}/console/feed${query}`, { signal: leaving.signal });
  const { value } = (await response.body?.getReader().read()) ?? {};
  leaving.abort();
  return JSON.parse(new TextDecoder().decode(value).replace(/^data: /, '')) as Awaited<ReturnType<typeof readFeed>>;
}

const idOf = async (mock: PetstoreMock, url: string): Promise<unknown> =>
  (await readFeed(mock)).rows.find((row) => row['url'] === url)?.['id'];

describe('the page', () => {
  test('is what a browser gets at the admin API, which is as ever for all others', async () => {
    const mock = await start();
    const page = await ask(mock, 'GET ', HTML);
    expect(page).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(await ask(mock, 'GET ')).toMatchObject({ status: 404, headers: { 'content-type': 'application/json' } });
    const json = { status: 200, headers: { 'content-type': 'application/json' } };
    expect(await ask(mock, 'GET /pets', HTML)).toMatchObject(json);
  });

  test('is refused to a name that was made to point here (DNS rebinding)', async () => {
    const mock = await start();
    for (const call of ['GET ', 'GET /console/about', 'GET /console/feed']) {
      expect((await ask(mock, call, { ...HTML, Host: 'evil.example' })).status).toBe(403);
    }
  });

  test('may be opened by a link of another site, and what it calls may not be called by one', async () => {
    const mock = await start();
    const elsewhere = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
    expect((await ask(mock, 'GET ', { ...HTML, ...elsewhere })).status).toBe(200);
    for (const path of ['about', 'feed', 'coverage', 'exchanges/1']) {
      const call = `GET /console/${path}`;
      const refused = await ask(mock, call, elsewhere);
      expect(refused.status).toBe(403);
      expect(refused.headers['access-control-allow-origin']).toBeUndefined();
    }
    for (const call of ['POST /console/exchanges/1/again', 'POST /console/send'])
      expect((await ask(mock, call, { ...elsewhere, ...JSON_TYPE })).status).toBe(403);
    // A form can be sent without asking, but not as JSON.
    expect((await ask(mock, 'POST /console/exchanges/1/again')).status).toBe(415);
  });

  test('with a token is shown to anybody, and shows nothing without it', async () => {
    const mock = await start({ adminToken: TOKEN });
    const page = await ask(mock, 'GET ', HTML);
    expect(page.text).toContain('"needsToken":true');
    expect(page.text).not.toContain(TOKEN);
    expect((await ask(mock, 'GET /console/about')).status).toBe(401);
    expect((await ask(mock, 'GET /console/feed')).status).toBe(401);
    expect((await ask(mock, 'GET /console/about', { Authorization: `Bearer ${TOKEN}` })).status).toBe(200);
  });

  test('is off where the admin API is, and where other machines can reach the mock and there is no token', async () => {
    const off = await start({ admin: false });
    expect((await ask(off, 'GET ', HTML)).status).toBe(404);
    expect((await ask(off, 'GET /console/about')).status).toBe(404);
    expect((await ask(await start({ host: '0.0.0.0' }), 'GET ', HTML)).status).toBe(403);
  });
});

describe('an exchange', () => {
  test('is listed, and opened with the lines of the contract that it breaks', async () => {
    const mock = await start();
    await fetch(`${mock.url}/pets?limit=500`, { headers: KEY });
    const { rows } = await readFeed(mock);
    expect(rows).toMatchObject([
      { method: 'GET', url: '/v1/pets?limit=500', status: 400, verdict: 'client', operationId: 'listPets' },
    ]);
    const { text } = await ask(mock, `GET /console/exchanges/${String(rows[0]?.['id'])}`);
    const [excerpt] = (JSON.parse(text) as { excerpts: { lines: string[]; from: number; line: number }[] }).excerpts;
    expect(excerpt?.lines[(excerpt.line ?? 0) - excerpt.from]?.trim()).toBe('maximum: 100');
    expect(text).not.toContain('petstore-dev-key');
  });

  test('is sent again with its key and its body, which the page never sees', async () => {
    const mock = await start({ apiKey: 'very-secret-key' });
    const headers = { Authorization: 'Bearer very-secret-key' };
    await createPet(mock, '{"name":"Rex","categoryId":9007199254740993}', { headers });
    const id = await idOf(mock, '/v1/pets');
    const again = await ask(mock, `POST /console/exchanges/${String(id)}/again`, JSON_TYPE);
    const { id: next } = JSON.parse(again.text) as { id: number };
    const { text } = await ask(mock, `GET /console/exchanges/${next}`);
    expect(parseJson(text)).toMatchObject({
      value: { status: 201, response: { body: { id: 3, categoryId: 9007199254740993n } } },
    });
    expect(text).not.toContain('very-secret-key');
  });

  test('that missed the API misses it again', async () => {
    const mock = await start();
    await fetch(new URL('/pets', mock.url));
    await ask(mock, `POST /console/exchanges/${String(await idOf(mock, '/pets'))}/again`, JSON_TYPE);
    const reason = '/pets is outside the API; the API is at /v1';
    expect((await mock.requests.list()).map((each) => each.reason)).toEqual([reason, reason]);
  });

  test('whose body was not kept is not sent again, and one that is no longer in the journal is told so', async () => {
    const mock = await start();
    await fetch(`${mock.url}/pets`, { method: 'POST', headers: JSON_TYPE, body: '{}' });
    const path = `/console/exchanges/${String(await idOf(mock, '/v1/pets'))}`;
    expect((await ask(mock, `POST ${path}/again`, JSON_TYPE)).status).toBe(409);
    await mock.requests.clear();
    const text = expect.stringContaining('is no longer in the journal');
    expect(await ask(mock, `GET ${path}`)).toMatchObject({ status: 404, text });
  });
});

test('to look at a world makes none', async () => {
  const mock = await start();
  expect((await ask(mock, 'GET /console/feed?world=w')).status).toBe(404);
  expect(await mock.worlds()).toEqual(['default']);
});

test('the coverage has all that the contract states, and what of it was seen', async () => {
  const mock = await start();
  await fetch(`${mock.url}/pets?status=sold`, { headers: KEY });
  const { operations } = JSON.parse((await ask(mock, 'GET /console/coverage')).text) as {
    operations: { items: { id: string; seen: boolean }[] }[];
  };
  const items = operations.flatMap((each) => each.items);
  const { total, covered } = await mock.coverage();
  expect(items).toHaveLength(total);
  expect(items.filter(({ seen }) => seen)).toHaveLength(covered);
});

test('what the page is told of the mock has its packs, and its gaps by operation and resource', async () => {
  const mock = await start();
  const about = JSON.parse((await ask(mock, 'GET /console/about')).text) as object;
  expect(about).toMatchObject({ packs: expect.arrayContaining(['default', 'empty']) as string[] });
  const { gaps } = JSON.parse((await ask(mock, 'GET /console/gaps')).text) as { gaps: Record<string, string>[] };
  const { asked } = setUp().world.gaps;
  expect(gaps.map(({ id }) => id)).toEqual(asked.map(({ id }) => id));
  const groupOf = (id: string): string | undefined => gaps.find((gap) => gap['id'] === id)?.['group'];
  expect([groupOf('list-order'), groupOf('status-omitted')]).toEqual(['listPets', 'pets']);
  expect(new Set(gaps.map(({ group }) => group))).toContain('The whole service');
  expect(new Set(gaps.map(({ kind }) => kind))).toEqual(new Set(['choice', 'value', 'observation']));
});
