import { beforeEach, describe, expect, test } from 'vitest';
import { startPetstoreMock, type Fault, type FaultEffect, type PetstoreMock } from '../../../src/index.js';
import { callAdmin } from '../../support/admin.js';
import { eventually } from '../../support/eventually.js';
import { createPet, KEY, startMock } from '../../support/started-mock.js';

let mock: PetstoreMock;

beforeEach(async () => void (mock = await startMock()));

const get = (path = '/pets'): Promise<Response> => fetch(`${mock.url}${path}`, { headers: KEY });

const create = (name = 'Rex', init?: RequestInit): Promise<Response> => createPet(mock, { name, categoryId: 1 }, init);

/** The code of what ended a request. */
const failure = async (asked: Promise<Response>): Promise<string> => {
  const reason = await asked
    .then((response) => response.text())
    .catch((error: Error) => error.cause as { code: string });
  return typeof reason === 'string' ? `answered ${reason}` : reason.code;
};

/** The admin API plants the same fault as the library. */
const plant = (fault: Fault): Promise<unknown> => callAdmin(mock.adminUrl, 'POST /faults', { body: fault });

describe('planted by the admin API', () => {
  test('a status comes with an Error body, and what else was asked for', async () => {
    await plant({ operationId: 'listPets', effect: { status: 503, code: 'down', message: 'later', retryAfter: 7 } });
    const response = await get();
    const told = [response.status, response.headers.get('retry-after'), await response.json()];
    expect(told).toEqual([503, '7', { code: 'down', message: 'later', status: 503 }]);
    expect((await get('/pets/1')).status).toBe(200);
  });

  test('before the operation nothing is stored, after it the pet is there', async () => {
    await plant({ operationId: 'createPet', at: 'before', times: 1, effect: { status: 500 } });
    expect([(await create()).status, await mock.pets.count()]).toEqual([500, 1]);
    await plant({ operationId: 'createPet', at: 'after', times: 1, effect: { status: 500 } });
    expect([(await create()).status, await mock.pets.count()]).toEqual([500, 2]);
    expect([(await create()).status, await mock.pets.count()]).toEqual([201, 3]);
  });

  test.each(['before', 'after'] as const)('%s the operation a connection is reset', async (at) => {
    await plant({ at, times: 1, effect: { reset: true } });
    expect(await failure(create())).toBe('ECONNRESET');
    expect(await mock.pets.count()).toBe(at === 'before' ? 1 : 2);
    expect(await mock.requests.list()).toMatchObject([{ status: 0, faults: ['fault-1'], verdict: 'ok' }]);
  });

  test.each(['before', 'after'] as const)(
    '%s the operation a body is cut off, no JSON, or breaks the contract',
    async (at) => {
      await plant({ at, times: 1, effect: { truncate: true } });
      const cut = await get();
      expect([cut.status, Number(cut.headers.get('content-length')) > 10]).toEqual([200, true]);
      await expect(cut.text()).rejects.toThrow('terminated');
      await plant({ at, times: 1, effect: { invalidJson: true } });
      const invalid = await get();
      expect([invalid.status, invalid.headers.get('content-type')]).toEqual([200, 'application/json']);
      await expect(invalid.json()).rejects.toThrow(SyntaxError);
      await plant({ at, times: 1, effect: { breakContract: true } });
      expect(((await (await get()).json()) as object[])[0]).not.toHaveProperty('id');
      expect(await mock.violations()).toEqual([]);
    },
  );

  test.each(['before', 'after'] as const)('%s the operation time passes', async (at) => {
    await plant({ at, times: 1, effect: { delay: { from: 40, to: 50 } } });
    const started = performance.now();
    await (await create()).text();
    expect(performance.now() - started).toBeGreaterThanOrEqual(39);
    expect(await mock.pets.count()).toBe(2);
  });
});

