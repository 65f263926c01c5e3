import { expect, test } from 'vitest';
import { object, text } from './support/odd-resource.js';
import { describeShelf, serveShelf } from './support/shelf.js';
import { describePaths, fail, judgeStranger, listTold, type Item } from './support/stranger.js';

const record = object({ id: { type: 'integer', readOnly: true }, name: { ...text, minLength: 1 } }, ['name']);
const ONLY = ['notes/records/*', 'notes/changes/*', 'notes/gaps/*-gone'];
const methods = ['list', 'create', 'get', 'replace', 'update', 'remove'] as const;

/** As SQLite counts without AUTOINCREMENT, and all that take the greatest key and add one. */
const oneMore = (items: readonly Item[]): number => Math.max(0, ...items.map(({ id }) => Number(id))) + 1;

/** Notes, where somebody else writes one whenever one is removed. What others wrote is `others`. */
async function judgeNotes(loses: boolean): Promise<{ told: string[]; others: Item[]; kept: Item[] }> {
  const others: Item[] = [];
  let kept: Item[] = [];
  const serve = serveShelf('notes', {
    nextKey: oneMore,
    refuse: ({ name }) => (name === undefined || (typeof name === 'string' && name !== '') ? undefined : fail(400)),
    answer: ({ method, path }, items) => {
      kept = items;
      const index = items.findIndex(({ id }) => String(id) === path[1]);
      if (method !== 'DELETE' || index === -1) return undefined;
      if (loses) return { status: 204 };
      items.splice(index, 1);
      const other = { id: oneMore(items), name: `of somebody else ${others.length}` };
      others.push({ ...other });
      items.push(other);
      return { status: 204 };
    },
  });
  const document = describePaths(describeShelf({ name: 'notes', record, methods }));
  const told = listTold(await judgeStranger(document, serve, ONLY, { concurrency: 1 }));
  return { told, others, kept };
}

test('a key that is given again is no record that is still there, and what others have under it stays as it is', async () => {
  const { told, others, kept } = await judgeNotes(false);
  expect(told).toEqual([]);
  expect(others.length).toBeGreaterThan(0);
  expect(kept).toEqual(expect.arrayContaining(others));
});

test('a record that stays under its key after its removal is told', async () => {
  expect((await judgeNotes(true)).told).toContainEqual(
    expect.stringMatching(/^A record that was removed is still there/),
  );
});
