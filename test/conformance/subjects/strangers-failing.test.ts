import { expect, test } from 'vitest';
import { integer, object, text } from './support/odd-resource.js';
import { describeShelf, serveShelf, type Habits } from './support/shelf.js';
import { describePaths, fail, judgeStranger, listTold, type Item } from './support/stranger.js';

// Services that fail: now and then, at a value, or at a record from the moment at which it keeps what it should refuse.

const states = ['open', 'paid'];
const fields = {
  name: { ...text, minLength: 1 },
  size: { ...integer, minimum: 0, maximum: 900 },
  state: { ...text, enum: states },
};
const record = object({ id: { ...integer, readOnly: true }, ...fields }, ['id', 'name']);
const methods = ['list', 'create', 'get', 'replace', 'update', 'remove'] as const;
const document = describePaths(describeShelf({ name: 'bills', record, sent: object(fields, ['name']), methods }));

const rules: Readonly<Record<string, (value: unknown) => boolean>> = {
  name: (value) => typeof value === 'string' && value !== '',
  size: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 900,
  state: (value) => states.includes(String(value)) && typeof value === 'string',
};
const refuse: NonNullable<Habits['refuse']> = (body, { method }) =>
  (method === 'PATCH' || body['name'] !== undefined) &&
  Object.entries(body).every(([name, value]) => rules[name]?.(value) ?? true)
    ? undefined
    : fail(400);

async function judge(habits: Habits, only: string[] = []) {
  const { problems, scenarios } = await judgeStranger(document, serveShelf('bills', { refuse, ...habits }), only);
  return { problems, told: listTold({ problems } as Parameters<typeof listTold>[0]), scenarios };
}

const OF_CHANGES = ['bills/refusals/*'];
const isPoisoned = ({ size }: Item): boolean => size !== undefined && typeof size !== 'number';

/** Takes any size where a record is changed, and then cannot write the record, nor the list that it is in. */
const poisoned: Habits = {
  refuse: (body, asked, items) =>
    asked.method !== 'POST' && isPoisoned(body) ? undefined : refuse(body, asked, items),
  answer: ({ method, path: [, key] }, items) =>
    method !== 'DELETE' && items.some((item) => String(item['id']) === key && isPoisoned(item)) ? fail(500) : undefined,
  list: (items) => (items.some(isPoisoned) ? fail(500) : { status: 200, body: items }),
};

test('a record that is spoiled by a change is told once, and what is tried after it is tried on another', async () => {
  expect((await judge({}, OF_CHANGES)).told).toEqual([]);
  const { problems, told, scenarios } = await judge(poisoned, OF_CHANGES);
  expect(told).toEqual([
    expect.stringMatching(
      /^bills_update and bills_replace accept `size` null and as text, though it must be an integer$/,
    ),
  ]);
  expect(problems[0]?.uncertain).toMatch(/^failures showed as well/);
  expect(scenarios.filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
});

test('a record at which a change failed is left alone, and one that a failure left as it was is not', async () => {
  let created = 0;
  const bad = new Set<string>();
  const count = (isLasting: boolean): Habits => ({
    answer({ method, path: [, key = ''], body }) {
      if (method === 'POST') created += 1;
      if (bad.has(key) && method !== 'DELETE') return fail(500);
      if (method !== 'PATCH' || typeof (body as Item)['size'] !== 'string') return undefined;
      if (isLasting) bad.add(key);
      return fail(500);
    },
  });
  const told = [expect.stringMatching(/^bills_update fails with 500 for `size` as text$/)];
  expect((await judge(count(false), OF_CHANGES)).told).toEqual(told);
  const usual = created;
  created = 0;
  expect((await judge(count(true), OF_CHANGES)).told).toEqual(told);
  // A word, and a number in a text.
  expect(created).toBe(usual + 2);
});

test.each([23, 41, 67])(
  'one request in %d that fails, whatever it is, is one problem without a condition',
  async (every) => {
    let requests = 0;
    const answer: Habits['answer'] = () => ((requests += 1) % every === 7 ? fail(503) : undefined);
    const { told } = await judge({ answer });
    expect(told).toEqual([
      expect.stringMatching(/ with 503 now and then: for \d+ of \d+ requests, each served when it was sent again$/),
    ]);
  },
);

test('a failure at a value, or at whatever is fetched, is there when it is sent again, and is told as one', async () => {
  const ofPaid: Habits['answer'] = ({ method, body }) =>
    method === 'POST' && (body as Item)['state'] === 'paid' ? fail(503) : undefined;
  expect((await judge({ answer: ofPaid })).told).toEqual(['bills_create fails with 503 with `state` "paid"']);
  const ofGet: Habits['answer'] = ({ method, path: [, key] }) =>
    method === 'GET' && key !== undefined ? fail(503) : undefined;
  expect((await judge({ answer: ofGet })).told).toEqual([expect.stringMatching(/^bills_get fails with 503/)]);
});
