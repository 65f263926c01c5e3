import { expect, test } from 'vitest';
import { inQuery } from '../../support/open-paths.js';
import { integer, object, text } from './support/odd-resource.js';
import { describeShelf, serveShelf, type Habits } from './support/shelf.js';
import {
  describePaths,
  fail,
  judgeStranger,
  listTold,
  type Answer,
  type Asked,
  type Item,
} from './support/stranger.js';

const flag = { type: 'boolean' };
const ONLY = ['books/records/*', 'books/lists/*', 'books/changes/*'];
const AT_FIRST = [
  { id: 1, title: 'Old', archived: true },
  { id: 2, title: 'New', archived: false },
];

const refuse = ({ title, archived = false }: Item): Answer | undefined =>
  typeof title === 'string' && title !== '' && typeof archived === 'boolean' ? undefined : fail(400);

/** A service whose list has a truth value as a parameter. */
async function judgeSwitch(parameter: string, usual: object, habits: Habits): Promise<string[]> {
  const record = object({ id: { ...integer, readOnly: true }, title: { ...text, minLength: 1 }, archived: flag }, [
    'title',
  ]);
  const plan = { name: 'books', record, query: [inQuery(parameter, { ...flag, ...usual })] };
  const keep = (body: Item): Item => ({ archived: false, ...body });
  const serve = serveShelf('books', { refuse, keep, ...habits }, AT_FIRST);
  return listTold(await judgeStranger(describePaths(describeShelf(plan)), serve, ONLY));
}

const named: (readonly [string, object])[] = [
  ['includeArchived', { default: false }],
  ['all', {}],
  ['archived', { default: false }],
  ['archived', {}],
];

test.each(named)('a parameter %s %j that adds records is no filter', async (parameter, usual) => {
  const list = (items: Item[], { query }: Asked): Answer => {
    const isWhole = query.get(parameter) === 'true';
    return { status: 200, body: items.filter(({ archived }) => isWhole || archived !== true) };
  };
  expect(await judgeSwitch(parameter, usual, { list })).toEqual([]);
});

test.each(named)('a parameter %s %j that shows a field is no filter', async (parameter, usual) => {
  const show = ({ archived, ...rest }: Item, { query, method, path }: Asked): Item => {
    const isOfList = method === 'GET' && path[1] === undefined;
    return isOfList && query.get(parameter) !== 'true' ? rest : { ...rest, archived };
  };
  expect(await judgeSwitch(parameter, usual, { show })).toEqual([]);
});

test('a parameter without which the list has all is none that filters by its default', async () => {
  const show = ({ archived, ...rest }: Item, { query, method, path }: Asked): Item =>
    method === 'GET' && path[1] === undefined && query.get('archived') === 'false' ? rest : { ...rest, archived };
  expect(await judgeSwitch('archived', { default: true }, { show })).toEqual([]);
});

test('a filter that is not looked at is told', async () => {
  expect(await judgeSwitch('archived', {}, {})).toEqual([
    'The filter by `archived` of books_list lets other records through',
  ]);
});

test.each(named)('records that no list has, whatever %s %j is, are told', async (parameter, usual) => {
  const list = (items: Item[], { query }: Asked): Answer => {
    const wanted = query.get('archived');
    return {
      status: 200,
      body: items.filter(({ archived }) => wanted === null || String(archived) === wanted).slice(0, 2),
    };
  };
  expect(await judgeSwitch(parameter, usual, { list })).toContainEqual(
    expect.stringMatching(/^A record that was created is not there, in the answers of books_list$/),
  );
});
