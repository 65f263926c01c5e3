import { expect, test } from 'vitest';
import { inQuery } from '../../support/open-paths.js';
import { object, text } from './support/odd-resource.js';
import { describeShelf, serveShelf, type Habits } from './support/shelf.js';
import { describePaths, fail, judgeStranger, listTold, type Item } from './support/stranger.js';

const SHELVES = ['upper', 'lower'];
const JARS = describePaths(
  describeShelf({
    name: 'jars',
    record: object({ id: { type: 'integer', readOnly: true }, label: text, shelf: { type: 'string', enum: SHELVES } }, [
      'id',
      'label',
      'shelf',
    ]),
    query: [inQuery('shelf', { type: 'string', enum: SHELVES })],
    refusals: { list: [400, 401], create: [400, 401], get: [401, 404], replace: [400, 401, 404], remove: [401, 404] },
  }),
  {
    security: [{ key: [] }],
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
  },
);

const KEY = 'jars-key';
const OWN: readonly Item[] = [1, 2, 3, 4, 5, 6, 7].map((id) => ({ id, label: `Jar ${id}`, shelf: SHELVES[id % 2] }));

/** What a run that creates nothing finds, and the methods that came. */
async function read(
  habits: Habits = {},
  jars = OWN,
): Promise<{ result: Awaited<ReturnType<typeof judgeStranger>>; methods: string[] }> {
  const methods = new Set<string>();
  const serve = serveShelf(
    'jars',
    {
      answer: ({ headers }) => (headers['x-key'] === KEY ? undefined : fail(401)),
      list: (items, { query }) => {
        const shelf = query.get('shelf');
        if (![...SHELVES, null].includes(shelf)) return fail(400);
        return { status: 200, body: items.filter((each) => shelf === null || each['shelf'] === shelf) };
      },
      ...habits,
    },
    jars,
  );
  const result = await judgeStranger(
    JARS,
    (asked) => {
      methods.add(asked.method);
      return serve(asked);
    },
    [],
    { apiKey: KEY, readOnly: true },
  );
  return { result, methods: [...methods].toSorted() };
}

test('a run that creates nothing reads the records that are there, and concludes what they show', async () => {
  const { result, methods } = await read();
  expect(listTold(result)).toEqual([]);
  expect(methods.filter((each) => !['GET', 'HEAD', 'OPTIONS'].includes(each))).toEqual([]);
  const passed = result.scenarios.filter(({ verdict }) => verdict === 'passed').map(({ id }) => id);
  expect(passed).toEqual(
    expect.arrayContaining([
      'jars/records/found',
      'jars/records/get-found',
      'jars/records/unknown',
      'jars/lists/filter-value[shelf-upper]',
      'jars/refusals/credentials[get-wrong]',
    ]),
  );
  expect(result.scenarios.filter(({ verdict }) => verdict === 'inconclusive').map(({ id }) => id)).toEqual([]);
});

test.each<[string, Habits, RegExp]>([
  ['ignores its filter', { list: (items) => ({ status: 200, body: items }) }, /^The filter by `shelf` of jars_list/],
  ['does not check keys', { answer: () => undefined }, /^The key is not checked/],
  ['shows a number as a text', { show: (item) => ({ ...item, id: String(item['id']) }) }, /^`id` of a record is text/],
])('a service that %s is told of by a run that creates nothing', async (_, habits, headline) => {
  expect(listTold((await read(habits)).result)).toEqual(expect.arrayContaining([expect.stringMatching(headline)]));
});

test('where nothing is there, what builds on a record is skipped, with the reason', async () => {
  const { result } = await read({}, []);
  expect(listTold(result)).toEqual([]);
  const open = result.scenarios.find(({ id }) => id === 'jars/records/get-found');
  expect(open).toMatchObject({ verdict: 'skipped', reason: 'it depends on jars/records/found, which was skipped' });
});
