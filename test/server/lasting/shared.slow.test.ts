import { expect, test } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { startEngine } from './support/redis.js';
import { create, join, send, startReplicas } from './support/replicas.js';

test('what is created through one replica is in the next answer of every other, and keys go on', async () => {
  const [, one, two] = await startReplicas(2);
  expect(await create(one, 'Rex')).toMatchObject({ status: 201, body: { id: 1 } });
  expect(await send(two, 'GET', '/pets/1')).toMatchObject({ status: 200, body: { name: 'Rex' } });
  expect(await create(two, 'Tom')).toMatchObject({ status: 201, body: { id: 2 } });
  expect((await one.pets.list()).map(({ name }) => name)).toEqual(['Tom', 'Rex']);
  await two.reset();
  expect(await one.pets.count()).toBe(0);
});

test('the exchanges of all replicas are in the journal of each, and a cleared one is cleared everywhere', async () => {
  const engine = await startEngine();
  const one = await join(engine);
  const two = await join(engine, { apiKey: 'petstore-dev-key' });
  const waiting = two.requests.waitFor({ operationId: 'createPet' }, { timeout: 200_000 });
  await create(one, 'Rex');
  expect(await waiting).toMatchObject([{ method: 'POST', status: 201, request: { body: { name: 'Rex' } } }]);
  await send(two, 'GET', '/pets/1');
  await eventually(async () => expect(await one.requests.count()).toBe(2));
  await two.requests.clear();
  expect(await one.requests.count()).toBe(0);
});

test('worlds, faults, clock, delay, profile, snapshots and fixtures are those of all replicas', async () => {
  const engine = await startEngine();
  const one = await join(engine, { now: '2030-01-01' });
  const two = await join(engine, { now: '2030-01-01' });
  const world = one.world('w1');
  await world.snapshots.save('early');
  await world.pets.clear();
  await world.faults.add({ operationId: 'listPets', effect: { status: 503 }, times: 2 });
  await world.clock.freeze('2031-01-01');
  await world.delay.set(7);
  await world.profile.choose({ 'list-order': 'oldest-first' });
  const there = two.world('w1');
  expect(await two.worlds()).toEqual(['default', 'w1']);
  expect(await there.pets.count()).toBe(0);
  await fetch(`${there.url}/pets`, { headers: { authorization: 'Bearer petstore-dev-key' } });
  expect(await world.faults.list()).toMatchObject([{ id: 'fault-1', hits: 1 }]);
  expect(await there.clock.now()).toEqual(new Date('2031-01-01'));
  expect(await there.delay.get()).toEqual({ from: 7, to: 7 });
  expect((await there.profile.get()).choices['list-order']).toBe('oldest-first');
  await there.snapshots.restore('early');
  expect(await world.pets.count()).toBe(50);
  await two.useFixtures('empty');
  expect(await one.pets.count()).toBe(0);
  await there.drop();
  expect(await one.worlds()).toEqual(['default']);
});
