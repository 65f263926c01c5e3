import { expect, test } from 'vitest';
import { object, text } from './support/odd-resource.js';
import { describeShelf, serveShelf, type Habits } from './support/shelf.js';
import { describePaths, fail, judgeStranger, listTold, type Item } from './support/stranger.js';

const code = { ...text, pattern: '^[a-z]{4,12}$' };
const name = { ...text, minLength: 1, maxLength: 20 };
const colour = { ...text, enum: ['red', 'teal'] };
const sent = object({ code, name, colour }, ['code', 'name']);

const isSound = ({ code: own, name: called, colour: shade }: Item): boolean =>
  typeof own === 'string' &&
  /^[a-z]{4,12}$/.test(own) &&
  typeof called === 'string' &&
  called.length >= 1 &&
  called.length <= 20 &&
  (shade === undefined || shade === 'red' || shade === 'teal');

/** Refuses a replacement that says another key than its path, and whatever else is wrong before that. */
const strict =
  (isFine: (body: Item, method: string) => boolean): NonNullable<Habits['refuse']> =>
  (body, { method, path }) => {
    if (!isFine(body, method)) return fail(400);
    return method === 'PUT' && body['code'] !== path[1] ? fail(400, 'another key') : undefined;
  };

async function tellOf(isFine: (body: Item, method: string) => boolean): Promise<string[]> {
  const plan = { name: 'tags', record: sent, key: code, keyName: 'code' };
  const serve = serveShelf('tags', { keyProperty: 'code', refuse: strict(isFine) });
  return listTold(await judgeStranger(describePaths(describeShelf(plan)), serve));
}

test('a service that wants the key of the path in a replacement is sound', async () => {
  expect(await tellOf(isSound)).toEqual([]);
});

test.each<[string, (body: Item) => Item, RegExp]>([
  ['a length', (body) => ({ ...body, name: String(body['name']).slice(0, 20) }), /tags_replace.*name/],
  ['a choice', ({ colour: _any, ...rest }) => rest, /tags_replace.*colour/],
])('what such a service lets through in replacements is told all the same: %s', async (_, overlook, told) => {
  const isFine = (body: Item, method: string): boolean => isSound(method === 'PUT' ? overlook(body) : body);
  expect(await tellOf(isFine)).toContainEqual(expect.stringMatching(told));
});

/** The replacement wants a version that no create takes. */
test('what a replacement needs beside what a create sends is in each invalid one too', async () => {
  const revision = { type: 'integer', minimum: 1 };
  const paths = describeShelf({ name: 'tags', record: sent, key: code, keyName: 'code' });
  const whole = object({ code, name, colour, revision }, ['code', 'name', 'revision']);
  const item = paths['/tags/{code}'] as { put: object };
  item.put = { ...item.put, requestBody: { required: true, content: { 'application/json': { schema: whole } } } };
  const isFine = (body: Item, method: string): boolean =>
    isSound(method === 'PUT' ? { ...body, colour: 'red' } : body) &&
    (method !== 'PUT' || (Number.isInteger(body['revision']) && Number(body['revision']) > 0));
  const serve = serveShelf('tags', {
    keyProperty: 'code',
    refuse: strict(isFine),
    keep: ({ revision: _number, ...rest }) => rest,
  });
  const told = listTold(await judgeStranger(describePaths(paths), serve, ['tags/records/*', 'tags/refusals/*']));
  expect(told).toEqual([expect.stringMatching(/tags_replace.*`colour`/)]);
});
