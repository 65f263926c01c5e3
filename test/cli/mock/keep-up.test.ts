import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { followFiles, noteFiles } from '../../../src/cli/mock/follow-files.js';
import { createProgressTeller } from '../../../src/cli/mock/keep-up.js';
import { serve } from '../../support/serve.js';
import { contract, MORE, useWatched } from '../support/watched-mock.js';

const on = useWatched();

const post = (path: string, body: object): Promise<Response> =>
  on.admin(path, { method: 'POST', body: JSON.stringify(body) });
const read = async (path: string): Promise<unknown> => (await on.admin(path)).json();
const statusOf = async (given: string): Promise<number> => (await on.create(given)).status;

async function startWith(text: string): Promise<void> {
  on.write('api.yaml', text);
  await on.start('--spec', on.file('api.yaml'), '--fixtures', 'empty');
}

/** Writes a file, and waits for the event that comes of it. */
async function change(name: string, text: string): Promise<(typeof on.events)[number] | undefined> {
  const { length } = on.events;
  on.write(name, text);
  await on.waitForEvents(length + 1);
  return on.events[length];
}

test('a change of the contract is live, and what clients created is kept where it allows it', async () => {
  await startWith(contract(20));
  await on.create('Rex');
  await on.create('Bartholomew');
  const event = await change('api.yaml', contract(5, MORE));
  expect(event).toMatchObject({ loaded: true, moved: { kept: 1, dropped: [{ record: 'pets 2' }] } });
  expect(event?.message).toMatch(
    /1 of 2 created records are kept\. pets 2 is dropped: name must .*api\.yaml:\d+:\d+\)\.$/,
  );
  expect(on.news.lost).toMatch(/^pets 2 is dropped/);
  expect([await on.listNames(), (await on.ask('/health')).status]).toEqual([['Rex'], 204]);
  expect(await statusOf('Bartholomew')).toBe(400);
  expect(on.news).toMatchObject({ revision: 1, problem: undefined });
});

test('a document that cannot be used is told with file and line, and the last good one is served until it can', async () => {
  await startWith(contract(20));
  await on.create('Rex');
  const event = await change('api.yaml', `${contract(20)}  : [`);
  expect(event?.loaded).toBe(false);
  expect(event?.message).toMatch(/api\.yaml:\d+.*The previous version is still served\.$/s);
  expect(on.news.problem).toBe(event?.message);
  expect(await on.listNames()).toEqual(['Rex']);
  await change('api.yaml', contract(20, MORE));
  expect(on.news.problem).toBeUndefined();
  expect([await on.listNames(), (await on.ask('/health')).status]).toEqual([['Rex'], 204]);
});

test('a file that an editor replaces is followed', async () => {
  await startWith(contract(20));

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
  await change('pack.yaml', 'pets: [{ name: Tux, categoryId: 1 }]\n');
  expect(await on.listNames()).toEqual(['Max', 'Tux']);
  const loaded = await change('mock.yaml', 'fixtures: pack.yaml\nport: 4999\nfault: "listPets:503"\n');
  expect(loaded?.message).toMatch(/mock\.yaml changed and is loaded\./);
  expect((await on.ask('/pets')).status).toBe(503);
  await change('mock.yaml', '# None\nfixtures: pack.yaml\n');
  const gone = await change('mock.yaml', '# One\nfixtures: gone.yaml\n');
  expect(gone).toMatchObject({ loaded: false, message: expect.stringMatching(/mock\.yaml:2.*gone\.yaml/s) });
  expect(await on.listNames()).toEqual(['Max', 'Tux']);
  // It is followed before it is there.
  await change('gone.yaml', 'pets: [{ name: Ada, categoryId: 1 }]\n');
  expect(await on.listNames()).toEqual(['Ada', 'Max']);
  const wrong = await change('mock.yaml', 'fixtures: empty\nfault: "listPats:503"\n');
  expect(wrong).toMatchObject({ loaded: false, message: expect.stringMatching(/mock\.yaml:2.*listPats/) });
});

