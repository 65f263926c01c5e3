import { readFileSync } from 'node:fs';
import express from 'express';
import request from 'supertest';
import { afterEach, describe, expect, test } from 'vitest';
import * as library from '../src/index.js';
import { createPetstoreApp, PetstoreMockError, startPetstoreMock, type PetstoreMock } from '../src/index.js';
import { shippedContract } from './support/shipped.js';
import { words } from './support/words.js';

const KEY = { authorization: 'Bearer petstore-dev-key' };
const open: PetstoreMock[] = [];

async function start(options?: Parameters<typeof startPetstoreMock>[0]): Promise<PetstoreMock> {
  const mock = await startPetstoreMock(options);
  open.push(mock);
  return mock;
}

async function create(mock: { url: string }, body: object): Promise<Response> {
  const headers = { ...KEY, 'content-type': 'application/json' };
  return fetch(`${mock.url}/pets`, { method: 'POST', headers, body: JSON.stringify(body) });
}

afterEach(() => Promise.all(open.splice(0).map((mock) => mock.close())));

describe('the public exports', () => {
  test('are these and no others', () => {
    expect(Object.keys(library).sort()).toEqual([
      'PetstoreMockError',
      'connectPetstoreMock',
      'createPetstoreApp',
      'createPetstoreFetch',
      'startPetstoreMock',
    ]);
  });

  test('have these types and no others beside them', () => {
    const source = readFileSync(new URL('../src/index.ts', import.meta.url), 'utf8');
    const listed = [...source.matchAll(/\{([^}]*)\}/g)].flatMap(([, names = '']) => names.split(','));
    const names = listed.map((name) => name.replace('type ', '').trim()).filter((name) => name !== '');
    expect(names.sort()).toEqual(words`
      AnswerEffect AnswerOptions CollectionFacts CollectionOptions ConnectOptions ConnectedMock ContractPlace
      CoverageKind CoverageOptions CoverageReport DateLike DelayRange DeprecatedCaller ErrorCode Exchange
      ExchangeVerdict Fault FaultCondition FaultEffect FaultPosition Faults Fetch HandlerAnswer HandlerCall Int64
      ListeningOptions MessagePart NamedFetchWorld NamedWorld NeverExercised NewPet OwnHandler OwnHandlers Pet
      PetStatus Pets PetstoreApp PetstoreFetch PetstoreFetchOptions PetstoreMock PetstoreMockError PetstoreOptions
      PetstoreProfile PetstoreWorld PetstoreWorlds PlantedAnswer PlantedFault ProfileAnswer Profiles RecordedMessage
      Records RecordsNow RequestFilter Requests Side Snapshots SourcePlace SpoiledEffect StatusEffect Violation
      WaitOptions WorldClock WorldDelay WorldProfile connectPetstoreMock createPetstoreApp createPetstoreFetch
      startPetstoreMock
    `);
    expect(source.match(/export \*/)).toBeNull();
  });
});

test("PetStatus has the contract's statuses", () => {
  const inContract = shippedContract.document.at('/components/schemas/PetStatus/enum');
  expect(['available', 'pending', 'sold'] satisfies library.PetStatus[]).toEqual(inContract);
});

describe('startPetstoreMock', () => {
  test('listens on a free port of this machine, and its URL includes the base path', async () => {
    const [one, two] = await Promise.all([start(), start()]);
    expect(one.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
    expect(two.url).not.toBe(one.url);
    expect((await fetch(`${one.url}/pets`, { headers: KEY })).status).toBe(200);
  });

  test('closes, also when it is asked twice, and frees the port', async () => {
    const mock = await start();
    await Promise.all([mock.close(), mock.close()]);
    await expect(fetch(mock.url)).rejects.toThrow('fetch failed');
  });

  test('can be disposed of', async () => {
    const mock = await start();
    await mock[Symbol.asyncDispose]();
    await expect(fetch(mock.url)).rejects.toThrow('fetch failed');
  });

  test('rejects with port-taken when the port is', async () => {
    const { port } = new URL((await start()).url);
    await expect(start({ port: Number(port) })).rejects.toMatchObject({ code: 'port-taken' });
  });

  test('takes keys, fixtures, count, seed, delay and max-pets', async () => {
    const mock = await start({ apiKey: ['one', 'two'], fixtures: 'default', count: 5, seed: 3, delay: 30, maxPets: 5 });
    const before = performance.now();
    const response = await fetch(`${mock.url}/pets`, { headers: { authorization: 'Bearer two' } });
    expect([response.status, ((await response.json()) as []).length]).toEqual([200, 5]);
    expect(performance.now() - before).toBeGreaterThanOrEqual(29);
    await expect(mock.pets.add({ name: 'A', categoryId: 1 })).rejects.toMatchObject({ code: 'store-full' });
  });

  test.each<[string, object, string]>([
    ['an option that there is not', { prot: 1 }, 'there is no option prot; did you mean port?'],
    ['a port that is none', { port: 70_000 }, 'the option port must be a whole number from 0 to 65535, not 70000.'],
    [
      'a delay that goes backwards',
      { delay: { from: 2, to: 1 } },
      'the option delay is a reversed range, 2-1; write 1-2.',
    ],
    ['no key', { apiKey: [] }, 'the option apiKey must be a key, or several.'],
    [
      'a key of two words',
      { apiKey: 'two words' },
      'the option apiKey has a space, as character 4; a space ends a key in the Authorization header.',
    ],
    ['cors that is no boolean', { cors: 'yes' }, 'the option cors must be true or false, not yes.'],
    ['fewer pets than it starts with', { maxPets: 3 }, 'the store may hold 3 pets'],
  ])('rejects with bad-option for %s', async (_, options, message) => {
    const error = await startPetstoreMock(options).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PetstoreMockError);
    expect(error).toMatchObject({ code: 'bad-option', message: expect.stringContaining(message) as string });
    expect(String(error)).not.toContain('two words');
  });

  test('rejects with unusable-fixtures for a pack that there is not', async () =>
    await expect(start({ fixtures: 'emtpy' })).rejects.toMatchObject({ code: 'unusable-fixtures' }));
});

