import { appendFileSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startPetstoreMock, type ListeningOptions, type PetstoreMock } from '../../../src/index.js';
import { packageFile } from '../../../src/package-files.js';
import { makeFolder } from '../../support/folder.js';

const AUTHORIZATION = 'Bearer petstore-dev-key';

async function start(data: string, options: ListeningOptions = {}): Promise<PetstoreMock> {
  const mock = await startPetstoreMock({ data, ...options });
  onTestFinished(() => mock.close());
  return mock;
}

/** Stops a mock and starts it again with the same folder. */
async function restart(mock: PetstoreMock, data: string, options?: ListeningOptions): Promise<PetstoreMock> {
  await mock.close();
  return start(data, options);
}

async function create(mock: PetstoreMock, name: string, world?: string): Promise<{ status: number; id?: number }> {
  const response = await fetch(`${mock.url}/pets`, {
    method: 'POST',
    headers: {
      authorization: AUTHORIZATION,
      'content-type': 'application/json',
      ...(world === undefined ? {} : { 'x-petstore-world': world }),
    },
    body: JSON.stringify({ name, categoryId: 1 }),
  });
  return { status: response.status, id: ((await response.json()) as { id?: number }).id as number };
}

const namesOf = async (mock: PetstoreMock): Promise<string[]> => (await mock.pets.list()).map(({ name }) => name);
const fileIn = (folder: string): string =>
  join(folder, readdirSync(folder).find((name) => name.startsWith('state-')) ?? '');

test('what was created over HTTP and by the library is there after a restart, and keys go on', async () => {
  const folder = makeFolder();
  const mock = await start(folder, { fixtures: 'empty' });
  expect(await create(mock, 'Rex')).toEqual({ status: 201, id: 1 });
  await mock.pets.add({ name: 'Tom', categoryId: 2 });
  const again = await restart(mock, folder, { fixtures: 'empty' });
  expect(await namesOf(again)).toEqual(['Tom', 'Rex']);
  expect(await create(again, 'Ida')).toEqual({ status: 201, id: 3 });
});

test('an int64 and text of any kind stay what they are', async () => {
  const folder = makeFolder();
  const mock = await start(folder);
  await mock.pets.replace([
    { id: 9_223_372_036_854_775_807n, name: 'Zoë \u2028 \ud83d\ude00', categoryId: 9_007_199_254_740_993n },
  ]);
  const again = await restart(mock, folder);
  expect(await again.pets.list()).toEqual([
    { id: 9_223_372_036_854_775_807n, name: 'Zoë \u2028 \ud83d\ude00', categoryId: 9_007_199_254_740_993n },
  ]);
});