test('journal, snapshots, faults with their hits, and worlds stay, and what no longer fits is told', async () => {
  await startWith(contract(20, MORE));
  const inWorld = '/../worlds/w/v1/pets';
  await on.ask(inWorld, { method: 'POST', body: '{"name":"Rex"}' });
  await on.create('Rex');
  await on.create('Bartholomew');
  await on.admin('/snapshots/before', { method: 'PUT', body: '{}' });
  await on.admin('/pets', { method: 'DELETE' });
  await post('/faults', { operationId: 'getHealth', effect: { status: 503 } });
  await post('/faults', { operationId: 'listPets', effect: { status: 503 }, times: 2 });
  await on.ask('/pets');
  await change('api.yaml', contract(5));
  expect(on.news.lost).toMatch(/The fault fault-1 was dropped: .*getHealth.*api\.yaml:\d+/);
  expect(on.news.lost).toMatch(/The snapshot before lacks 1 of its pets: name must .*api\.yaml:\d+/);
  expect(await read('/faults')).toMatchObject([{ id: 'fault-2', hits: 1 }]);
  await post('/faults', { operationId: 'getPet', effect: { status: 504 } });
  expect(await read('/faults')).toMatchObject([{ id: 'fault-2' }, { id: 'fault-3' }]);
  expect(await read('/snapshots')).toEqual({ snapshots: ['before'] });
  await post('/snapshots/before/restore', {});
  expect(await read('/pets')).toMatchObject([{ name: 'Rex' }]);
  expect(await read('/worlds')).toEqual({ worlds: ['default', 'w'] });
  expect(await read('/requests/count?world=w')).toEqual({ count: 1 });
  expect(await (await on.ask(`${inWorld}/1`)).json()).toEqual({ id: 1, name: 'Rex' });
});

test('faults, clock and delay of the config are followed, and what clients set stays where it says what it said', async () => {
  on.write('mock.yaml', 'fixtures: empty\nfault: "listPets:503"\nnow: 2030-01-01\n');
  await on.start('--config', on.file('mock.yaml'));
  await post('/faults', { operationId: 'getPet', effect: { status: 504 } });
  await change('mock.yaml', 'fixtures: empty\nfault: "createPet:500"\nnow: 2031-01-01\ndelay: 3\n');
  expect(await read('/faults')).toMatchObject([{ operationId: 'createPet' }, { operationId: 'getPet' }]);
  expect(await read('/clock')).toMatchObject({ now: expect.stringMatching(/^2031-01-01/) });
  expect(on.news.lost).toMatch(/^The clock starts anew, at 2031-01-01/);
  await on.admin('/faults', { method: 'DELETE' });
  await post('/clock/set', { date: '2040-01-01' });
  await change('mock.yaml', 'fixtures: empty\nfault: "createPet:500"\nnow: 2031-01-01\ndelay: 3\nmax-pets: 10\n');
  expect(await read('/faults')).toEqual([]);
  expect(await read('/clock')).toMatchObject({ now: expect.stringMatching(/^2040-01-01/) });
  expect(on.news.lost).toBeUndefined();
});

test('a choice that a client made stays, but where the profile says something else now', async () => {
  const profile = (order: string): string => `gaps:\n  list-order: ${order}\n`;
  on.write('team.yaml', profile('newest-first'));
  await on.start('--profile', on.file('team.yaml'), '--fixtures', 'empty');
  await on.admin('/profile', { method: 'PATCH', body: '{"choices":{"status-omitted":"sold"}}' });
  await change('team.yaml', `# The same.\n${profile('newest-first')}`);
  expect(await read('/profile')).toMatchObject({ choices: { 'status-omitted': 'sold' } });
  await change('team.yaml', profile('oldest-first'));
  expect(await read('/profile')).toMatchObject({ choices: { 'status-omitted': 'sold', 'list-order': 'oldest-first' } });
});

test('a contract at a URL is followed: a change is live, and what cannot be used leaves the last good one', async () => {
  let text: string | undefined = contract(20);
  const origin = await serve((_, response) => response.writeHead(text === undefined ? 500 : 200).end(text));
  const url = `${origin}/api.yaml`;
  const give = async (next: string | undefined): Promise<void> => {
    text = next;
    await on.waitForEvents(on.events.length + 1);
  };
  await on.start('--spec', url.replace('//', '//rex:s3cret@'), '--fixtures', 'empty');
  await on.create('Rex');
  await give(contract(20, MORE));
  expect((await on.ask('/health')).status).toBe(204);
  await give('<html></html>');
  expect(on.news.problem).toMatch(/web page.*The previous version is still served\.$/);
  await give(undefined);
  expect(on.news.problem).toMatch(/the response is 500\. The previous version is still served\.$/);
  expect([await on.listNames(), (await on.ask('/health')).status]).toEqual([['Rex'], 204]);
  await give(contract(20));

  expect([on.news.problem, (await on.ask('/health')).status]).toEqual([undefined, 404]);
  expect(on.events.map(({ loaded }) => loaded)).toEqual([true, false, false, true]);
  expect(on.events[3]?.files).toEqual([url]);
  expect(JSON.stringify([on.events, on.news])).not.toContain('s3cret');
});

