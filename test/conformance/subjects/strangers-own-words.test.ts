import { expect, test } from 'vitest';
import { integer, object, text } from './support/odd-resource.js';
import { describeShelf, serveShelf, type Habits } from './support/shelf.js';
import { describePaths, fail, judgeStranger, listTold, type Item } from './support/stranger.js';

// Fields that have the names of the rules about records: what is wrong with such a field is told of the field.
const properties = {
  id: { ...integer, readOnly: true },
  name: { ...text, minLength: 1 },
  key: text,
  total: integer,
  filter: text,
};

async function judgeBills(show: Habits['show']): Promise<string[]> {
  const isText = (value: unknown): boolean => value === undefined || typeof value === 'string';
  const refuse = ({ name, key, total, filter }: Item): ReturnType<typeof fail> | undefined =>
    isText(name) && name !== '' && isText(key) && isText(filter) && (total === undefined || Number.isInteger(total))
      ? undefined
      : fail(400);
  const document = describePaths(describeShelf({ name: 'bills', record: object(properties, ['name']) }));
  const serve = serveShelf('bills', { refuse, ...(show === undefined ? {} : { show }) });
  return listTold(await judgeStranger(document, serve, ['bills/records/*', 'bills/changes/*']));
}

test('a list that leaves a field called key empty does not answer another record', async () => {
  const told = await judgeBills((item, { method, path }) =>
    method === 'GET' && path[1] === undefined ? { ...item, key: '' } : item,
  );
  expect(told).toEqual([
    expect.stringMatching(/^`key` is not as it was sent in the answers of bills_list: "" instead of/),
  ]);
});

test('a field called total that is one too much is no total of a list, and one called filter does not choose', async () => {
  const told = await judgeBills((item) => ({ ...item, total: Number(item['total'] ?? 0) + 1, filter: 'other' }));
  expect(told.join('\n')).toMatch(/`total`/);
  expect(told.join('\n')).not.toMatch(/that there are|lets other records through/);
});
