import { expect, test } from 'vitest';
import { integer, object, text, type Schema } from './support/odd-resource.js';
import { describeShelf, serveShelf, type Habits } from './support/shelf.js';
import { describePaths, fail, judgeStranger, listTold, type Answer, type Item } from './support/stranger.js';

const ONLY = ['cats/records/*', 'cats/changes/*'];
const id = { ...integer, readOnly: true };

/** What is told of cats with these fields, each of them required. */
async function judgeCats(fields: Schema, habits: Habits, refusals = [400]): Promise<string[]> {
  const record = object({ id, name: { ...text, minLength: 1 }, ...fields }, ['name', ...Object.keys(fields)]);
  const plan = { name: 'cats', record, refusals: { create: refusals, replace: [...refusals, 404] } };
  const refuse: Habits['refuse'] = (body, asked, items) => {
    const { name } = body;
    return typeof name === 'string' && name !== '' ? habits.refuse?.(body, asked, items) : fail(400);
  };
  const serve = serveShelf('cats', { ...habits, refuse });
  return listTold(await judgeStranger(describePaths(describeShelf(plan)), serve, ONLY));
}

test('a fraction that the run made up may be refused by a status that the contract has, and by no other', async () => {
  const age = { type: 'number', minimum: 0 };
  const refuse =
    (status: number): NonNullable<Habits['refuse']> =>
    (body) =>
      Number.isInteger(body['age']) && Number(body['age']) >= 0 ? undefined : fail(status);
  expect(await judgeCats({ age }, { refuse: refuse(400) })).toEqual([]);
  expect(await judgeCats({ age }, { refuse: refuse(422) })).toEqual([
    expect.stringMatching(/^cats_create refuses with 422 what the contract allows with `age` 0\.5/),
  ]);
  expect(await judgeCats({ age: { ...age, multipleOf: 0.25 } }, { refuse: refuse(400) })).toEqual([
    expect.stringMatching(/^cats_create refuses with 400 what the contract allows with `age` 0\.5/),
  ]);
});

test.each(['uuid', 'email', 'uri', 'hostname'])(
  'a text of the format %s is another in each record, for a service that takes each but once',
  async (format) => {
    const refuse: Habits['refuse'] = ({ chip }, { method }, items) => {
      if (typeof chip !== 'string' || !/[-.:@]/.test(chip)) return fail(400);
      return method === 'POST' && items.some((each) => each['chip'] === chip) ? fail(422) : undefined;
    };
    expect(await judgeCats({ chip: { ...text, format } }, { refuse })).toEqual([]);
  },
);

test.each(['uuid', 'email', 'uri', 'hostname'])(
  'a text of the format %s that is lost is told, also where the answer has words for it',
  async (format) => {
    const describe = (more: Schema): Schema =>
      object({ id, name: { ...text, minLength: 1 }, chip: { ...text, format, ...more } }, ['name']);
    const plan = { name: 'cats', record: describe({ description: 'Its chip.', nullable: true }), sent: describe({}) };
    const refuse = ({ name }: Item): Answer | undefined =>
      typeof name === 'string' && name !== '' ? undefined : fail(400);
    const serve = serveShelf('cats', { refuse, show: (item) => ({ ...item, chip: null }) });
    expect(listTold(await judgeStranger(describePaths(describeShelf(plan)), serve, ['cats/records/*']))).toEqual([
      expect.stringMatching(/^`chip` is not as it was sent/),
    ]);
  },
);

const colours = { type: 'array', items: text, minItems: 2, maxItems: 3 };

/** What is told of cats whose colours are shown so. */
async function judgeColours(more: Schema, change: (list: unknown[]) => unknown[]): Promise<string[]> {
  const isList = (list: unknown): list is unknown[] => Array.isArray(list) && list.length > 1 && list.length < 4;
  const isSet = (list: unknown[]): boolean => more['uniqueItems'] !== true || new Set(list).size === list.length;
  const refuse = ({ colours: list }: Item): Answer | undefined =>
    isList(list) && isSet(list) && list.every((each) => typeof each === 'string') ? undefined : fail(400);
  const show = (item: Item): Item => ({ ...item, colours: change(item['colours'] as unknown[]) });
  return judgeCats({ colours: { ...colours, ...more } }, { refuse, show });
}

test('items that are each there once may come back in any order, and all of them must', async () => {
  const set = { uniqueItems: true };
  const lost = [expect.stringMatching(/^`colours\/\*` is not as it was sent/)];
  expect(await judgeColours(set, (list) => list.toReversed())).toEqual([]);
  expect(await judgeColours(set, (list) => [...list.slice(1), 'other'])).toEqual(lost);
});

const MADE_IT = /^`state`, which is read only, is what a client made it \(cats\)$/;
const states = { type: 'string', enum: ['open', 'active', 'closed'], readOnly: true };

/** What is told of cats with a read-only state, which a service that moves records on shows after so many looks. */
async function judgeStates(keep: (body: Item) => Item, moveAfter = Infinity, to = 'active'): Promise<string[]> {
  const looks = new WeakMap<Item, number>();
  const name = { ...text, minLength: 1 };
  const record = object({ id, name, note: text, state: states }, ['id', 'name']);
  const paths = describeShelf({ name: 'cats', record, sent: object({ name, note: text }, ['name']), methods: ALL });
  const habits: Habits = {
    keep,
    refuse: ({ name: own, note = '' }, { method }) =>
      ((method === 'PATCH' && own === undefined) || (typeof own === 'string' && own !== '')) && typeof note === 'string'
        ? undefined
        : fail(400),
    show(item) {
      looks.set(item, (looks.get(item) ?? 0) + 1);
      if ((looks.get(item) ?? 0) > moveAfter) item['state'] = to;
      return { ...item };
    },
  };
  return listTold(await judgeStranger(describePaths(paths), serveShelf('cats', habits), ONLY));
}

const ALL = ['list', 'create', 'get', 'replace', 'update', 'remove'] as const;

test('a read-only state that a service sets at once, or moves on by itself, is no client’s', async () => {
  expect(await judgeStates((body) => ({ ...body, state: 'active' }))).toEqual([]);
  expect(await judgeStates((body) => ({ ...body, state: 'open' }), 2)).toEqual([]);
  expect(await judgeStates((body) => ({ ...body, state: 'open' }), 4)).toEqual([]);
});

test('a read-only state that is what a client sent is told, also where others are moved on', async () => {
  expect(await judgeStates((body) => ({ state: 'open', ...body }))).toEqual([expect.stringMatching(MADE_IT)]);
  expect(await judgeStates((body) => ({ state: 'open', ...body }), 4, 'closed')).toEqual([
    expect.stringMatching(MADE_IT),
  ]);
});

test('a time of another zone is told where it becomes another time, and not where it is shown or refused otherwise', async () => {
  const at = { ...text, format: 'date-time' };
  const judgeTimes = (showTime: (time: string) => string): Promise<string[]> =>
    judgeCats({ at }, { show: (cat) => ({ ...cat, at: showTime(String(cat['at'])) }) });
  expect(await judgeTimes((time) => new Date(time).toISOString())).toEqual([]);
  expect(await judgeTimes((time) => time.replace(/[+-]\d\d:\d\d$/, 'Z'))).toEqual([
    expect.stringMatching(/^`at` is not as it was sent in the answers of .*Z" instead of ".*\+05:30"/),
  ]);
  const refuse = (body: Item): Answer | undefined => (/\+/.test(String(body['at'])) ? fail(400) : undefined);
  expect(await judgeCats({ at }, { refuse })).toEqual([]);
});
