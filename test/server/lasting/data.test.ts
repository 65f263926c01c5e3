import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { startPetstoreMock, type ListeningOptions, type PetstoreMock } from '../../../src/index.js';
import { openLevel, readLevel } from '../../../src/server/lasting/level-log.js';
import type { Lasting } from '../../../src/server/lasting/data-folder.js';
import { openLasting } from '../../../src/server/lasting/open-lasting.js';
import { CannotKeep, writeWhole } from '../../../src/server/lasting/pass-in-turns.js';
import type { Engine } from '../../../src/server/lasting/shared/engine.js';
import { keepMembers } from '../../../src/server/lasting/shared/shared-log.js';
import { setUp } from '../../../src/server/set-up.js';
import { packageFile } from '../../../src/package-files.js';
import { makeFolder } from '../../support/folder.js';
import { createPet, KEY, startMock } from '../../support/started-mock.js';

const EMPTY = { fixtures: 'empty' };

const start = (data: string, options: ListeningOptions = {}): Promise<PetstoreMock> =>
  startMock({ fixtures: 'default', data, ...options });

/** Stops a mock and starts it again with the same folder. */
async function restart(mock: PetstoreMock, data: string, options?: ListeningOptions): Promise<PetstoreMock> {
  await mock.close();
  return start(data, options);
}

async function create(mock: PetstoreMock, name: string, world?: string): Promise<{ status: number; id?: number }> {
  const headers: Record<string, string> = world === undefined ? {} : { 'x-petstore-world': world };
  const response = await createPet(mock, { name, categoryId: 1 }, { headers });
  return { status: response.status, id: ((await response.json()) as { id?: number }).id as number };
}

const namesOf = async (mock: PetstoreMock): Promise<string[]> => (await mock.pets.list()).map(({ name }) => name);

/** The worlds of a folder, with what is told at their start. */
async function openWorlds(folder: string, told: string[]): Promise<Lasting> {
  const lasting = await openLasting({ data: folder, tell: (message) => told.push(message) });
  if (lasting === undefined) throw new Error('nothing is stored');
  await lasting.attach(setUp({ fixtures: 'empty', tracking: lasting.tracking }).worlds);
  return lasting;
}

/** The content of the file `acknowledged`. */
function sealed(head: string): string {
  const text = head.padEnd(54);
  return `${text} ${crc32(text).toString(16).padStart(8, '0')}\n`;
}

test('what was created over HTTP and by the library is there after a restart, and keys go on', async () => {
  const folder = makeFolder();
  const mock = await start(folder, EMPTY);
  expect(await create(mock, 'Rex')).toEqual({ status: 201, id: 1 });
  await mock.pets.add({ name: 'Tom', categoryId: 2 });
  const again = await restart(mock, folder, EMPTY);
  expect(await namesOf(again)).toEqual(['Tom', 'Rex']);
  expect(await create(again, 'Ida')).toEqual({ status: 201, id: 3 });
});

test('an int64 and text of any kind stay what they are', async () => {
  const folder = makeFolder();
  const mock = await start(folder);
  const pet = { id: 9_223_372_036_854_775_807n, name: 'Zoë \u2028 \ud83d\ude00', categoryId: 9_007_199_254_740_993n };
  await mock.pets.replace([pet]);
  expect(await (await restart(mock, folder)).pets.list()).toEqual([pet]);
});

test('worlds, faults with their hits, clock, delay, profile and snapshots last as well', async () => {
  const folder = makeFolder();
  const mock = await start(folder);
  await create(mock, 'Rex', 'w1');
  const world = mock.world('w1');
  await world.snapshots.save('early');
  await world.pets.clear();
  await world.faults.add({ operationId: 'listPets', effect: { status: 503 }, times: 2 });
  await fetch(`${world.url}/pets`, { headers: KEY });
  await world.clock.freeze('2030-01-01');
  await world.delay.set(7);
  await world.profile.choose({ 'list-order': 'oldest-first' });
  const again = await restart(mock, folder);
  expect(await again.worlds()).toEqual(['default', 'w1']);
  const later = again.world('w1');
  expect(await later.pets.count()).toBe(0);
  expect(await later.faults.list()).toMatchObject([{ id: 'fault-1', hits: 1, times: 2 }]);
  expect([await later.clock.now(), await later.clock.isFrozen()]).toEqual([new Date('2030-01-01'), true]);
  expect(await later.delay.get()).toEqual({ from: 7, to: 7 });
  expect((await later.profile.get()).choices['list-order']).toBe('oldest-first');
  await later.snapshots.restore('early');
  expect((await later.pets.list()).at(-1)).toMatchObject({ id: 51, name: 'Rex' });
  await later.drop();
  expect(await (await restart(again, folder)).worlds()).toEqual(['default']);
});

