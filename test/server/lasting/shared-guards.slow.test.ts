import { expect, test } from 'vitest';
import type { ListeningOptions, PetstoreMock } from '../../../src/index.js';
import { packageFile } from '../../../src/package-files.js';
import { BEGIN, TURN } from '../../../src/server/lasting/shared/scripts.js';
import { eventually } from '../../support/eventually.js';
import { startEngine } from './support/redis.js';
import { create, join, send, type Answered, startReplicas } from './support/replicas.js';

const HEAD = '{petstore-mock}:head';
const PASSWORD = 's3cret-w0rd';

const OTHERS: Record<string, ListeningOptions> = {
  contract: { spec: packageFile('examples/store-orders/petstore.openapi.yaml') },
  profile: { profile: { gaps: { 'list-order': 'oldest-first' } } },
  delay: { delay: 1 },
  date: { now: '2030-01-01' },
  faults: { faults: [{ effect: { status: 503 } }] },
  'max-pets': { maxPets: 60 },
};

test('a replica with another contract, profile, delay, date, fault or limit is refused, and told what to do', async () => {
  const engine = await startEngine();
  const one = await join(engine);
  for (const [part, options] of Object.entries(OTHERS)) {
    const rejected = join(engine, options);
    await expect(rejected).rejects.toThrow(
      `cannot use ${engine.shown}: other replicas run, or ran, with another ${part} (`,
    );
    await expect(rejected).rejects.toThrow('All replicas must have the same version and settings.');
  }
  expect(await create(one, 'Rex')).toMatchObject({ status: 201 });
});

test('a replica of another version is refused, also after those of the old one have ended, and begins elsewhere with what was saved', async () => {
  const engine = await startEngine();
  const one = await join(engine);
  await create(one, 'Rex');
  const written = /\{.*\}/.exec(await engine.ask('HGET', HEAD, 'fingerprint'))?.[0] ?? '';
  const older = { ...(JSON.parse(written) as object), 'version of petstore-mock': '0.9.0' };
  await engine.ask('HSET', HEAD, 'fingerprint', JSON.stringify(older));
  const saved = await (await fetch(`${one.adminUrl}/fixtures`)).text();
  await one.close();
  await expect(join(engine)).rejects.toThrow(
    /another version of petstore-mock \(there: 0\.9\.0, here: [\d.]+\)\. All replicas must have the same version and settings\. For an upgrade .* another \?prefix=/,
  );
  const next = await join({ ...engine, url: `${engine.url}?prefix=next` });
  const headers = { 'content-type': 'application/json' };
  expect((await fetch(`${next.adminUrl}/fixtures`, { method: 'PUT', headers, body: saved })).status).toBe(204);
  expect(await send(next, 'GET', '/pets/51')).toMatchObject({ status: 200, body: { name: 'Rex' } });
});

test('a replica that others have left behind with another version says so, is not ready, and follows them once it can', async () => {
  const [engine, one] = await startReplicas();
  const written = /\{.*\}/.exec(await engine.ask('HGET', HEAD, 'fingerprint'))?.[0] ?? '';
  const newer = { ...(JSON.parse(written) as object), 'version of petstore-mock': '9.0.0' };
  await engine.ask('HSET', HEAD, 'fingerprint', JSON.stringify(newer), 'epoch', '9-other', 'n', '9');
  const message = expect.stringContaining('another version of petstore-mock (there: 9.0.0, here:');
  expect(await send(one, 'GET', '/pets')).toMatchObject({ status: 503, body: { message } });
  expect((await fetch(`${one.adminUrl}/ready`)).status).toBe(503);
  await engine.ask('HSET', HEAD, 'fingerprint', written);
  expect(await create(one, 'Rex')).toMatchObject({ status: 201 });
  expect((await fetch(`${one.adminUrl}/ready`)).status).toBe(200);
});

