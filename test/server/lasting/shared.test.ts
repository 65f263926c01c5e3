import { expect, onTestFinished, test } from 'vitest';
import { startPetstoreMock, type ListeningOptions, type PetstoreMock } from '../../../src/index.js';
import { eventually } from '../../support/eventually.js';
import { startEngine, type TestEngine } from './support/redis.js';

const AUTHORIZATION = 'Bearer petstore-dev-key';

async function join({ url }: TestEngine, options: ListeningOptions = {}): Promise<PetstoreMock> {
  const mock = await startPetstoreMock({ shared: url, ...options });
  onTestFinished(() => mock.close());
  return mock;
}

async function send(mock: PetstoreMock, method: string, path: string, body?: unknown) {
  const response = await fetch(`${mock.url}${path}`, {
    method,
    headers: { authorization: AUTHORIZATION, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: text === '' ? undefined : JSON.parse(text),
    retryAfter: response.headers.get('retry-after'),
  };
}
const create = (mock: PetstoreMock, name: string) => send(mock, 'POST', '/pets', { name, categoryId: 1 });

test('what is created through one replica is in the next answer of every other, and keys go on', async () => {
  const engine = await startEngine();
  const one = await join(engine, { fixtures: 'empty' });
  const two = await join(engine, { fixtures: 'empty' });
  expect(await create(one, 'Rex')).toMatchObject({ status: 201, body: { id: 1 } });
  expect(await send(two, 'GET', '/pets/1')).toMatchObject({ status: 200, body: { name: 'Rex' } });
  expect(await create(two, 'Tom')).toMatchObject({ status: 201, body: { id: 2 } });
  expect((await one.pets.list()).map(({ name }) => name)).toEqual(['Tom', 'Rex']);
  await two.reset();
  expect(await one.pets.count()).toBe(0);
}, 60_000);

test('creates through all replicas at once: each is there once, with an id of its own', async () => {
  const engine = await startEngine();
  const mocks = [
    await join(engine, { fixtures: 'empty' }),
    await join(engine, { fixtures: 'empty' }),
    await join(engine, { fixtures: 'empty' }),
  ];
  const answers = await Promise.all(
    Array.from({ length: 900 }, (_, index) => create(mocks[index % 3] as PetstoreMock, `pet ${index}`)),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(900);
  for (const mock of mocks) expect(await mock.pets.count()).toBe(900);
}, 120_000);

test('an engine that comes back empty gets its data from a replica', async () => {
  const engine = await startEngine();
  const one = await join(engine, { fixtures: 'empty' });
  const two = await join(engine, { fixtures: 'empty' });
  await create(one, 'Rex');
  await engine.kill();
  const refused = await create(one, 'Tom');
  expect(refused).toMatchObject({
    status: 503,
    body: { message: expect.stringContaining('cannot be reached') },
    retryAfter: '1',
  });
  await engine.start();
  await eventually(async () => expect((await send(two, 'GET', '/pets/1')).body).toMatchObject({ name: 'Rex' }));
  await eventually(async () => expect(await create(two, 'Ida')).toMatchObject({ status: 201, body: { id: 2 } }));
  expect((await one.pets.list()).map(({ name }) => name)).toEqual(['Ida', 'Rex']);
}, 120_000);

test('another contract is refused with a sentence', async () => {
  const engine = await startEngine();
  await join(engine);
  await expect(join(engine, { delay: 1 })).rejects.toThrow('it runs with another delay (there: 0, here:');
}, 60_000);

test('the exchanges of all replicas are in the journal of each, and a cleared one is cleared everywhere', async () => {
  const engine = await startEngine();
  const one = await join(engine);
  const two = await join(engine, { apiKey: 'petstore-dev-key' });
  const waiting = two.requests.waitFor({ operationId: 'createPet' }, { timeout: 60_000 });
  await create(one, 'Rex');
  expect(await waiting).toMatchObject([{ method: 'POST', status: 201, request: { body: { name: 'Rex' } } }]);
  await send(two, 'GET', '/pets/1');
  await eventually(async () => expect(await one.requests.count()).toBe(2));
  await two.requests.clear();
  expect(await one.requests.count()).toBe(0);
}, 60_000);
