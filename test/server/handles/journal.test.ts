import { beforeEach, describe, expect, test } from 'vitest';
import type { Exchange, PetstoreMock } from '../../../src/index.js';
import { createPet, KEY, startMock } from '../../support/started-mock.js';

let mock: PetstoreMock;

beforeEach(async () => void (mock = await startMock()));

const get = (path: string, headers: Record<string, string> = KEY): Promise<Response> =>
  fetch(`${mock.url}${path}`, { headers });

const post = (body: string, headers: Record<string, string> = {}): Promise<Response> =>
  createPet(mock, body, { headers });

async function last(): Promise<Exchange> {
  const exchange = (await mock.requests.list()).at(-1);
  if (exchange === undefined) throw new Error('nothing was sent');
  return exchange;
}

const rejection = async (work: Promise<unknown>): Promise<{ code: string; message: string }> =>
  work.then(
    () => ({ code: 'none', message: 'it did not reject' }),
    (error: { code: string; message: string }) => error,
  );

describe('an exchange', () => {
  test('has both bodies, int64 exact, and both headers', async () => {
    await post('{"name":"Rex","categoryId":9223372036854775807}', { 'x-request-id': 'r1' });
    expect(await last()).toMatchObject({
      world: 'default',
      operationId: 'createPet',
      verdict: 'ok',
      deprecated: false,
      contract: { pointer: '/paths/~1pets/post', line: 76 },
      request: { headers: { 'x-request-id': 'r1' }, body: { name: 'Rex', categoryId: 9223372036854775807n } },
      response: { headers: { location: '/v1/pets/2' }, body: { id: 2, categoryId: 9223372036854775807n } },
    });
  });

  test('has a body that is no JSON as text, and one that is too long not at all', async () => {
    await post('{"name"');
    expect((await last()).request).toMatchObject({ body: '{"name"', bodyOmitted: false });
    await post(JSON.stringify({ name: 'x'.repeat(70_000), categoryId: 1 }));
    const omitted = { body: undefined, bodyOmitted: true };
    expect(await last()).toMatchObject({ request: omitted, response: omitted });
    await get('/pets');
    expect((await last()).request).toMatchObject({ body: undefined, bodyOmitted: false });
  });
});

describe('requests.waitFor', () => {
  test('resolves once there are enough, and with what was there already', async () => {
    const waiting = mock.requests.waitFor({ operationId: 'listPets' }, { count: 2, timeout: 200_000 });
    await get('/pets/1');
    await get('/pets');
    await get('/pets?limit=1');
    expect((await waiting).map(({ url }) => url)).toEqual(['/v1/pets', '/v1/pets?limit=1']);
    expect(await mock.requests.waitFor({ operationId: 'getPet' })).toMatchObject([{ status: 200 }]);
  });

  test('rejects after its time, and says what was there instead, and when it is told to', async () => {
    await get('/pets');
    const { code, message } = await rejection(mock.requests.waitFor({ operationId: 'createPet' }, { timeout: 1 }));
    const told = 'waited 1 ms for 1 request with operationId createPet, and saw 0. The last ones: GET /v1/pets 200.';
    expect([code, message]).toEqual(['wait-timeout', told]);
    await expect(
      mock.requests.waitFor({ operationId: 'createPet' }, { signal: AbortSignal.timeout(1) }),
    ).rejects.toThrow('timeout');
  });
});