/** The contract with the schema of a pet in a file of its own, and that of its name in yet another. */
const SPLIT = contract(0).replace(/ {4}Pet:\n[^]*$/, "    Pet: { $ref: 'parts/pet.yaml' }\n");
const PET =
  'type: object\nrequired: [name]\nproperties: { id: { type: integer, readOnly: true }, name: { $ref: name.yaml } }\n';
const name = (longest: number): string => `{ type: string, maxLength: ${longest} }\n`;

async function startSplit(): Promise<void> {
  mkdirSync(on.file('parts'));
  on.write('parts/pet.yaml', PET);
  on.write('parts/name.yaml', name(5));
  await startWith(SPLIT);
}

test('a file that another part of the contract refers to is followed, and told with its line if it cannot be read', async () => {
  await startSplit();
  expect(await statusOf('Bartholomew')).toBe(400);
  const wrong = await change('parts/name.yaml', '{ type: string,\n  maxLength: [\n');
  expect(wrong).toMatchObject({ loaded: false, message: expect.stringMatching(/parts\/name\.yaml:\d+/) });
  expect(await statusOf('Bartholomew')).toBe(400);
  const right = await change('parts/name.yaml', name(20));
  expect(right?.files).toEqual([on.file('parts/name.yaml')]);
  expect(await statusOf('Bartholomew')).toBe(201);
});

test('a part that is referred to before it is there is followed, and what is gone is told', async () => {
  await startSplit();
  const early = await change('parts/pet.yaml', PET.replace('name.yaml', 'title.yaml'));
  expect(early).toMatchObject({ loaded: false, message: expect.stringContaining('title.yaml') });
  await change('parts/title.yaml', name(20));
  expect(await statusOf('Bartholomew')).toBe(201);
  renameSync(on.file('api.yaml'), on.file('other.yaml'));
  await on.waitForEvents(3);
  const gone = { loaded: false, message: expect.stringContaining('there is no such file') };
  expect(on.events[2]).toMatchObject(gone);

  expect(await statusOf('Max')).toBe(201);
  renameSync(on.file('other.yaml'), on.file('api.yaml'));
  await on.waitForEvents(4);
  expect(on.news.problem).toBeUndefined();
});

test('a link that is made to lead elsewhere is followed', async () => {
  for (const [folder, longest] of [
    ['one', 5],
    ['two', 20],
  ] as const) {
    mkdirSync(on.file(folder));
    on.write(`${folder}/api.yaml`, contract(longest));
  }
  symlinkSync('one', on.file('data'));
  await on.start('--spec', on.file('data/api.yaml'), '--fixtures', 'empty');
  rmSync(on.file('data'));
  symlinkSync('two', on.file('data'));
  await on.waitForEvents(1);
  expect(await statusOf('Bartholomew')).toBe(201);
});

test('what is odd in a document since it changed is told', async () => {
  await startWith(contract(20));
  await change('api.yaml', contract(20).replace('type: string, maxLength', 'type: strong, maxLength'));
  expect(on.news.lost).toMatch(/api\.yaml:\d+/);
});

test('a file is a change when its text is another or it stays away, not when it is touched, moved for a moment, or no longer followed', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const path = on.file('a');
  const seen: string[] = [];
  on.write('a', '1');
  const following = followFiles((paths) => seen.push(...paths));
  following.follow([path]);
  const changesAfter = (ms: number, act: () => void): number => {
    act();
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

test('a long generation is told once a second, and a short one not at all', () => {
  let ms = 0;
  const told: string[] = [];
  const tell = createProgressTeller(
    (message) => void told.push(message),
    () => ms,
  );
  for (; ms < 2500; ms += 100) tell({ made: ms, total: 2500 });
  expect(told).toEqual([
    'generated 1000 of 2500 pets; press Ctrl-C to stop.',
    'generated 2000 of 2500 pets; press Ctrl-C to stop.',
  ]);
});
