import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PetstoreMockError, PetstoreWorld } from '../../src/index.js';
import { WAYS_IN, type WayIn } from './ways-in.js';

const KEY = { Authorization: 'Bearer petstore-dev-key' };
const REX = { name: 'Rex', categoryId: 1, status: 'sold' } as const;

/** The methods do the same through every way in, down to the errors. */
describe.each(Object.entries(WAYS_IN))('the methods of a petstore reached %s', (_, open) => {
  let way: WayIn;
  let petstore: WayIn['petstore'];

  beforeEach(async () => {
    way = await open({ maxPets: 60, maxWorlds: 4 });
    ({ petstore } = way);
  });

  afterEach(() => way.close());

  function ask(path: string, world: PetstoreWorld = petstore): Promise<Response> {
    return way.fetch(way.urlOf(world) + path, { headers: KEY });
  }

  test('pets: int64 exact, one or none, in the order of the API', async () => {
    const { pets } = petstore;
    const large = 2n ** 63n - 1n;
    const milo = { id: 7, name: 'Milo', categoryId: 1 };
    const rex = { id: large - 1n, ...REX, categoryId: -(2n ** 63n) };
    await pets.replace([rex, { ...milo, id: 7n }]);
    expect(await pets.list()).toEqual([milo, rex]);
    expect(await pets.get(large - 1n)).toMatchObject({ name: 'Rex' });
    expect([await pets.get(7n), await pets.get(8)]).toEqual([milo, undefined]);
    expect(await pets.add(REX)).toEqual({ id: large, ...REX });
    expect((await pets.list({ status: 'sold' })).map(({ id }) => id)).toEqual([large, large - 1n]);
    await pets.clear();
    expect(await pets.count()).toBe(0);
  });

  test('requests: both messages, filters, and nothing of the key', async () => {
    await ask('/pets?limit=1');
    await ask('/pets/1');
    const [listed] = await petstore.requests.list({ operationId: 'listPets', verdict: 'ok', method: 'GET' });
    expect(listed?.request.headers['authorization']).toBe('[redacted]');
    expect(listed?.response.body).toMatchObject([{ id: 50 }]);
    expect(listed?.contract).toMatchObject({ file: 'spec/petstore.openapi.yaml', pointer: '/paths/~1pets/get' });
    expect(await petstore.requests.count({ deprecated: true })).toBe(1);
    expect(await petstore.deprecatedCallers()).toMatchObject([{ operationId: 'getPet', count: 1, userAgent: 'node' }]);
    await petstore.requests.clear();
    expect(await petstore.requests.list()).toEqual([]);
  });

  test('faults: planted, listed, counted and removed', async () => {
    const { faults } = petstore;
    const slow = await faults.add({ operationId: 'listPets', effect: { delay: { from: 1, to: 2 } } });
    const other = await faults.add({ effect: { status: 418 }, when: { query: { status: 'sold' } } });
    expect((await ask('/pets?status=sold')).status).toBe(418);
    const hits = (await faults.list()).map((each) => `${each.id} ${each.hits}`);
    expect(hits).toEqual([`${slow.id} 1`, `${other.id} 1`]);
    await other.remove();
    expect([await faults.remove(slow.id), await faults.remove(slow.id)]).toEqual([true, false]);
    expect(await faults.list()).toEqual([]);
    await faults.add({ effect: { reset: true } });
    await faults.clear();
    expect((await ask('/pets')).status).toBe(200);
  });

  test('delay: set, kept by its world, and gone with a reset', async () => {
    const { delay } = petstore;
    expect(await delay.get()).toEqual({ from: 0, to: 0 });
    expect(await delay.set(40)).toEqual({ from: 40, to: 40 });
    const began = performance.now();
    await ask('/pets');
    expect(performance.now() - began).toBeGreaterThan(35);
    expect(await petstore.world('w').delay.get()).toEqual({ from: 0, to: 0 });
    expect(await delay.set({ from: 1, to: 2 })).toEqual({ from: 1, to: 2 });
    await petstore.reset();
    expect(await delay.get()).toEqual({ from: 0, to: 0 });
    await delay.set(1);
    expect(await delay.reset()).toEqual({ from: 0, to: 0 });
  });

  test('clock: past its date the deprecated operation is gone', async () => {
    const { clock } = petstore;
    expect((await ask('/pets/1')).status).toBe(200);
    expect(await clock.freeze('2030-12-04T23:59:59Z')).toEqual(new Date('2030-12-04T23:59:59Z'));
    expect([await clock.isFrozen(), (await ask('/pets/1')).status]).toEqual([true, 200]);
    expect(await clock.advance(1000)).toEqual(new Date('2030-12-05T00:00:00Z'));
    expect((await ask('/pets/1')).status).toBe(410);
    await clock.set(new Date('2029-01-01T00:00:00Z'));
    expect((await ask('/pets/1')).status).toBe(200);
    const before = Date.now();
    await clock.reset();
    const now = (await clock.now()).getTime();
    expect([await clock.isFrozen(), now >= before, now <= Date.now()]).toEqual([false, true, true]);
  });

  test('snapshots: gone back to, carried over to another world, removed', async () => {
    const { snapshots, pets } = petstore;
    await pets.replace([REX]);
    await snapshots.save('one');
    const pack = await snapshots.export();
    await pets.clear();
    await snapshots.restore('one');
    expect([await pets.list(), await snapshots.list()]).toMatchObject([[REX], ['one']]);
    const other = petstore.world('other');
    await other.snapshots.load(pack);
    expect(await other.pets.list()).toEqual(await pets.list());
    expect([await snapshots.remove('one'), await snapshots.remove('one')]).toEqual([true, false]);
  });

  test('profile: a choice is made, and taken back', async () => {
    const { profile } = petstore;
    await profile.choose({ 'limit-above-maximum': 'clamped' });
    expect((await ask('/pets?limit=101')).status).toBe(200);
    expect((await profile.get()).choices['limit-above-maximum']).toBe('clamped');
    await profile.reset();
    expect((await ask('/pets?limit=101')).status).toBe(400);
  });

  test('violations and coverage: what was broken, and what was never seen', async () => {
    await ask('/pets?limit=101');
    await ask('/pets?limit=100');
    const broken = { status: 400, verdict: 'client', violations: [{ rule: 'maximum' }] };
    expect(await petstore.violations()).toMatchObject([broken]);
    await petstore.assertNoViolations({ allow: { status: 400 } });
    const { covered, total, missing, text } = await petstore.coverage({ threshold: 5 });
    expect([covered > 3, covered < total]).toEqual([true, true]);
    const ids = missing.map(({ id }) => id);
    expect(ids).toContain('listPets answers 401');
    expect(ids).not.toContain('listPets is sent query/limit = 100');
    expect(text).toContain('listPets answers 401');
  });

  test('worlds: named, listed and dropped', async () => {
    const one = petstore.world('one');
    await one.pets.clear();
    expect(one.headers).toEqual({ 'X-Petstore-World': 'one' });
    expect(await (await ask('/pets', one)).json()).toEqual([]);
    expect(await petstore.worlds()).toEqual(['default', 'one']);
    await one.drop();
    expect(await petstore.worlds()).toEqual(['default']);
  });

  test.each<[string, PetstoreMockError['code'], (store: WayIn['petstore']) => unknown]>([
    ['a pet that breaks the contract', 'bad-pet', ({ pets }) => pets.add({ name: 'Rex' } as never)],
    ['too many pets', 'store-full', ({ pets }) => pets.replace(Array.from({ length: 61 }, () => REX))],
    ['a fault that does nothing', 'bad-fault', ({ faults }) => faults.add({ effect: {} } as never)],
    ['a delay that is none', 'bad-option', ({ delay }) => delay.set({ from: 2, to: 1 })],
    ['a date that is none', 'bad-date', ({ clock }) => clock.set('2030-02-30')],
    ['a snapshot that there is not', 'bad-snapshot', ({ snapshots }) => snapshots.restore('none')],
    ['a pack that is none', 'unusable-fixtures', ({ snapshots }) => snapshots.load('pets: 5')],
    ['a gap that there is not', 'unusable-profile', ({ profile }) => profile.choose({ 'no-gap': 'x' })],
    ['a filter by what no request has', 'bad-option', ({ requests }) => requests.count({ operationID: 'x' } as never)],
    ['a request that does not come', 'wait-timeout', ({ requests }) => requests.waitFor({}, { timeout: 1 })],
    ['too little coverage', 'low-coverage', (store) => store.coverage({ threshold: 99 })],
    ['the default world that is to be dropped', 'bad-world', (store) => store.world('default').drop()],
  ])('refuses %s with %s', async (_name, code, act) => {
    await expect((async () => act(petstore))()).rejects.toMatchObject({ name: 'PetstoreMockError', code });
  });
});