test('worlds, faults with their hits, clock, delay, profile and snapshots last as well', async () => {
  const folder = makeFolder();
  const mock = await start(folder);
  await create(mock, 'Rex', 'w1');
  const world = mock.world('w1');
  await world.snapshots.save('early');
  await world.pets.clear();
  await world.faults.add({ operationId: 'listPets', effect: { status: 503 }, times: 2 });
  await fetch(`${world.url}/pets`, { headers: { authorization: AUTHORIZATION } });
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

test('a reset goes back to the start, also after a restart', async () => {
  const folder = makeFolder();
  const mock = await start(folder);
  await create(mock, 'Rex');
  const again = await restart(mock, folder);
  await again.reset();
  expect(await again.pets.count()).toBe(50);
  expect(await (await restart(again, folder)).pets.count()).toBe(50);
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
  const mock = await start(folder, { fixtures: 'empty' });
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
  await expect(startPetstoreMock({ data: folder })).rejects.toMatchObject({
    code: 'data-in-use',
    message: `another mock keeps its data in ${folder}; stop it, or name another folder with --data.`,
  });
  await mock.close();
  await start(folder);
});

test('of many that start at once, one gets the folder', async () => {
  const folder = makeFolder();
  const started = await Promise.allSettled(Array.from({ length: 8 }, () => startPetstoreMock({ data: folder })));
  const got = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  await Promise.all(got.map((each) => each.close()));
  expect(got.length).toBeLessThanOrEqual(1);
});

test('a line that was not written to its end is no change, and the next one takes its place', async () => {
  const folder = makeFolder();
  const mock = await start(folder, { fixtures: 'empty' });
  await create(mock, 'Rex');
  await create(mock, 'Tom');
  await mock.close();
  const path = fileIn(folder);
  truncateSync(path, readFileSync(path).length - 5);
  const again = await start(folder, { fixtures: 'empty' });
  expect(await namesOf(again)).toEqual(['Rex']);
  await create(again, 'Ida');
  expect(await namesOf(await restart(again, folder, { fixtures: 'empty' }))).toEqual(['Ida', 'Rex']);
});

test('what a power loss may leave at the end of the file is no change either', async () => {
  const folder = makeFolder();
  const mock = await start(folder, { fixtures: 'empty' });
  await create(mock, 'Rex');
  await mock.close();
  appendFileSync(fileIn(folder), Buffer.alloc(100));
  expect(await namesOf(await start(folder, { fixtures: 'empty' }))).toEqual(['Rex']);
});

test('a line that was damaged later is told with its place', async () => {
  const folder = makeFolder();
  const mock = await start(folder, { fixtures: 'empty' });
  await create(mock, 'Rex');
  await create(mock, 'Tom');
  await mock.close();
  const path = fileIn(folder);
  writeFileSync(path, readFileSync(path, 'utf8').replace('Rex', 'Max'));
  await expect(startPetstoreMock({ data: folder })).rejects.toMatchObject({
    code: 'unusable-data',
    message: expect.stringMatching(/state-1\.log:\d+: this line was damaged/) as string,
  });
});

test('a folder that cannot be one is refused with what to do', async () => {
  const folder = join(makeFolder({ file: '' }), 'file');
  await expect(startPetstoreMock({ data: folder })).rejects.toMatchObject({
    code: 'unusable-data',
    message: `${folder} cannot keep data (EEXIST); name a folder that can be written with --data.`,
  });
});

test('data-sync without data is refused', async () => {
  await expect(startPetstoreMock({ dataSync: true })).rejects.toMatchObject({ code: 'bad-option' });
});

test('with data-sync everything lasts as well', async () => {
  const folder = makeFolder();
  const mock = await start(folder, { fixtures: 'empty', dataSync: true });
  await create(mock, 'Rex');
  expect(await namesOf(await restart(mock, folder, { fixtures: 'empty', dataSync: true }))).toEqual(['Rex']);
});

test('a long file is rewritten while the mock serves, and nothing is lost', async () => {
  const folder = makeFolder();
  const mock = await start(folder, { fixtures: 'empty' });
  const long = 'x'.repeat(40_000);
  const pet = await mock.pets.add({ name: 'Rex', categoryId: 1 });
  // Each change makes the file longer, though there is one pet; it is rewritten at 4 MiB.
  for (let round = 0; round < 150; round++) await mock.collection('pets').update(pet.id, { name: `${round} ${long}` });
  await mock.close();
  expect(readFileSync(fileIn(folder)).length).toBeLessThan(4.5 * 1024 * 1024);
  expect(readdirSync(folder).filter((name) => name.endsWith('.log'))).not.toEqual(['state-1.log']);
  const again = await start(folder, { fixtures: 'empty' });
  expect((await again.pets.get(pet.id))?.name).toBe(`149 ${long}`);
});

test('what is created while the file is rewritten is there once', async () => {
  const folder = makeFolder();
  const mock = await start(folder, { fixtures: 'empty' });
  const name = 'x'.repeat(5000);
  // The pets make the file long, so that it is rewritten at 4 MiB, in pieces, between further pets.
  await Promise.all(Array.from({ length: 1200 }, (_, made) => mock.pets.add({ name, categoryId: made })));
  await mock.close();
  expect(readdirSync(folder).filter((each) => each.endsWith('.log'))).not.toEqual(['state-1.log']);
  const pets = await (await start(folder, { fixtures: 'empty' })).pets.list();
  expect(pets.map(({ id }) => Number(id)).toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: 1200 }, (_, index) => index + 1),
  );
});

test('callers in the process that never pause leave turns to the others', async () => {
  const mock = await start(makeFolder(), { fixtures: 'empty' });
  let hasAnswered = false;
  const answered = create(mock, 'Rex').finally(() => {
    hasAnswered = true;
  });
  const goOn = async (): Promise<void> => {
    await mock.pets.count();
    if (!hasAnswered) await goOn();
  };
  await Promise.all([goOn(), goOn()]);
  expect((await answered).status).toBe(201);
});