test('a user who may do what the docs list, and below the prefix alone, is enough', async () => {
  const engine = await startEngine();
  const groups = ['@hash', '@list', '@stream', '@sortedset'];
  const commands = ['ping', 'info', 'time', 'eval', 'evalsha', 'del', 'exists', 'expire', 'pexpire', 'persist'];
  const rules = ['~{petstore-mock}:*', '-@all', ...[...groups, ...commands].map((each) => `+${each}`)];
  await engine.ask('ACL', 'SETUSER', 'team', 'on', `>${PASSWORD}`, ...rules);
  const as = { ...engine, url: `redis://team:${PASSWORD}@127.0.0.1:${engine.port}/0` };
  const one = await join(as, { fixtures: 'empty' });
  const two = await join(as, { fixtures: 'empty' });
  expect(await create(one, 'Rex')).toMatchObject({ status: 201 });
  expect(await two.requests.waitFor({ operationId: 'createPet' }, { timeout: 200_000 })).toHaveLength(1);
  await two.world('w1').snapshots.save('early');
  await two.reset();
  expect(await one.pets.count()).toBe(0);
  const denied = [...(await engine.ask('ACL', 'LOG')).matchAll(/object\r\n\$\d+\r\n(.*)/g)].map(([, what]) => what);
  expect(new Set(denied)).toEqual(new Set(['config|get']));
});

test('a user who may not touch the keys is refused with the sentence of the engine, and a part of the rights is not enough to change anything', async () => {
  const engine = await startEngine();
  const as = { ...engine, url: `redis://team:${PASSWORD}@127.0.0.1:${engine.port}/0` };
  await engine.ask('ACL', 'SETUSER', 'team', 'on', `>${PASSWORD}`, '~other:*', '+@all');
  await expect(join(as)).rejects.toThrow(/^redis at 127\.0\.0\.1:\d+\/0 refuses: NOPERM [^.]*\.$/);
  await engine.ask('ACL', 'SETUSER', 'team', 'on', `>${PASSWORD}`, '~*', '+@all', '-xadd');
  const one = await join(as, { fixtures: 'empty' });
  const refused = await create(one, 'Rex');
  expect(refused).toMatchObject({ status: 503 });
  expect(refused.body.message).not.toContain(PASSWORD);
  expect(await one.pets.count()).toBe(0);
});

test('a password that changes while replicas run: 503 without it, and all goes on once it is right again', async () => {
  const engine = await startEngine();
  await engine.ask('ACL', 'SETUSER', 'team', 'on', `>${PASSWORD}`, '~*', '+@all');
  const one = await join({ ...engine, url: `redis://team:${PASSWORD}@127.0.0.1:${engine.port}/0` });
  await engine.ask('ACL', 'SETUSER', 'team', 'resetpass', '>another');
  await engine.ask('CLIENT', 'KILL', 'USER', 'team');
  const refused = await eventually(async () => {
    const answer = await send(one, 'GET', '/pets/1');
    expect(answer).toMatchObject({ status: 503, body: { message: expect.stringContaining('WRONGPASS') } });
    return answer;
  });
  const health = await (await fetch(`${one.adminUrl}/health`)).text();
  expect(JSON.stringify(refused) + health).not.toContain(PASSWORD);
  await engine.ask('ACL', 'SETUSER', 'team', `>${PASSWORD}`);
  await eventually(async () => expect(await send(one, 'GET', '/pets/1')).toMatchObject({ status: 200 }));
});

test('a copy of an engine that only reads is refused, and an engine that becomes one takes no changes', async () => {
  const engine = await startEngine();
  const copy = await startEngine('--replicaof', `127.0.0.1 ${engine.port}`);
  await expect(join(copy)).rejects.toThrow(
    /^redis at 127\.0\.0\.1:\d+\/0 cannot be used: READONLY You can't write against a read only replica\.$/,
  );
  const one = await join(engine, { fixtures: 'empty' });
  await create(one, 'Rex');
  await engine.ask('REPLICAOF', '127.0.0.1', '1');
  expect(await create(one, 'Tom')).toMatchObject({ status: 503, body: { message: expect.stringMatching(/replica$/) } });
  await engine.ask('REPLICAOF', 'NO', 'ONE');
  expect(await create(one, 'Ida')).toMatchObject({ status: 201, body: { id: 2 } });
});

