import { expect, test } from 'vitest';
import { inQuery } from '../../support/open-paths.js';
import { object, text } from './support/odd-resource.js';
import { describeShelf, serveShelf } from './support/shelf.js';
import {
  describePaths,
  fail,
  judgeStranger,
  listTold,
  type Asked,
  type Answer,
  type Item,
} from './support/stranger.js';
import { expectHeadline } from './support/expect-problem.js';

const WEIGHT = { type: 'number', minimum: 1, maximum: 500, example: 12.5 };
const PLACE = object(
  { row: { type: 'integer', minimum: 1, maximum: 90 }, level: { type: 'integer', minimum: -3, maximum: 40 } },
  ['row'],
);
const FIELDS = { label: { ...text, maxLength: 60 }, weight: WEIGHT, place: PLACE };
const REFUSALS = { list: [400, 401], create: [400, 401], get: [401, 404], remove: [401, 404] };
const CRATES = describePaths(
  describeShelf({
    name: 'crates',
    record: object({ id: { type: 'integer', readOnly: true }, ...FIELDS }, ['id', 'label', 'weight']),
    sent: object(FIELDS, ['label', 'weight']),
    query: [
      inQuery('limit', { type: 'integer', minimum: 1, maximum: 100, default: 20 }),
      inQuery('offset', { type: 'integer', minimum: 0, default: 0 }),
      inQuery('sort', { type: 'string', enum: ['weight', '-weight'] }),
    ],
    methods: ['list', 'create', 'get', 'remove'],
    refusals: REFUSALS,
  }),
  {
    security: [{ key: [] }, { badge: [] }],
    components: {
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'X-Key' },
        badge: { type: 'apiKey', in: 'header', name: 'X-Badge' },
      },
    },
  },
);

const KEY = 'crates-key';

type Habit =
  | 'orders each page alone'
  | 'takes level 0 for none'
  // Which are legal.
  | 'ignores the order'
  | 'has equal ones in any order';

function list(items: readonly Item[], { query }: Asked, has: (habit: Habit) => boolean): Answer {
  const [limit, offset] = [Number(query.get('limit') ?? 20), Number(query.get('offset') ?? 0)];
  const sort = query.get('sort');
  const isAsked = limit >= 1 && limit <= 100 && offset >= 0 && ['weight', '-weight', null].includes(sort);
  if (!isAsked || !Number.isInteger(limit) || !Number.isInteger(offset)) return fail(400);
  const cut = (all: readonly Item[]): Item[] => all.slice(offset, offset + limit);
  if (sort === null || has('ignores the order')) return { status: 200, body: cut(items) };
  const way = sort === 'weight' ? 1 : -1;
  const tie = has('has equal ones in any order') ? limit : 1;
  const order = (all: readonly Item[]): Item[] =>
    all.toSorted(
      (one, other) =>
        way * (Number(one['weight']) - Number(other['weight'])) ||
        ((Number(one['id']) * 7919 * tie) % 101) - ((Number(other['id']) * 7919 * tie) % 101),
    );
  return { status: 200, body: has('orders each page alone') ? order(cut(items)) : cut(order(items)) };
}

function isFine({ label, weight, place }: Item): boolean {
  const isBetween = (value: unknown, least: number, most: number): boolean =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
  const isPlace = ({ row, level }: Item): boolean =>
    isBetween(row, 1, 90) && (level === undefined || isBetween(level, -3, 40));
  return (
    typeof label === 'string' &&
    label.length <= 60 &&
    typeof weight === 'number' &&
    weight >= 1 &&
    weight <= 500 &&
    (place === undefined || (typeof place === 'object' && place !== null && isPlace(place as Item)))
  );
}

async function judge(habit?: Habit): ReturnType<typeof judgeStranger> {
  const has = (each: Habit): boolean => each === habit;
  const serve = serveShelf('crates', {
    answer: ({ headers }) => (headers['x-key'] === KEY ? undefined : fail(401)),
    refuse: (body) => (isFine(body) ? undefined : fail(400)),
    keep: ({ id: _id, ...body }) => {
      const { level, ...place } = (body['place'] ?? {}) as Item;
      return level === 0 && has('takes level 0 for none') ? { ...body, place } : body;
    },
    list: (items, asked) => list(items, asked, has),
  });
  return judgeStranger(CRATES, serve, [], { apiKey: KEY });
}

test('crates as their contract says have no problem, and credentials that nobody gave are not asked for', async () => {
  const result = await judge();
  expect(listTold(result)).toEqual([]);
  expect(result.scenarios.filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
  const skipped = result.scenarios.filter(({ id }) => id.includes('/requests/alternative['));
  expect(skipped.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
    'crates/requests/alternative[key] skipped',
    'crates/requests/alternative[badge] skipped',
  ]);
  expect(skipped[1]?.reason).toContain('--credential badge=');
  const ordered = result.scenarios.filter(({ id }) => id.includes('/order-in-pages['));
  expect(ordered.map(({ verdict }) => verdict)).toEqual(['passed']);
});

test.each<[Habit, RegExp]>([
  ['orders each page alone', /^A list that is sorted by `weight` is not in that order, in responses of crates_list/],
  ['takes level 0 for none', /^`place\/level` is not as it was sent in responses of crates_create/],
])('a service that %s is reported by a headline that says so', async (habit, headline) => {
  expectHeadline(listTold(await judge(habit)), headline);
});

test.each<Habit>(['ignores the order', 'has equal ones in any order'])('a service that %s has none', async (habit) => {
  expect(listTold(await judge(habit))).toEqual([]);
});
