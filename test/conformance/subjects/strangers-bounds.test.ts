import { expect, test } from 'vitest';
import { inQuery } from '../../support/open-paths.js';
import { integer, object, text } from './support/odd-resource.js';
import { describeShelf, serveShelf, type Habits } from './support/shelf.js';
import { describePaths, fail, judgeStranger, listTold, type Item } from './support/stranger.js';

const ONLY = ['sites/records/*', 'sites/lists/*'];
const KINDS = ['open', 'shut'];
const record = object(
  { id: { ...integer, readOnly: true }, note: { ...text, minLength: 1 }, kind: { ...text, enum: KINDS } },
  ['note', 'kind'],
);
const AT_FIRST = [1, 2, 3, 4, 5, 6].map((id) => ({ id, note: 'own', kind: KINDS[id % 2] }));

const refuse: NonNullable<Habits['refuse']> = ({ note, kind }) =>
  typeof note === 'string' && note !== '' && KINDS.includes(String(kind)) ? undefined : fail(400);

/** What is told of a service whose list does so with its parameters; its contract names 400 and 403 for the list. */
async function judgeList(query: object[], list: NonNullable<Habits['list']>): Promise<string[]> {
  const plan = { name: 'sites', record, query: query as Item[], refusals: { list: [400, 403] } };
  const serve = serveShelf('sites', { refuse, list }, AT_FIRST);
  return listTold(await judgeStranger(describePaths(describeShelf(plan)), serve, ONLY));
}

/** What becomes of a limit from 1 to 4, or beyond. */
async function judgeLimit(read: (limit: number) => number | undefined, bounds: object): Promise<string[]> {
  const paging = [inQuery('limit', { ...integer, ...bounds }), inQuery('offset', { ...integer, minimum: 0 })];
  return judgeList(paging, (items, { query }) => {
    const [limit, offset] = [Number(query.get('limit') ?? 4), Number(query.get('offset') ?? 0)];
    if (!Number.isInteger(limit) || !Number.isInteger(offset) || offset < 0) return fail(400);
    const most = read(limit);
    return most === undefined ? fail(400) : { status: 200, body: items.slice(offset, offset + most) };
  });
}

const ONE_TO_FOUR = { minimum: 1, maximum: 4, default: 4 };

test.each<[string, (limit: number) => number | undefined]>([
  ['refused', (limit) => (limit < 1 || limit > 4 ? undefined : limit)],
  ['taken for the nearest', (limit) => Math.min(4, Math.max(1, limit))],
  ['passed over', (limit) => (limit < 1 || limit > 4 ? 4 : limit)],
])('a limit out of bounds may be %s', async (_, read) => {
  expect(await judgeLimit(read, ONE_TO_FOUR)).toEqual([]);
});

test('a list that is longer than any limit may be is told, and so is an empty one where the limit is too small', async () => {
  expect(await judgeLimit((limit) => Math.max(1, limit), ONE_TO_FOUR)).toEqual([
    'sites_list accepts `limit` 5, though it must be at most 4',
  ]);
  expect(await judgeLimit((limit) => Math.min(4, Math.max(0, limit)), ONE_TO_FOUR)).toEqual([
    'sites_list accepts `limit` 0, though it must be at least 1',
  ]);
});

test('a limit below 1 that the contract allows may stand for all records', async () => {
  const read = (limit: number): number => (limit < 0 ? Infinity : limit);
  expect(await judgeLimit(read, { minimum: -1, default: 4 })).toEqual([]);
});

test('a filter by a value that there is not may match nothing, and not everything', async () => {
  const filter = [inQuery('kind', { ...text, enum: KINDS })];
  const list: NonNullable<Habits['list']> = (items, { query }) => {
    const kind = query.get('kind');
    return { status: 200, body: items.filter((each) => kind === null || each['kind'] === kind) };
  };
  expect(await judgeList(filter, list)).toEqual([]);
  const isKnown = (kind: string | null): boolean => KINDS.includes(String(kind));
  expect(
    await judgeList(filter, (items, asked) =>
      isKnown(asked.query.get('kind')) ? list(items, asked) : { status: 200, body: items },
    ),
  ).toEqual([expect.stringMatching(/^sites_list accepts `kind` "no-such-value"/)]);
});

test('what is invalid may be refused with any status that the contract has for a refusal of what was asked', async () => {
  const sort = [inQuery('sort', { ...text, enum: ['note', 'kind'] })];
  const list =
    (status: number): NonNullable<Habits['list']> =>
    (items, { query }) =>
      ['note', 'kind'].includes(query.get('sort') ?? 'note') ? { status: 200, body: items } : fail(status);
  expect(await judgeList(sort, list(403))).toEqual([]);
  expect(await judgeList(sort, list(404))).toEqual([expect.stringMatching(/^sites_list answers 404 instead of 400/)]);
});
