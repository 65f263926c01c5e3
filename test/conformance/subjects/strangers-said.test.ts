// What a contract says in sentences alone: a service that does so is not told, and one that does it unsaid is.
import { expect, test } from 'vitest';
import { inQuery } from '../../support/open-paths.js';
import { integer, object, text, type Schema } from './support/odd-resource.js';
import { describeShelf, serveShelf, type Habits } from './support/shelf.js';
import { describePaths, fail, judgeStranger, listTold, type Item } from './support/stranger.js';

interface Said {
  properties: Schema;
  query?: Schema[];
  habits: Habits;
}

const TITLE = { ...text, minLength: 1 };

async function judge({ properties, query = [], habits }: Said): Promise<string[]> {
  const record = object({ id: { ...integer, readOnly: true }, title: TITLE, ...properties });
  const paths = describeShelf({ name: 'books', record, query, refusals: { list: [400] } });
  const refuse = ({ title }: Item): ReturnType<NonNullable<Habits['refuse']>> =>
    typeof title === 'string' && title !== '' ? undefined : fail(400);
  return listTold(await judgeStranger(describePaths(paths), serveShelf('books', { refuse, ...habits })));
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);

test('tags that are kept in lower case, each once', async () => {
  const tags = { type: 'array', items: text, example: ['Sea', 'Air'] };
  const habits: Habits = {
    refuse: ({ title, tags: sent }) => (isText(title) && title !== '' && isTexts(sent) ? undefined : fail(400)),
    keep: (body) => ({ ...body, tags: [...new Set((body['tags'] as string[]).map((each) => each.toLowerCase()))] }),
  };
  const description = 'Kept in lower case and without duplicates.';
  expect(await judge({ properties: { tags: { ...tags, description } }, habits })).toEqual([]);
  expect(await judge({ properties: { tags }, habits })).toEqual([expect.stringMatching(/`tags\/\*` is not as it was/)]);
  const cut: Habits = { ...habits, keep: (body) => ({ ...body, tags: (body['tags'] as string[]).slice(0, 1) }) };
  expect(await judge({ properties: { tags: { ...tags, description } }, habits: cut })).not.toEqual([]);
});

test('a filter that has the name of what it is a bound of', async () => {
  const day = { ...text, format: 'date', example: '2026-05-04' };
  const isDay = (value: unknown): boolean =>
    isText(value) && /^\d{4}-\d\d-\d\d$/.test(value) && new Date(value).toJSON()?.slice(0, 10) === value;
  const habits: Habits = {
    refuse: ({ title, day: sent }) => (isText(title) && title !== '' && isDay(sent) ? undefined : fail(400)),
    list: (items, { query }) => {
      const from = query.get('day');
      if (from !== null && !isDay(from)) return fail(400);
      return { status: 200, body: items.filter((item) => from === null || String(item['day']) >= from) };
    },
  };
  const filter = inQuery('day', { ...text, format: 'date' });
  const description = 'Only books of this day or later.';
  expect(await judge({ properties: { day }, query: [{ ...filter, description }], habits })).toEqual([]);
  expect(await judge({ properties: { day }, query: [filter], habits })).toEqual([
    expect.stringMatching(/^The filter by `day` of books_list lets other/),
  ]);
  const ignored: Habits = { ...habits, list: (items) => ({ status: 200, body: items }) };
  expect(await judge({ properties: { day }, query: [{ ...filter, description }], habits: ignored })).not.toEqual([]);
});

test('a parameter of which values that cannot be used are ignored', async () => {
  const habits: Habits = { list: (items) => ({ status: 200, body: items }) };
  const flag = inQuery('deep', { type: 'boolean' });
  const description = 'Other values than `true` and `false` are ignored; unknown values count as `false`.';
  expect(await judge({ properties: {}, query: [{ ...flag, description }], habits })).toEqual([]);
  expect(await judge({ properties: {}, query: [flag], habits })).toEqual([
    expect.stringMatching(/^books_list accepts `deep` "no-such-value"/),
  ]);
});

test('a number of which the sign depends on another field', async () => {
  const kind = { ...text, enum: ['in', 'out'], example: 'in' };
  const amount = { ...integer, minimum: -50, maximum: 50, example: 5 };
  const habits: Habits = {
    refuse: ({ title, kind: sent, amount: count }) => {
      const isWhole = isText(title) && title !== '' && ['in', 'out'].includes(sent as string);
      return isWhole && Number.isInteger(count) && Number(count) > 0 && Number(count) <= 50 ? undefined : fail(400);
    },
  };
  const description = 'More than 0 for `in` and `out`.';
  expect(await judge({ properties: { kind, amount: { ...amount, description } }, habits })).toEqual([]);
  expect(await judge({ properties: { kind, amount }, habits })).toEqual([
    expect.stringMatching(/^books_\w+.* refuses? with 400 what the contract allows/),
  ]);
});

test('a record that the contract says has moved leads to another place', async () => {
  const record = object({ id: text, title: TITLE });
  const habits: Habits = {
    renames: ({ title }) => String(title),
    refuse: ({ title }) => (isText(title) && title !== '' ? undefined : fail(400)),
  };
  const old = new Map<string, string>();
  const moving: Habits = {
    ...habits,
    answer: ({ method, path: [, key = ''], body }, items) => {
      const found = items.find(({ id }) => id === key);
      if (method === 'PUT' && found !== undefined) old.set(key, String((body as Item)['title']));
      const to = old.get(key);
      if (method !== 'GET' || found !== undefined || to === undefined) return undefined;
      return { status: 301, headers: { Location: `/books/${encodeURIComponent(to)}` } };
    },
  };
  const describeMoving = (status: string): object => {
    const paths = describeShelf({ name: 'books', record, sent: object({ title: TITLE }), key: text });
    const get = (paths as Record<string, Record<string, { responses: Schema }>>)['/books/{id}']?.['get'];
    Object.assign(get?.responses ?? {}, { [status]: { description: 'It is elsewhere now.' } });
    return describePaths(paths);
  };
  const only = ['books/changes/*'];
  expect(listTold(await judgeStranger(describeMoving('301'), serveShelf('books', moving), only))).toEqual([]);
  expect(listTold(await judgeStranger(describeMoving('410'), serveShelf('books', moving), only))).toEqual([
    expect.stringMatching(/301/),
  ]);
});
