import { expect, test } from 'vitest';
import { startPetstoreMock } from '../../../src/index.js';
import { eventually } from '../../support/eventually.js';
import { startEngine } from './support/redis.js';
import { create, join, send, startReplicas } from './support/replicas.js';

const LONG = 'x'.repeat(60_000);

test('an engine that stands still gets 503 said for it, and all goes on when it does', async () => {
  const [engine, one] = await startReplicas();
  await create(one, 'Rex');
  engine.signal('SIGSTOP');
  expect(await send(one, 'GET', '/pets')).toMatchObject({ status: 503, retryAfter: '1' });
  expect((await fetch(`${one.adminUrl}/ready`)).status).toBe(503);
  engine.signal('SIGCONT');
  await eventually(async () => expect(await send(one, 'GET', '/pets/1')).toMatchObject({ status: 200 }));
  expect((await fetch(`${one.adminUrl}/ready`)).status).toBe(200);
});

test('a process that stands still for longer than it waits reads the answer that came meanwhile', async () => {
  const engine = await startEngine();
  const creating = (await join(engine, { fixtures: 'empty' })).pets.add({ name: 'Rex', categoryId: 1 });
  // The question is sent before the turn of the event loop ends.
  await new Promise((resolve) => setImmediate(resolve));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5500);
  expect(await creating).toMatchObject({ id: 1 });
});

test('an engine that was emptied while it ran gets everything back', async () => {
  const [engine, one, two] = await startReplicas(2);
  await create(one, 'Rex');
  await engine.ask('FLUSHALL');
  await eventually(async () => expect(await send(two, 'GET', '/pets/1')).toMatchObject({ status: 200 }));
  await eventually(async () => expect(await create(one, 'Tom')).toMatchObject({ status: 201, body: { id: 2 } }));
});

test('a stream that was dropped alone is noticed by whoever needs it, and put back', async () => {
  const [engine, one] = await startReplicas();
  await create(one, 'Rex');
  await engine.ask('DEL', '{petstore-mock}:log');
  const two = await join(engine, { fixtures: 'empty' });
  await eventually(async () => expect(await send(two, 'GET', '/pets/1')).toMatchObject({ status: 200 }));
  await eventually(async () => expect(await create(one, 'Tom')).toMatchObject({ status: 201, body: { id: 2 } }));
});

test('an engine without memory for more: changes get 507 and have not happened, and reads go on', async () => {
  const [engine, one] = await startReplicas();
  await create(one, 'Rex');
  await engine.ask('CONFIG', 'SET', 'maxmemory', '1');
  expect(await create(one, 'Tom')).toMatchObject({ status: 507 });
  expect(await send(one, 'GET', '/pets')).toMatchObject({ status: 200 });
  await engine.ask('CONFIG', 'SET', 'maxmemory', '0');
  expect(await create(one, 'Tom')).toMatchObject({ status: 201, body: { id: 2 } });
});

test('a wrong password, a port that nobody listens on, and no URL are told without the password', async () => {
  const engine = await startEngine('--requirepass', 'sesame-open');
  const wrong = startPetstoreMock({ shared: `redis://:s3cret-w0rd@127.0.0.1:${engine.port}/0` });
  await expect(wrong).rejects.toThrow(/^redis at 127\.0\.0\.1:\d+\/0 cannot be used: WRONGPASS/);
  for (const url of [
    'redis://:s3cret-w0rd@',
    'redis://u:s3cret-w0rd%@h/0',
    'redis://u:s3cret-w0rd@h/one',
    'u:s3cret-w0rd@h',
  ]) {
    const rejected = await startPetstoreMock({ shared: url }).catch((error: unknown) => String(error));
    expect(rejected).toContain('shared');
    expect(rejected).not.toContain('s3cret');
  }
  const both = startPetstoreMock({ shared: 'redis://h', data: './d' });
  await expect(both).rejects.toThrow('data and shared exclude each other');
  const mock = await join({ ...engine, url: `redis://:sesame-open@127.0.0.1:${engine.port}/3?prefix=other` });
  expect(await mock.pets.count()).toBe(50);
});

test('the stream stays short while much is written, and a replica that comes later has everything', async () => {
  const engine = await startEngine();
  const one = await join(engine, { fixtures: 'empty', maxMemory: 64 });
  for (let turn = 0; turn < 120; turn++) {
    expect((await send(one, 'POST', '/pets', { name: `${turn} ${LONG}`, categoryId: 1 })).status).toBe(201);
  }
  expect(Number((await engine.ask('XLEN', '{petstore-mock}:log')).slice(1))).toBeLessThan(120);
  const two = await join(engine, { fixtures: 'empty', maxMemory: 64 });
  expect(await two.pets.count()).toBe(await one.pets.count());
});