describe('a fault strikes', () => {
  test.each<[string, Fault['when'], boolean]>([
    ['this query', { query: { status: 'sold' } }, true],
    ['this path', { path: '/pets' }, true],
    ['another path', { path: '/pets/7' }, false],
    ['this method', { method: 'get' }, true],
    ['this header', { headers: { 'X-Page': 'home' } }, true],
    ['this status', { status: 200 }, true],
    ['another status', { status: 404 }, false],
    ['two conditions of which one is not met', { path: '/pets', query: { status: 'pending' } }, false],
  ])('where its conditions say: %s', async (_, when, strikes) => {
    await mock.faults.add({ when: when ?? {}, effect: { status: 418 } });
    const response = await fetch(`${mock.url}/pets?status=sold`, { headers: { ...KEY, 'x-page': 'home' } });
    expect(response.status).toBe(strikes ? 418 : 200);
  });

  test('where the body says', async () => {
    await mock.faults.add({ when: { body: { name: 'Rex', categoryId: 1 } }, effect: { status: 409 } });
    expect([(await create('Rex')).status, (await create('Tom')).status, (await get()).status]).toEqual([409, 201, 200]);
  });

  test('at a rate, and the same exchanges for the same seed', async () => {
    const draw = async (seed: number): Promise<string> => {
      await mock.faults.clear();
      await mock.faults.add({ rate: 0.3, seed, effect: { status: 500 } });
      const statuses: number[] = [];
      for (let count = 0; count < 60; count++) statuses.push((await get()).status);
      return statuses.map((status) => (status === 500 ? 'x' : '.')).join('');
    };
    const [one, again, other] = [await draw(7), await draw(7), await draw(8)];
    expect([again === one, other === one]).toEqual([true, false]);
    expect(one.replaceAll('.', '').length).toBeGreaterThan(8);
    expect(one.replaceAll('.', '').length).toBeLessThan(30);
  });

  test('after the operation only what it has answered well, unless it names a status', async () => {
    await mock.faults.add({ at: 'after', times: 1, effect: { status: 500 } });
    expect([(await get('/pets/99')).status, (await get()).status]).toEqual([404, 500]);
    await mock.faults.add({ when: { status: 404 }, effect: { status: 502 } });
    expect((await get('/pets/99')).status).toBe(502);
  });

  test('without a key too, and what the contract does not have never', async () => {
    await mock.faults.add({ effect: { status: 500 } });
    expect((await fetch(`${mock.url}/pets`)).status).toBe(500);
    expect([(await get('/nothing')).status, (await fetch(mock.url, { method: 'OPTIONS' })).status]).toEqual([404, 404]);
  });

  test('beside a delay, and of two that break an answer the first', async () => {
    await mock.faults.add({ effect: { delay: 30 } });
    await mock.faults.add({ times: 1, effect: { status: 500 } });
    await mock.faults.add({ times: 1, effect: { status: 502 } });
    const started = performance.now();
    expect([(await get()).status, (await get()).status, (await get()).status]).toEqual([500, 502, 200]);
    expect(performance.now() - started).toBeGreaterThanOrEqual(89);
    const [struck] = await mock.requests.list({ fault: 'fault-2' });
    expect(struck?.faults).toEqual(['fault-1', 'fault-2']);
  });

  test('a 401 with its challenge and the deprecated operation with its Sunset', async () => {
    await mock.faults.add({ times: 1, effect: { status: 401 } });
    await mock.faults.add({ operationId: 'getPet', at: 'after', effect: { status: 500 } });
    expect((await get()).headers.get('www-authenticate')).toBe('Bearer realm="petstore"');
    expect((await get('/pets/1')).headers.get('sunset')).toMatch(/2030/);
  });
});

/** The pets that are there when a second create, which is delayed as long as the abandoned one, has its response. */
async function countAfterLeaving(delay: number): Promise<number> {
  await mock.reset();
  await mock.faults.clear();
  await mock.faults.add({ operationId: 'createPet', effect: { delay } });
  const leaving = new AbortController();
  const abandoned = create('Rex', { signal: leaving.signal }).catch(({ name }: Error) => name);
  await eventually(async () => expect(await mock.faults.list()).toMatchObject([{ hits: 1 }]));
  leaving.abort();
  expect(await abandoned).toBe('AbortError');
  await create('Tom');
  return mock.pets.count();
}

test('a client that gives up before the operation has changed nothing', async () => {
  // On a machine that stands still, a short delay may be over before the server hears that the client has left.
  let count = 0;
  for (const delay of [200, 2000, 20_000]) if (count !== 2) count = await countAfterLeaving(delay);
  expect(count).toBe(2);
});

test('a fault can be taken back, and a reset goes back to those of the start', async () => {
  const start: Fault = { operationId: 'getPet', times: 1, effect: { status: 500 } };
  const other = await startMock({ faults: [start] });
  const ask = async (path: string, of: { url: string } = other): Promise<number> =>
    (await fetch(`${of.url}${path}`, { headers: KEY })).status;
  const fault = await other.faults.add({ effect: { status: 502 }, operationId: 'listPets' });
  expect([await ask('/pets'), await ask('/pets/1'), await ask('/pets/1')]).toEqual([502, 500, 200]);
  await fault.remove();
  expect([await ask('/pets'), (await other.faults.list()).length]).toEqual([200, 1]);
  await other.reset();
  expect([await ask('/pets/1'), await ask('/pets/1')]).toEqual([500, 200]);
  expect(await ask('/pets/1', other.world('w1'))).toBe(500);
});

test.each<[string, unknown, string]>([
  ['that does nothing', { effect: {} }, 'effect must say what happens'],
  ['with an unknown field', { effect: { stauts: 500 } }, 'there is no effect.stauts; did you mean status?'],
  ['with two effects', { effect: { status: 500, reset: true } }, 'effect can have status or reset, not both'],
  ['with a code alone', { effect: { reset: true, code: 'x' } }, 'effect.code is only allowed with effect.status'],
  ['with a late delay', { effect: { delay: { from: 2, to: 1 } } }, 'effect.delay is a reversed range, 2-1; write'],
  ['at a rate of 0', { rate: 0, effect: { reset: true } }, 'rate must be a number above 0'],
  ['too early', { at: 'before', when: { status: 200 }, effect: { reset: true } }, 'when.status is known only'],
  ['with a seed and no rate', { seed: 1, effect: { reset: true } }, 'seed is only allowed with rate'],
  ['with two mistakes', { at: 'now', times: 0, effect: { reset: true } }, 'not "now"; times must be'],
])('a fault is refused with bad-fault and all that is wrong: %s', async (_, fault, message) => {
  const refusal = { code: 'bad-fault', message: expect.stringContaining(message) };
  await expect(mock.faults.add(fault as Fault)).rejects.toMatchObject(refusal);
  await expect(startPetstoreMock({ faults: [fault as Fault] })).rejects.toMatchObject(refusal);
  expect(await mock.faults.list()).toEqual([]);
});

test('an object that was planted can be changed without changing the fault', async () => {
  const effect: FaultEffect = { status: 500 };
  await mock.faults.add({ effect });
  effect.status = 418;
  expect((await get()).status).toBe(500);
});