test('a turn that changes more than can be kept at once gets 507 and has not happened, and the others go on', async () => {
  const [, one] = await startReplicas();
  // Six characters each, as JSON writes them.
  const name = '\u0001'.repeat(36_000_000);
  await expect(one.pets.add({ name, categoryId: 1 })).rejects.toThrow('the change is too large to be stored');
  expect(await create(one, 'Rex')).toMatchObject({ status: 201, body: { id: 1 } });
});

test('whoever is far behind gets long changes in several answers', async () => {
  const [engine, one] = await startReplicas();
  await engine.ask('HSET', HEAD, 'writer', 'nobody', 'writes', `${Date.now() + 500_000}`);
  for (const letter of 'abcd') await one.pets.add({ name: letter.repeat(5_000_000), categoryId: 1 });
  const [, epoch = ''] = /(1-.*)\r\n$/.exec(await engine.ask('HGET', HEAD, 'epoch')) ?? [];
  const asked = [epoch, '0', '', 'somebody', '0', '500'];
  const answer = await engine.ask('EVAL', TURN, '2', HEAD, '{petstore-mock}:log', ...asked);
  // Four words, and two of the changes.
  expect(answer).toMatch(/^\*6\r\n\$6\r\nbehind\r\n/);
  expect(await (await join(engine)).pets.count()).toBe(4);
});

test('replicas that begin at the same moment have one history', async () => {
  const engine = await startEngine();
  const begin = async (fixtures: string): Promise<[PetstoreMock, Answered]> => {
    const mock = await join(engine, { fixtures });
    return [mock, await create(mock, 'the first')];
  };
  const begun = await Promise.all(['empty', 'default', 'empty', 'default'].map(begin));
  expect(new Set(begun.map(([, { body }]) => body.id)).size).toBe(4);
  const lists = await Promise.all(begun.map(([mock]) => mock.pets.list()));
  for (const list of lists) expect(list).toEqual(lists[0]);
  expect(lists[0]?.filter(({ name }) => name === 'the first')).toHaveLength(4);
  expect(await engine.ask('HGET', HEAD, 'n')).toBe('$1\r\n1\r\n');
});

test('a replica that would begin when another has begun comes too late, and changes nothing', async () => {
  const [engine, one] = await startReplicas();
  await create(one, 'Rex');
  const [, run = ''] = /run_id:(\w+)/.exec(await engine.ask('INFO', 'server')) ?? [];
  await engine.ask('RPUSH', '{petstore-mock}:image:own', '[{"do":"begin"}]');
  const keys = ['head', 'log', 'back', 'image:own'].map((name) => `{petstore-mock}:${name}`);
  const head = ['epoch', '1-own', 'n', '1', 'seq', '0', 'imageseq', '0', 'chunks', '1'];
  expect(await engine.ask('EVAL', BEGIN, '4', ...keys, run, ...head)).toBe('$4\r\nlate\r\n');
  expect(await send(one, 'GET', '/pets/1')).toMatchObject({ status: 200, body: { name: 'Rex' } });
});

test('a world that is dropped through one replica while another reads it: no read fails', async () => {
  const engine = await startEngine();
  const one = await join(engine);
  const two = await join(engine);
  for (let round = 0; round < 5; round++) {
    await one.world('w1').pets.clear();
    const reading = Array.from({ length: 40 }, () => send(two, 'GET', '/pets', undefined, 'w1'));
    await one.world('w1').drop();
    for (const { status } of await Promise.all(reading)) expect(status).toBe(200);
    // A world that is asked for again begins anew.
    expect(await two.world('w1').pets.count()).toBe(50);
    expect(await one.worlds()).toContain('w1');
  }
});
