import { renameSync, rmSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { followFiles, noteFiles } from '../../../src/cli/mock/follow-files.js';
import { contract, MORE, useWatched } from '../support/watched-mock.js';

const on = useWatched();

test('a change of the contract is live, and what clients created is kept where it allows it', async () => {
  on.write('api.yaml', contract(20));
  await on.start('--spec', on.file('api.yaml'), '--fixtures', 'empty');
  await on.create('Rex');
  await on.create('Bartholomew');
  on.write('api.yaml', contract(5, MORE));
  await on.waitForEvents(1);
  expect(on.events[0]).toMatchObject({ loaded: true, moved: { kept: 1, dropped: [{ record: 'pets 2' }] } });
  expect(on.events[0]?.message).toMatch(
    /1 of 2 created records are kept\. pets 2 is dropped: name must .*api\.yaml:\d+:\d+\)\.$/,
  );
  expect(on.news.lost).toMatch(/^pets 2 is dropped/);
  expect(await on.listNames()).toEqual(['Rex']);
  expect((await on.ask('/health')).status).toBe(204);
  expect((await on.create('Bartholomew')).status).toBe(400);
  expect(on.news).toMatchObject({ revision: 1, problem: undefined });
});

test('a document that cannot be used is told with file and line, and the last good one is served until it can', async () => {
  on.write('api.yaml', contract(20));
  await on.start('--spec', on.file('api.yaml'), '--fixtures', 'empty');
  await on.create('Rex');
  on.write('api.yaml', `${contract(20)}  : [`);
  await on.waitForEvents(1);
  expect(on.events[0]?.loaded).toBe(false);
  expect(on.events[0]?.message).toMatch(/api\.yaml:\d+.*The previous version is still served\.$/s);
  expect(on.news.problem).toBe(on.events[0]?.message);
  expect(await on.listNames()).toEqual(['Rex']);
  on.write('api.yaml', contract(20, MORE));
  await on.waitForEvents(2);
  expect(on.news.problem).toBeUndefined();
  expect([await on.listNames(), (await on.ask('/health')).status]).toEqual([['Rex'], 204]);
});

test('a file that an editor replaces is followed', async () => {
  on.write('api.yaml', contract(20));
  await on.start('--spec', on.file('api.yaml'), '--fixtures', 'empty');
  for (const [count, more] of [MORE, ''].entries()) {
    on.write('.api.yaml.swp', contract(20, more));
    renameSync(on.file('.api.yaml.swp'), on.file('api.yaml'));
    await on.waitForEvents(count + 1);
  }
  expect((await on.ask('/health')).status).toBe(404);
});

test('fixtures, profile and config are followed, and what only a start can change is told', async () => {
  on.write('pack.yaml', 'pets: [{ name: Rex, categoryId: 1 }]\n');
  on.write('mock.yaml', 'fixtures: pack.yaml\n');
  await on.start('--config', on.file('mock.yaml'));
  await on.ask('/pets', { method: 'POST', body: '{"name":"Max","categoryId":1}' });
  on.write('pack.yaml', 'pets: [{ name: Tux, categoryId: 1 }]\n');
  await on.waitForEvents(1);
  expect(await on.listNames()).toEqual(['Max', 'Tux']);
  on.write('mock.yaml', 'fixtures: pack.yaml\nport: 4999\nfault: "listPets:503"\n');
  await on.waitForEvents(2);
  expect(on.events[1]?.message).toMatch(/mock\.yaml changed and is loaded\./);
  expect((await on.ask('/pets')).status).toBe(503);
  on.write('mock.yaml', '# None\nfixtures: pack.yaml\n');
  await on.waitForEvents(3);
  on.write('mock.yaml', '# One\nfixtures: gone.yaml\n');
  await on.waitForEvents(4);
  expect(on.events[3]).toMatchObject({ loaded: false, message: expect.stringMatching(/mock\.yaml:2.*gone\.yaml/s) });
  expect(await on.listNames()).toEqual(['Max', 'Tux']);
  // It is followed before it is there.
  on.write('gone.yaml', 'pets: [{ name: Ada, categoryId: 1 }]\n');
  await on.waitForEvents(5);
  expect(await on.listNames()).toEqual(['Ada', 'Max']);
});

test('journal, faults and choices stay, and the worlds too', async () => {
  on.write('api.yaml', contract(20));
  await on.start('--spec', on.file('api.yaml'), '--fixtures', 'empty');
  const inWorld = '/../worlds/w/v1/pets';
  await on.ask(inWorld, { method: 'POST', body: '{"name":"Rex"}' });
  await on.admin('/faults', { method: 'POST', body: '{"operationId":"listPets","effect":{"status":503}}' });
  on.write('api.yaml', contract(20, MORE));
  await on.waitForEvents(1);
  expect((await on.ask('/pets')).status).toBe(503);
  expect(await (await on.admin('/worlds')).json()).toEqual({ worlds: ['default', 'w'] });
  expect(await (await on.admin('/requests/count?world=w')).json()).toEqual({ count: 1 });
  expect(await (await on.ask(`${inWorld}/1`)).json()).toEqual({ id: 1, name: 'Rex' });
});

test('a file is a change when its text is another or it stays away, not when it is touched, moved for a moment, or no longer followed', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const path = on.file('a');
  const seen: string[] = [];
  on.write('a', '1');
  const following = followFiles((paths) => seen.push(...paths));
  following.follow([path]);
  const changesAfter = (ms: number, change: () => void): number => {
    change();
    vi.advanceTimersByTime(ms);
    return seen.splice(0).length;
  };
  expect(changesAfter(60_000, () => on.write('a', '1'))).toBe(0);
  expect(changesAfter(200, () => rmSync(path))).toBe(0);
  expect(changesAfter(60_000, () => on.write('a', '1'))).toBe(0);
  expect(changesAfter(60_000, () => on.write('a', '2'))).toBe(1);
  expect(changesAfter(60_000, () => rmSync(path))).toBe(1);
  following.follow([]);
  expect(changesAfter(60_000, () => on.write('a', '3'))).toBe(0);
});

test('what is written between the reading of a file and the first look at it is a change', async () => {
  on.write('late.yaml', 'a: 1');
  const path = on.file('late.yaml');
  const seen = noteFiles([path]);
  on.write('late.yaml', 'a: 2');
  const changed: string[] = [];
  const following = followFiles((paths) => changed.push(...paths), seen);
  following.follow([path]);
  await expect.poll(() => changed).toEqual([path]);
  following.follow([]);
});