describe('pets', () => {
  test('replaces all, with ids that are given, and never hands one out twice', async () => {
    const mock = await start();
    await mock.pets.replace([
      { id: 9n, name: 'A', categoryId: 1 },
      { name: 'B', categoryId: 1 },
    ]);
    expect((await mock.pets.list()).map(({ id, name }) => [id, name])).toEqual([
      [51, 'B'],
      [9, 'A'],
    ]);
    await mock.pets.clear();
    expect([await mock.pets.count(), await mock.pets.list()]).toEqual([0, []]);
    expect((await mock.pets.add({ name: 'C', categoryId: 1 })).id).toBe(52);
  });

  test.each<[string, object[], string]>([
    ['breaks the contract', [{ name: 'A' }], 'this pet breaks the contract: categoryId is required.'],
    ['has an unknown status', [{ name: 'A', categoryId: 1, status: 'lost' }], 'status must be one of'],
    [
      'has the id of another',
      [
        { id: 1, name: 'A', categoryId: 1 },
        { id: 1n, name: 'B', categoryId: 1 },
      ],
      'two of these pets have the id 1.',
    ],
  ])('refuses a pet that %s, and changes nothing', async (_, pets, message) => {
    const mock = await start();
    const refused = mock.pets.replace(pets as never);
    await expect(refused).rejects.toMatchObject({
      code: 'bad-pet',
      message: expect.stringContaining(message) as string,
    });
    expect(await mock.pets.count()).toBe(50);
  });
});

describe('requests', () => {
  test('are what was sent, oldest first, and can be asked for by what they were', async () => {
    const mock = await start();
    await fetch(`${mock.url}/pets`, { headers: KEY });
    await create(mock, { name: 'Rex' });
    await create(mock, { name: 'Rex', categoryId: 1 });
    expect((await mock.requests.list()).map(({ method, status }) => [method, status])).toEqual([
      ['GET', 200],
      ['POST', 400],
      ['POST', 201],
    ]);
    expect(await mock.requests.count({ operationId: 'createPet', status: 201 })).toBe(1);
    const [refused] = await mock.requests.list({ status: 400 });
    expect(refused).toMatchObject({ atFault: 'client', violations: [{ at: 'body/categoryId', rule: 'required' }] });
    await mock.requests.clear();
    expect(await mock.requests.count()).toBe(0);
  });
});

describe('createPetstoreApp', () => {
  test('answers supertest', async () =>
    expect((await request(createPetstoreApp()).get('/v1/pets').set(KEY)).status).toBe(200));

  test('leaves what is not the API to the app that it is mounted in', async () => {
    const app = express()
      .use(createPetstoreApp())
      .get('/health', (_request, response) => void response.send('well'));
    expect((await request(app).get('/health')).text).toBe('well');
    await request(app).get('/v1/pets').set(KEY).expect(200);
  });

  test('on its own says where the API is', async () => {
    const response = await request(createPetstoreApp()).get('/pets').expect(404);
    expect(response.body).toMatchObject({ message: '/pets is outside the API; the API is at /v1' });
  });

  test('each has pets of its own, which are at hand', async () => {
    const [one, two] = [createPetstoreApp(), createPetstoreApp()];
    await one.pets.clear();
    await request(one).get('/v1/pets').set(KEY).expect(200, []);
    expect([await one.pets.count(), await two.pets.count(), await one.requests.count()]).toEqual([0, 50, 1]);
    await one.reset();
    expect(await one.pets.count()).toBe(50);
  });

  test('throws for an option that only a port of its own could have', () =>
    expect(() => createPetstoreApp({ port: 1 } as never)).toThrow('there is no option port'));
});
