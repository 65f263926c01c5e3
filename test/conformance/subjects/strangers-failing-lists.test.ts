import { expect, test } from 'vitest';
import { integer, object, text } from './support/odd-resource.js';
import { describeShelf, serveShelf, type Habits } from './support/shelf.js';
import { describePaths, fail, judgeStranger, listTold, type Item } from './support/stranger.js';

const record = object({ id: { ...integer, readOnly: true }, name: { ...text, minLength: 1 } }, ['name']);
const refuse = ({ name }: Item): ReturnType<typeof fail> | undefined =>
  typeof name === 'string' && name !== '' ? undefined : fail(400);

async function judgeMembers(habits: Habits, names: readonly string[] = []): Promise<string[]> {
  const query = names.map((name) => ({ name, in: 'query', schema: { type: 'integer' } }));
  const document = describePaths(describeShelf({ name: 'members', record, query }));
  return listTold(await judgeStranger(document, serveShelf('members', { refuse, ...habits })));
}

test('a list that fails wherever a parameter is sent fails for that, also after a removal', async () => {
  const told = await judgeMembers(
    {
      list: (items, { query }) => (query.has('count') ? fail(500) : { status: 200, body: items }),
    },
    ['count', 'page'],
  );
  expect(told).toEqual([expect.stringMatching(/^members_list fails with 500 (?:with a|for) .*count/)]);
});

test('a fetch that fails for what was removed fails for a record that is not there', async () => {
  const told = await judgeMembers({
    answer: ({ method, path }, items) =>
      method === 'GET' && path[1] !== undefined && !items.some(({ id }) => String(id) === path[1])
        ? fail(500)
        : undefined,
  });
  expect(told).toEqual([expect.stringMatching(/^members_get fails with 500 for a record that is not there/)]);
});
