// A list may leave records out, as its contract says, or as their state says: what it never shows is not lost.
import { describe, expect, test } from 'vitest';
import { object, text, type Schema } from '../resources/support/odd-resource.js';
import { describeShelf, serveShelf, type Habits } from '../resources/support/shelf.js';
import { describePaths, fail, judgeStranger, listTold, type Item } from '../resources/support/stranger.js';

interface Habit {
  /** The field beside the name. */
  field?: Record<string, Schema>;
  /** What the list says of itself. */
  said?: string;
  query?: readonly Schema[];
  keep?: (body: Item) => Item;
  lists: (item: Item, query: URLSearchParams, index: number) => boolean;
  answer?: Habits['answer'];
  /** What the document has beside its paths. */
  beside?: Schema;
}

/** What a run tells of a service whose list shows some of its posts. */
async function judge({
  field = {},
  said = 'All posts.',
  query = [],
  keep,
  lists,
  answer,
  beside,
}: Habit): Promise<string[]> {
  const record = object({ id: { type: 'integer', readOnly: true }, name: text, ...field }, ['id', 'name']);
  const paths = describeShelf({
    name: 'posts',
    record,
    sent: object({ name: text, ...field }, ['name']),
    query,
    methods: ['list', 'create', 'get', 'replace', 'remove'],
  });
  Object.assign((paths['/posts'] as { get: object }).get, { description: said });
  const isWrong = (body: Item, method: string): boolean =>
    (body['name'] === undefined ? method !== 'PATCH' : typeof body['name'] !== 'string') ||
    Object.entries(field).some(([name, schema]) => body[name] !== undefined && !fits(body[name], schema));
  const serve = serveShelf('posts', {
    refuse: (body, { method }) => (isWrong(body, method) ? fail(400) : undefined),
    ...(keep === undefined ? {} : { keep }),
    ...(answer === undefined ? {} : { answer }),
    list: (items, { query: asked }) =>
      query.some(
        ({ name, schema }) => asked.has(String(name)) && !fits(readAsked(asked.get(String(name))), schema as Schema),
      )
        ? fail(400)
        : { status: 200, body: items.filter((item, index) => lists(item, asked, index)) },
  });
  return listTold(await judgeStranger(describePaths(paths, beside), serve, ['posts/*']));
}

function readAsked(value: string | null): unknown {
  return value === 'true' || value === 'false' ? value === 'true' : value;
}

function fits(value: unknown, schema: Schema): boolean {
  if (Array.isArray(schema['enum'])) return schema['enum'].includes(value);
  return schema['type'] === 'boolean' ? typeof value === 'boolean' : typeof value === 'string';
}

const STATE = { state: { type: 'string', enum: ['draft', 'public'], default: 'draft' } };
const STAGE = { stage: { type: 'string', enum: ['one', 'two'], default: 'one' } };
const flag = (name: string): Record<string, Schema> => ({ [name]: { type: 'boolean', default: name === 'archived' } });
const withDefault = (own: Item) => (body: Item) => ({ ...own, ...body });

const ADDED: Habit = {
  field: STAGE,
  keep: withDefault({ stage: 'one' }),
  query: [{ name: 'includeFirst', in: 'query', schema: { type: 'boolean', default: false } }],
  lists: ({ stage }, query) => stage === 'two' || query.get('includeFirst') === 'true',
};
const KEYED = { components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } }, security: [{ key: [] }] };

describe('is not told', () => {
  test.each<[string, Habit]>([
    [
      'a draft that the list never shows',
      { field: STATE, keep: withDefault({ state: 'draft' }), lists: ({ state }) => state === 'public' },
    ],
    [
      'what is archived',
      { field: flag('archived'), keep: withDefault({ archived: true }), lists: ({ archived }) => archived === false },
    ],
    [
      'what is not active',
      { field: flag('active'), keep: withDefault({ active: false }), lists: ({ active }) => active === true },
    ],
    [
      'what the description leaves out',
      {
        said: 'Posts in stage one are not listed.',
        field: STAGE,
        keep: withDefault({ stage: 'one' }),
        lists: ({ stage }) => stage === 'two',
      },
    ],
    ['what a parameter adds', ADDED],
    [
      'what a parameter adds, in requests that show credentials',
      {
        ...ADDED,
        beside: KEYED,
        answer: ({ headers }) => (headers['authorization'] === 'Bearer any' ? undefined : fail(401)),
      },
    ],
  ])('%s', async (_, habit) => expect(await judge(habit)).toEqual([]));
});

describe('is told', () => {
  const LOST = [expect.stringMatching(/^A created record is missing in responses of posts_list/)];
  test.each<[string, Habit]>([
    [
      'a record that the list lacks whatever its state, although the list leaves out drafts',
      {
        said: 'Drafts are not listed.',
        field: STATE,
        keep: withDefault({ state: 'draft' }),
        lists: (_, __, index) => index % 3 > 0,
      },
    ],
    [
      'one in a state of which nothing says that it is left out',
      { field: STAGE, keep: withDefault({ stage: 'one' }), lists: ({ stage }) => stage === 'two' },
    ],
  ])('%s', async (_, habit) => expect(await judge(habit)).toEqual(LOST));
});
