import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { FaultEffect } from '../../src/index.js';
import { openProgram, WAYS_IN, type WayIn } from './ways-in.js';

const KEY = { Authorization: 'Bearer petstore-dev-key' };
const REX = { name: 'Rex', categoryId: 1, status: 'sold' } as const;

/** What makes test authors leave other mocks, through every way in. */
describe.each(Object.entries({ ...WAYS_IN, 'in another process': openProgram }))('a petstore reached %s', (_, open) => {
  let way: WayIn;

  beforeAll(async () => {
    way = await open();
  });

  beforeEach(() => way.petstore.reset());

  afterAll(() => way.close());

  function ask(path: string, init: RequestInit = {}, base = way.urlOf(way.petstore)): Promise<Response> {
    return way.fetch(base + path, { ...init, headers: { ...KEY, ...(init.headers as Record<string, string>) } });
  }

  function create(pet: object, base?: string, signal?: AbortSignal): Promise<Response> {
    const headers = { 'Content-Type': 'application/json' };
    return ask('/pets', { method: 'POST', headers, body: JSON.stringify(pet), ...(signal && { signal }) }, base);
  }

  async function namesAt(base?: string, headers: Record<string, string> = {}): Promise<string[]> {
    const pets = (await (await ask('/pets?limit=100', { headers }, base)).json()) as { name: string }[];
    return pets.map(({ name }) => name);
  }

  test('is reset: pets, ids, requests, faults and clock are those of the start', async () => {
    const { petstore } = way;
    const before = await petstore.pets.list();
    await create(REX);
    await petstore.pets.clear();
    await petstore.faults.add({ effect: { status: 500 } });
    await petstore.clock.freeze(new Date('2031-01-01T00:00:00Z'));
    await petstore.reset();
    expect(await petstore.pets.list()).toEqual(before);
    expect([await petstore.requests.count(), await petstore.faults.list()]).toEqual([0, []]);
    expect((await petstore.clock.now()).getFullYear()).toBeLessThan(2031);
    expect(await (await create(REX)).json()).toMatchObject({ id: 51 });
  });

  test('has as many worlds as there are tests on it, chosen by URL or by header', async () => {
    const [one, two] = [way.petstore.world('one'), way.petstore.world('two')];
    await Promise.all([one.pets.replace([{ ...REX, name: 'One' }]), two.pets.replace([{ ...REX, name: 'Two' }])]);
    const base = way.urlOf(one);
    await create({ ...REX, name: 'One more' }, base);
    expect(await namesAt(base)).toEqual(['One more', 'One']);
    expect(await namesAt(undefined, two.headers)).toEqual(['Two']);
    expect(await namesAt()).toHaveLength(50);
    expect([await one.requests.count(), await two.requests.count()]).toEqual([2, 1]);
    await one.drop();
    expect(await namesAt(base)).toHaveLength(50);
  });

  test('fails the next call, and only that one', async () => {
    await way.petstore.faults.add({ operationId: 'listPets', times: 1, effect: { status: 503, retryAfter: 2 } });
    const [failed, next] = [await ask('/pets'), await ask('/pets')];
    expect([failed.status, failed.headers.get('Retry-After'), next.status]).toEqual([503, '2', 200]);
    expect(await failed.json()).toMatchObject({ status: 503, code: expect.any(String) });
  });

  test('stores the pet and answers 500 all the same', async () => {
    await way.petstore.pets.clear();
    await way.petstore.faults.add({ operationId: 'createPet', at: 'after', times: 1, effect: { status: 500 } });
    expect((await create(REX)).status).toBe(500);
    expect(await way.petstore.pets.list()).toMatchObject([REX]);
  });

  test('breaks the connection as a network does, answers what is no JSON, and what breaks the contract', async () => {
    const meet = async (effect: FaultEffect): Promise<Response> => {
      await way.petstore.faults.add({ operationId: 'listPets', times: 1, effect });
      return ask('/pets');
    };
    await expect(meet({ reset: true })).rejects.toBeInstanceOf(TypeError);
    const broken = await meet({ truncate: true });
    expect(broken.status).toBe(200);
    await expect(broken.text()).rejects.toBeInstanceOf(TypeError);
    await expect((await meet({ invalidJson: true })).json()).rejects.toBeInstanceOf(SyntaxError);
    const [first] = (await (await meet({ breakContract: true })).json()) as object[];
    expect(Object.keys(first ?? {}).sort()).not.toEqual(['categoryId', 'id', 'name', 'status']);
  });

  test('is slow for those who wait, and lets go of those who do not', async () => {
    await way.petstore.faults.add({ operationId: 'createPet', times: 1, effect: { delay: 60_000 } });
    const leaving = new AbortController();
    const created = create(REX, undefined, leaving.signal);
    leaving.abort();
    await expect(created).rejects.toMatchObject({ name: 'AbortError' });
    expect(await way.petstore.pets.count()).toBe(50);
  });

  test('shows what was sent, and waits for a request that is still to come', async () => {
    const { requests } = way.petstore;
    const waiting = requests.waitFor({ operationId: 'createPet' }, { timeout: 200_000 });
    await create(REX);
    expect(await waiting).toMatchObject([{ operationId: 'createPet', method: 'POST', status: 201 }]);
    await ask('/pets?status=sold');
    expect(await requests.count({ status: 200 })).toBe(1);
    expect(JSON.stringify(await requests.list())).not.toContain('Bearer petstore-dev-key');
  });

  test('fails a test with what broke the contract, where, and how to mend it', async () => {
    await ask('/pets');
    await way.petstore.assertNoViolations();
    await ask('/pets?limit=101');
    const error = await way.petstore.assertNoViolations().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'PetstoreMockError', code: 'violations' });
    expect(String(error)).toContain('limit=101');
    expect(String(error)).toMatch(/spec\/petstore\.openapi\.yaml:\d+/);
  });
});