test('an option that is another one at the next start has precedence over what was kept', async () => {
  const folder = makeFolder();
  const mock = await start(folder, { delay: 1, now: '2030-01-01' });
  await mock.delay.set(9);
  await mock.clock.set('2031-01-01');
  const again = await restart(mock, folder, { delay: 2, now: '2032-01-01' });
  expect(await again.delay.get()).toEqual({ from: 2, to: 2 });
  expect((await again.clock.now()).getUTCFullYear()).toBe(2032);
});

test('other fixtures at the next start do not displace what was kept', async () => {
  const folder = makeFolder();
  const mock = await start(folder, EMPTY);
  await create(mock, 'Rex');
  expect(await namesOf(await restart(mock, folder, { fixtures: 'default' }))).toEqual(['Rex']);
});

test('records that the contract no longer allows are left out at the next start, and the others stay', async () => {
  const folder = makeFolder();
  const contract = readFileSync(packageFile('spec/petstore.openapi.yaml'), 'utf8');
  const [wide, narrow] = ['wide.yaml', 'narrow.yaml'].map((name) => join(folder, name));
  writeFileSync(wide ?? '', contract);
  writeFileSync(narrow ?? '', contract.replaceAll('enum: [available, pending, sold]', 'enum: [available, pending]'));
  expect(readFileSync(narrow ?? '', 'utf8')).not.toBe(contract);
  const data = join(folder, 'data');
  const mock = await start(data, { spec: wide });
  await mock.pets.replace([
    { name: 'Rex', categoryId: 1, status: 'sold' },
    { name: 'Tom', categoryId: 1, status: 'pending' },
  ]);
  const again = await restart(mock, data, { spec: narrow });
  expect(await namesOf(again)).toEqual(['Tom']);
  expect(await namesOf(await restart(again, data, { spec: wide }))).toEqual(['Tom']);
});

test('a second mock is refused the folder, and gets it when the first has stopped', async () => {
  const folder = makeFolder();
  const mock = await start(folder);
  const message = `another mock uses the data in ${folder}; stop it, or name another folder with --data.`;
  await expect(startPetstoreMock({ data: folder })).rejects.toMatchObject({ code: 'data-in-use', message });
  await mock.close();
  await start(folder);
});

test('a folder of the earlier format is moved once, with a line, and its files are gone', async () => {
  const begin = [{ do: 'begin' }, { do: 'enter' }];
  const kept = { in: 'pets', of: 'pets', within: [] };
  const open = [{ do: 'open', ...kept, start: { records: [], next: 1 }, now: { records: [], next: 1 } }];
  const add = [{ do: 'add', in: 'pets', record: { id: 1, name: 'Rex', categoryId: 1 }, next: 2 }];
  const lines = [begin, open, add].map((changes) => {
    const text = JSON.stringify(changes);
    return `${crc32(text).toString(16).padStart(8, '0')} ${text}\n`;
  });
  // A power loss while the file was rewritten left an empty one beside the whole one.
  const folder = makeFolder({ 'state-1.log': `${lines.join('')}00000000 [{"do":"a`, 'state-2.log': '', 'turn-1': '' });
  const told: string[] = [];
  const opened = await openWorlds(folder, told);
  await opened.close();
  expect(told[0]).toBe(`${folder}: 1 record of the format of earlier versions moved to this one.`);
  expect(readdirSync(folder).toSorted()).toEqual(['acknowledged', 'level']);
  expect(await namesOf(await start(folder))).toEqual(['Rex']);
  const damaged = makeFolder({ 'state-1.log': lines.join('').replace('Rex', 'Max') });
  const message = expect.stringMatching(/state-1\.log:3: this line was damaged/);
  await expect(startPetstoreMock({ data: damaged })).rejects.toMatchObject({ code: 'unusable-data', message });
});

test('a change and a folder of a later version are named as what they are', async () => {
  const folder = makeFolder();
  await (await start(folder)).close();
  writeFileSync(join(folder, 'acknowledged'), sealed('2 0 0'));
  const told = 'was written by a later version of petstore-mock; use that version, or name another folder with --data.';
  const rejection = { code: 'unusable-data', message: `${folder} ${told}` };
  await expect(startPetstoreMock({ data: folder })).rejects.toMatchObject(rejection);
});

