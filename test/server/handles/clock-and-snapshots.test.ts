import { beforeEach, describe, expect, test } from 'vitest';
import { startPetstoreMock, type PetstoreMock } from '../../../src/index.js';
import { makeFile } from '../../support/folder.js';
import { KEY, startMock } from '../../support/started-mock.js';

let mock: PetstoreMock;

beforeEach(async () => void (mock = await startMock({ fixtures: 'int64' })));

describe('the clock', () => {
  test('goes back to the date of the start', async () => {
    const other = await startMock({ now: '2030-12-05' });
    expect((await fetch(`${other.url}/pets/1`, { headers: KEY })).status).toBe(410);
    await other.clock.set('2020-01-01');
    await other.reset();
    expect((await other.clock.now()).toISOString()).toMatch(/^2030-12-05T00:00/);
    await mock.clock.freeze('2000-01-01');
    const before = Date.now();
    const reset = (await mock.clock.reset()).getTime();
    expect([reset >= before, reset <= Date.now()]).toEqual([true, true]);
  });

  test.each([
    ['a word', 'tomorrow'],
    ['a day that there is not', '2030-02-30'],
    ['a time without a zone', '2030-12-05T10:00'],
    ['no number', Number.NaN],
    ['past the end of dates', 1e300],
  ])('refuses %s', async (_, date) => {
    await expect(mock.clock.set(date)).rejects.toMatchObject({ code: 'bad-date' });
    await expect(mock.clock.advance(date as number)).rejects.toMatchObject({ code: 'bad-date' });
    await expect(startPetstoreMock({ now: date })).rejects.toMatchObject({ code: 'bad-option' });
  });
});

test('a snapshot that there is not is said to be none, with those that there are, a hundred at most', async () => {
  await expect(mock.snapshots.restore('b')).rejects.toThrow('there is no snapshot b; there is none.');
  await mock.snapshots.save('a');
  await expect(mock.snapshots.restore('b')).rejects.toThrow('there is no snapshot b; there are a.');
  expect([await mock.snapshots.remove('a'), await mock.snapshots.remove('a')]).toEqual([true, false]);
  for (let number = 1; number <= 100; number++) await mock.snapshots.save(`s${number}`);
  await mock.snapshots.save('s100');
  await expect(mock.snapshots.save('s101')).rejects.toThrow('there are 100 snapshots already');
});

describe('a fixture pack that was exported', () => {
  test('is loaded back identically, int64 and ids included', async () => {
    await mock.pets.replace([
      { id: 2n ** 62n, name: '"yes": no # 0x1f', categoryId: -(2n ** 63n), status: 'sold' },
      { name: '007', categoryId: 1 },
      { name: ' two\nlines and 🐈 ', categoryId: 2 },
    ]);
    const [pets, pack] = [await mock.pets.list(), await mock.snapshots.export()];
    const next = await mock.pets.add({ name: 'next', categoryId: 1 });
    await mock.pets.clear();
    await mock.snapshots.load(pack);
    expect(await mock.pets.list()).toEqual(pets);
    expect(await mock.pets.add({ name: 'next', categoryId: 1 })).toEqual(next);
  });

  test('is read by --fixtures, and gives the same answers byte for byte, also if it is empty', async () => {
    const textOf = async ({ url }: PetstoreMock): Promise<string> =>
      (await fetch(`${url}/pets?limit=100`, { headers: KEY })).text();
    for (const clear of [false, true]) {
      if (clear) await mock.pets.clear();
      const other = await startMock({ fixtures: makeFile('pack.yaml', await mock.snapshots.export()) });
      expect(await textOf(other)).toBe(await textOf(mock));
    }
  });

  test.each([['a pet that breaks the contract', 'pets:\n  - { name: Rex }\n', 'pack:2:']])(
    'that is %s is refused with its line, and changes nothing',
    async (_, pack, message) => {
      const count = await mock.pets.count();
      const rejection = { code: 'unusable-fixtures', message: expect.stringContaining(message) };
      await expect(mock.snapshots.load(pack)).rejects.toMatchObject(rejection);
      expect(await mock.pets.count()).toBe(count);
    },
  );
});
