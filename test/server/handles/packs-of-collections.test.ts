import { beforeEach, expect, test } from 'vitest';
import type { PetstoreMock } from '../../../src/index.js';
import { makeFile } from '../../support/folder.js';
import { startMock } from '../../support/started-mock.js';

type Task = { id: number; text: string; list_slug: string };

const spec = 'test/contract/resources/support/documents/chores.yaml';
let mock: PetstoreMock;

beforeEach(async () => void (mock = await startMock({ spec, count: 4 })));

/** Everything that two mocks show of what they keep. */
async function readAll(of: PetstoreMock): Promise<unknown> {
  const lists = await of.collection<{ slug: string }>('lists').list();
  const tasks = lists.map(({ slug }) => of.collection<Task>('tasks', { within: [slug] }).list());
  return { lists, tasks: await Promise.all(tasks), me: await of.collection('me').list() };
}

async function change(): Promise<string> {
  const [first] = await mock.collection<{ slug: string }>('lists').list();
  const slug = String(first?.slug);
  const tasks = mock.collection<Task>('tasks', { within: [slug] });
  await tasks.clear();
  await tasks.add({ id: 12, text: 'Sweep', list_slug: slug });
  await mock.collection('me').replace([{ name: 'Ada' }]);
  return slug;
}

test('a snapshot brings every collection back, those of one record too', async () => {
  await change();
  const before = await readAll(mock);
  await mock.snapshots.save('before');
  await mock.collection('lists').clear();
  await mock.collection('me').replace([{ name: 'Bo' }]);
  expect(await readAll(mock)).not.toEqual(before);
  await mock.snapshots.restore('before');
  expect(await readAll(mock)).toEqual(before);
});

test('a pack that was exported is loaded back with every collection, keys included, and another mock begins with it', async () => {
  const slug = await change();
  const before = await readAll(mock);
  const pack = await mock.snapshots.export();
  const other = await startMock({ spec, fixtures: makeFile('pack.yaml', pack), count: 4 });
  expect(await readAll(other)).toEqual(before);
  const addOne = (): Promise<Task> =>
    mock.collection<Task>('tasks', { within: [slug] }).add({ text: 'Mop', list_slug: slug });
  const next = await addOne();
  await mock.collection('lists').clear();
  await mock.snapshots.load(pack);
  expect(await readAll(mock)).toEqual(before);
  expect(await addOne()).toEqual(next);
});

test('a pack with more records than a collection holds is refused before anything changes', async () => {
  const small = await startMock({ spec, count: 1, maxPets: 2 });
  const lists = ['a', 'b', 'c'].map((slug) => ({ slug, title: slug, created_at: '2026-01-01T00:00:00Z' }));
  const pack = JSON.stringify({ records: { lists } });
  const before = await readAll(small);
  await expect(small.snapshots.load(pack)).rejects.toThrow('the pack has 3 lists, but the store only holds 2.');
  expect(await readAll(small)).toEqual(before);
});
