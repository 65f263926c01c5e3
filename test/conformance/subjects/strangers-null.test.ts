import { expect, test } from 'vitest';
import { integer, object, text } from './support/odd-resource.js';
import { describeShelf, serveShelf } from './support/shelf.js';
import { describePaths, fail, judgeStranger, listTold, type Item } from './support/stranger.js';

const books = object({ id: { ...integer, readOnly: true }, title: { ...text, minLength: 1 } }, ['title']);
const more = { openapi: '3.0.1', components: { schemas: { Author: object({ name: text }) } } };
const reference = { $ref: '#/components/schemas/Author' };

/** A service whose books may have no author, whatever its document says. */
async function judgeAuthors(author: object): Promise<string[]> {
  const record = { ...books, properties: { ...(books['properties'] as object), author } };
  const isAuthor = (value: unknown): boolean =>
    value === undefined || value === null || typeof (value as Item)['name'] === 'string';
  const serve = serveShelf('books', {
    refuse: ({ title, author: sent }) =>
      typeof title === 'string' && title !== '' && isAuthor(sent) ? undefined : fail(400),
    show: (item) => ({ author: null, ...item }),
  });
  return listTold(await judgeStranger(describePaths(describeShelf({ name: 'books', record }), more), serve));
}

test.each([{ allOf: [reference] }, { oneOf: [reference] }, { anyOf: [reference] }, reference])(
  'null is fine beside nullable in OpenAPI 3.0, and nowhere else: %j',
  async (schema) => {
    expect(await judgeAuthors({ nullable: true, ...schema })).toEqual([]);
    expect(await judgeAuthors(schema)).not.toEqual([]);
  },
);

const STATES = { anyOf: [{ type: 'string', enum: ['new', 'old'] }, { type: 'null' }] };

/** A service with a filter that may be left out, as FastAPI writes it. */
async function judgeStates(list: NonNullable<Parameters<typeof serveShelf>[1]>['list']): Promise<string[]> {
  const record = { ...books, properties: { ...(books['properties'] as object), state: STATES } };
  const query = [{ name: 'state', in: 'query', schema: STATES }];
  const isState = (value: unknown): boolean => [undefined, null, 'new', 'old'].includes(value as null);
  const serve = serveShelf('books', {
    refuse: ({ title, state }) => (typeof title === 'string' && title !== '' && isState(state) ? undefined : fail(400)),
    ...(list === undefined ? {} : { list }),
  });
  const paths = describeShelf({ name: 'books', record, query, refusals: { list: [400] } });
  return listTold(await judgeStranger(describePaths(paths, { openapi: '3.1.0' }), serve));
}

test('each value of a parameter that may be null is asked for, and what it filters is judged', async () => {
  const filter = (items: Item[], state: string | null): Item[] =>
    items.filter((item) => state === null || item['state'] === state);
  const refuse = (state: string | null): boolean => state !== null && !['new', 'old'].includes(state);
  expect(
    await judgeStates((items, { query }) =>
      refuse(query.get('state')) ? fail(400) : { status: 200, body: filter(items, query.get('state')) },
    ),
  ).toEqual([]);
  expect(
    await judgeStates((items, { query }) =>
      query.get('state') === 'old' ? fail(500) : { status: 200, body: filter(items, query.get('state')) },
    ),
  ).toEqual(expect.arrayContaining([expect.stringContaining('500')]));
  expect(
    await judgeStates((items, { query }) => (refuse(query.get('state')) ? fail(400) : { status: 200, body: items })),
  ).toEqual(expect.arrayContaining([expect.stringContaining('The filter by `state`')]));
});

/** A service of which a change in its document's example empties the shelf mark, and may forget to. */
async function judgeMarks(example: object, isForgetful: boolean): Promise<string[]> {
  const mark = { ...text, nullable: true };
  const record = { ...books, properties: { ...(books['properties'] as object), mark } };
  const paths = describeShelf({ name: 'books', record, methods: ['list', 'create', 'get', 'update'] });
  const patch = (paths as Record<string, Record<string, { requestBody: object }>>)['/books/{id}']?.['patch'];
  if (patch === undefined) throw new Error('there is no patch');
  const part = { ...record, required: undefined };
  patch.requestBody = { required: true, content: { 'application/json': { schema: part, example } } };
  const isMark = (value: unknown): boolean => [undefined, null].includes(value as null) || typeof value === 'string';
  const serve = serveShelf('books', {
    refuse: ({ title, mark: sent }, { method }) => {
      const isTitle = typeof title === 'string' ? title !== '' : method === 'PATCH' && title === undefined;
      return isTitle && isMark(sent) ? undefined : fail(400);
    },
    answer: ({ method, body }) => {
      const sent = body as Item | undefined;
      if (isForgetful && method === 'PATCH' && sent?.['mark'] === null) delete sent['mark'];
      return undefined;
    },
  });
  const document = describePaths(paths, { openapi: '3.0.1' });
  return listTold(await judgeStranger(document, serve, ['books/changes/*']));
}

test('a null removes what it is said of where an example of the contract says so, and nowhere else', async () => {
  const title = 'A book';
  expect(await judgeMarks({ title, mark: null }, false)).toEqual([]);
  expect(await judgeMarks({ title }, true)).toEqual([]);
  expect(await judgeMarks({ title, mark: null }, true)).toEqual([expect.stringContaining('`mark`')]);
});