test('what the disk did not have when the power went is told, and the rest is served', async () => {
  const folder = makeFolder();
  const mock = await start(folder, EMPTY);
  await create(mock, 'Rex');
  await mock.close();
  const path = join(folder, 'acknowledged');
  writeFileSync(path, sealed('1 4 0'));
  const message = 'was damaged: the last 3 changes are missing';
  await expect(startPetstoreMock({ data: folder })).rejects.toThrow(message);
  utimesSync(path, 1000, 1000);
  const told: string[] = [];
  const opened = await openWorlds(folder, told);
  await opened.close();
  expect(told).toEqual([
    `${folder}: the last 3 changes before the machine stopped did not reach its disk; --data-sync waits for that.`,
  ]);
  writeFileSync(path, sealed('1 9 9'));
  utimesSync(path, 1000, 1000);
  await expect(startPetstoreMock({ data: folder })).rejects.toMatchObject({ code: 'unusable-data' });
});

test('a folder that cannot be one, or that the system rejects, ends the start with what to do, and does not hang it', async () => {
  const folders = { [join(makeFolder({ file: '' }), 'file')]: 'EEXIST', '/proc/petstore/data': 'ENOENT' };
  for (const [data, code] of Object.entries(folders)) {
    const message = `${data} cannot store data (${code}); name a writable folder with --data.`;
    await expect(startPetstoreMock({ data })).rejects.toMatchObject({ code: 'unusable-data', message });
  }
  await expect(startPetstoreMock({ dataSync: true })).rejects.toMatchObject({ code: 'bad-option' });
});

test('with data-sync everything lasts as well', async () => {
  const folder = makeFolder();
  const mock = await start(folder, { fixtures: 'empty', dataSync: true });
  await create(mock, 'Rex');
  expect(await namesOf(await restart(mock, folder, { fixtures: 'empty', dataSync: true }))).toEqual(['Rex']);
});

test('a long history gives way to a snapshot while the mock serves, and nothing is lost', async () => {
  const folder = makeFolder();
  const mock = await start(folder, EMPTY);
  const pet = await mock.pets.add({ name: 'Rex', categoryId: 1 });
  // Each change is stored, though there is one pet; a snapshot is made at 4 MiB. What is random cannot be compressed.
  const names = Array.from({ length: 150 }, () => randomBytes(20_000).toString('hex'));
  for (const name of names) await mock.collection('pets').update(pet.id, { name });
  await Promise.all(names.slice(0, 50).map((name, index) => mock.pets.add({ name, categoryId: index })));
  await mock.close();
  const again = await start(folder, EMPTY);
  expect((await again.pets.get(pet.id))?.name).toBe(names.at(-1));
  const ids = (await again.pets.list()).map(({ id }) => Number(id));
  expect(ids.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 51 }, (_, index) => index + 1));
  await again.close();
  const level = await openLevel(folder, { isNew: false, repairs: false });
  const stored = await readLevel(level, () => {});
  await level.close();
  expect(stored.snapshot?.number).toBeGreaterThan(1);
  expect(stored.last - (stored.snapshot?.upTo ?? 0)).toBeLessThan(stored.last);
});

test('callers in the process that never pause leave turns to the others', async () => {
  const mock = await start(makeFolder(), EMPTY);
  let hasAnswered = false;
  const answered = create(mock, 'Rex').finally(() => (hasAnswered = true));
  const goOn = async (): Promise<void> => {
    await mock.pets.count();
    if (!hasAnswered) await goOn();
  };
  await Promise.all([goOn(), goOn()]);
  expect((await answered).status).toBe(201);
});
test('an engine that has lost its data does not make a replica forget the others', async () => {
  let members = ['me', 'other'];
  const asking = { run: async () => members, call: async () => undefined, close: () => {} };
  const engine: Engine = { ...asking, key: (name) => name, problem: undefined, shown: 'redis' };
  const kept = keepMembers(engine, 'me', () => false);
  await kept.stay();
  members = ['me'];
  await kept.stay();
  expect(kept.list()).toEqual(['me', 'other']);
});
test('what is too long for one text cannot be kept, also where it has few characters of many bytes, or is longer than any text', () => {
  expect(writeWhole(() => 'x'.repeat(1000))).toHaveLength(1000);
  const texts = [() => 'x'.repeat(220_000_000), () => '\u8a9e'.repeat(80_000_000), () => 'x'.repeat(2 ** 30)];
  for (const write of texts) expect(() => writeWhole(write)).toThrow(CannotKeep);
});