describe('assertNoViolations', () => {
  test('resolves when all was well', async () => {
    await get('/pets');
    await get('/pets/99');
    expect(await mock.assertNoViolations()).toBeUndefined();
  });

  test('says which request broke which line of the contract, and how to mend it', async () => {
    await get('/pets?limit=500');
    await post('{"name":"Rex"}');
    const { code, message } = await rejection(mock.assertNoViolations());
    expect(code).toBe('violations');
    expect(message).toBe(`2 exchanges broke the contract.

1. GET /v1/pets?limit=500 → 400 (listPets), the client is at fault
   query/limit must be at most 100, but is 500 (spec/petstore.openapi.yaml:42:13)
   fix: make query/limit at most 100, not 500

2. POST /v1/pets → 400 (createPet), the client is at fault
   body/categoryId is required (spec/petstore.openapi.yaml:237:7)
   fix: send body/categoryId`);
  });

  test.each<[string, () => Promise<Response>, string]>([
    ['no key', () => get('/pets', {}), 'fix: send Authorization: Bearer <API_KEY>'],
    ['an unknown path', () => get('/cats'), 'the contract has no path /v1/cats'],
    ['no JSON', () => post('{'), 'the JSON is malformed'],
    ['no type', () => post('{}', { 'content-type': 'text/plain' }), 'fix: send the body with Content-Type'],
  ])('tells of %s as well', async (_, ask, message) => {
    await ask();
    expect((await rejection(mock.assertNoViolations())).message).toContain(message);
  });

  test('leaves out what a test means to send', async () => {
    await get('/pets', {});
    await get('/pets?limit=0');
    const { message } = await rejection(mock.assertNoViolations({ allow: { status: 401 } }));
    expect(message).toContain('1 exchange broke');
    expect(await mock.assertNoViolations({ allow: [{ status: 401 }, { status: 400 }] })).toBeUndefined();
  });

  test('remembers what the record of requests has forgotten, and so does the coverage', async () => {
    await get('/pets?limit=0');
    await fillTheRecord();
    expect((await mock.requests.list()).filter(({ verdict }) => verdict === 'client')).toEqual([]);
    expect((await rejection(mock.assertNoViolations())).code).toBe('violations');
    await mock.requests.clear();
    expect(await mock.assertNoViolations()).toBeUndefined();
    await mock.reset();
    const ids = (await mock.coverage()).missing.map(({ id }) => id);
    expect(ids).not.toContain('listPets is sent query/limit against its minimum');
  });
});

/** Sends as many requests as the record holds. */
async function fillTheRecord(): Promise<void> {
  for (let sent = 0; sent < 1000; sent += 50) {
    const batch = Array.from({ length: 50 }, async () => (await get('/pets')).text());
    await Promise.all(batch);
  }
}

describe('coverage', () => {
  test('says what was not covered, with the line of the contract', async () => {
    await get('/pets?limit=100&status=sold');
    const { covered, total, percent, missing, text } = await mock.coverage();
    expect({ covered, total, percent }).toEqual({ covered: 6, total: 36, percent: 16 });
    expect(missing.map(({ id }) => id)).not.toContain('listPets is sent query/status = "sold"');
    expect(text).toContain('6 of 36 parts of the contract were exercised, 16 %.');
    expect(text).toMatch(/listPets answers 401 +spec\/petstore\.openapi\.yaml:\d+/);
  });

  test('does not count a default for something that was sent', async () => {
    await get('/pets');
    expect((await mock.coverage()).missing.map(({ id }) => id)).toContain('listPets is sent query/limit');
  });

  test('rejects below a threshold, and shows what is missing', async () => {
    const { code, message } = await rejection(mock.coverage({ threshold: 50 }));
    expect([code, message]).toEqual(['low-coverage', expect.stringContaining('listPets is called')]);
    expect((await mock.coverage({ threshold: 0 })).covered).toBe(0);
    expect((await rejection(mock.coverage({ threshold: 101 }))).code).toBe('bad-option');
  });

  test('is of all worlds together when asked, those included that were dropped', async () => {
    const world = mock.world('w1');
    await fetch(`${world.url}/pets`, { headers: {} });
    await world.drop();
    const answersOf = async (allWorlds: boolean): Promise<boolean> =>
      (await mock.coverage({ allWorlds })).missing.some(({ id }) => id === 'listPets answers 401');
    expect([await answersOf(false), await answersOf(true)]).toEqual([true, false]);
  });
});

test('the callers of a deprecated operation are counted by who they are', async () => {
  const origin = 'http://localhost:5173';
  const page = { ...KEY, 'user-agent': 'a browser', origin, referer: `${origin}/cats` };
  for (const headers of [page, page, { ...KEY, 'user-agent': 'curl' }]) await get('/pets/1', headers);
  await get('/pets', page);
  expect(await mock.deprecatedCallers()).toMatchObject([
    { operationId: 'getPet', userAgent: 'a browser', origin: page.origin, referer: page.referer, count: 2 },
    { operationId: 'getPet', userAgent: 'curl', origin: undefined, count: 1 },
  ]);
  await mock.reset();
  expect(await mock.deprecatedCallers()).toEqual([]);
});
