// Small services that lose, delay or reject, and what a run makes of it by asking again.
import { expect, test } from 'vitest';
import { object, text } from '../resources/support/odd-resource.js';
import type { Habits } from '../resources/support/shelf.js';
import { fail, listTold, type Item } from '../resources/support/stranger.js';
import { ALL, id, name, runStranger, type Fit, type Paths } from '../resources/support/strangers.js';

const kite = object({ id, name }, ['name']);
const first: Item[] = [1, 2, 3].map((key) => ({ id: key, name: `Kite ${key}` }));

const judge = async (
  habits: Habits,
  only: readonly string[],
  { record = kite, settleMs = 100 } = {},
): Promise<string[]> => {
  const options = { settleMs, concurrency: 1 };
  return listTold(await runStranger({ plan: { name: 'kites', record }, habits: () => habits, first, only, options }));
};

const LOST = 'A created record is missing in responses of kites_list';
/** Scenarios that create and fetch, and never read the list. */
const FETCHES = ['kites/records/get', 'kites/records/create'];
/** Does something to the records as soon as the list is asked for. */
const whenListed = (act: (items: Item[]) => void): Habits => ({
  answer: ({ method, path: [, key] }, items) => {
    if (method === 'GET' && key === undefined) act(items);
    return undefined;
  },
});
const rollBack = whenListed((items) => items.splice(0, items.length, ...structuredClone(first)));

test('creates that are rolled back after the last scenario has seen them are reported, unless records expire', async () => {
  expect(await judge(rollBack, FETCHES)).toEqual([LOST]);
  const record = object({ id, name, expiresAt: text }, ['name']);
  expect(await judge(rollBack, FETCHES, { record })).toEqual([]);
});

test('a list that is empty once it has shown what was created, while the records are there, is reported', async () => {
  let wasShown = false;
  const list: Habits['list'] = (items) => {
    const body = wasShown ? [] : items;
    wasShown ||= items.length > first.length;
    return { status: 200, body };
  };
  expect(await judge({ list }, ['kites/sequences/later-listed'])).toEqual([LOST]);
});

test.each<[string, Habits]>([
  ['service that keeps the newest records alone', whenListed((items) => items.splice(0, items.length - 1))],
  ['list that leaves out what it has never shown', { list: () => ({ status: 200, body: first }) }],
])('a %s does not lose them', async (_, habits) => expect(await judge(habits, FETCHES)).toEqual([]));

// Rounds of waiting come at 0, 50, 150 and 350 milliseconds, and then every 400: the time that a target has ends with one more.
test.each([
  [600, []],
  [60_000, ['A created record is missing in responses of kites_get']],
])('of a target that has 700 ms, what it shows after %i ms is told as %j', async (lateMs, told) => {
  const madeAt = new Map<string, number>();
  const answer: Habits['answer'] = ({ method, path: [, key = ''] }, items) => {
    for (const each of items.slice(3))
      if (!madeAt.has(String(each['id']))) madeAt.set(String(each['id']), performance.now());
    const isLate = performance.now() < (madeAt.get(key) ?? 0) + lateMs;
    return method === 'GET' && madeAt.has(key) && isLate ? fail(404) : undefined;
  };
  expect(await judge({ answer }, ['kites/records/get'], { settleMs: 700 })).toEqual(told);
});

// A documented rejection of a valid change may be for the state that the record is in: it is no deviation, unless an equal request is
// served, and it is never passed over.
const STATES = ['draft', 'sent', 'paid'];
const WRITES = { create: [400], replace: [400, 404], update: [400, 404], remove: [404] };
const named = (status: number): object => ({
  ...WRITES,
  replace: [...WRITES.replace, status],
  update: [...WRITES.update, status],
  remove: [...WRITES.remove, status],
});

/** The headlines of a run at bills, and what its inconclusive scenarios need. */
async function judgeBills(
  habits: (fit: Fit) => Habits,
  refusals: object,
  paths?: (paths: Paths) => void,
): Promise<{ headlines: string[]; needs: string[] }> {
  const record = object({ id, name, state: { ...text, enum: STATES } }, ['name', 'state']);
  const plan = { name: 'bills', record, methods: ALL, refusals };
  const result = await runStranger({ plan, habits, only: ['bills/changes/*'], ...(paths && { paths }) });
  const open = result.scenarios.filter(({ verdict, steps }) => verdict === 'inconclusive' && steps.length > 0);
  return { headlines: listTold(result), needs: [...new Set(open.flatMap(({ reason }) => reason ?? []))] };
}

/** Rejects changes of a record that is there. */
const rejecting =
  (status: number, said: string, wrong: (to: Item, from: Item) => boolean = () => true) =>
  (fit: Fit): Habits => ({
    refuse(body, asked, items) {
      const from = items.find((each) => String(each['id']) === asked.path[1]);
      return fit(body, asked) ?? (from !== undefined && wrong(body, from) ? fail(status, said) : undefined);
    },
  });

const why = (operation: string, status: number, said: string): string =>
  `needs a record whose state allows ${operation}: it returns ${status}, as the contract documents; it says "${said}"`;

test('a state machine that rejects a jump is not accused, and its own words are the reason', async () => {
  const isJump = (to: Item, from: Item): boolean => {
    const steps = STATES.indexOf(String(to['state'] ?? from['state'])) - STATES.indexOf(String(from['state']));
    return steps < 0 || steps > 1;
  };
  const { headlines, needs } = await judgeBills(rejecting(422, 'No such step', isJump), named(422));
  expect(headlines).toEqual([]);
  expect(needs.length).toBeGreaterThan(0);
  for (const each of needs) expect(each).toContain('it says "No such step"');
});

// A removal sends nothing that could be wrong but the key.
test('a removal that the state does not allow, with 400, is not accused', async () => {
  const kept: Habits = { answer: ({ method }) => (method === 'DELETE' ? fail(400, 'It is active') : undefined) };
  const { headlines, needs } = await judgeBills(() => kept, named(400));
  expect(headlines).toEqual([]);
  expect(needs).toContain(why('bills_remove', 400, 'It is active'));
});

test.each([
  ['The bill is already paid, or the request is invalid.', []],
  ['The request is invalid.', [expect.stringMatching(/^bills_replace.* with 400 what the contract allows/)]],
])(
  'a change that is rejected with 400 is one of the state where the contract says so: %s',
  async (description, told) => {
    const { headlines } = await judgeBills(rejecting(400, 'Paid'), WRITES, (all) => {
      const { delete: _, ...changes } = all['/bills/{id}'] ?? {};
      for (const { responses } of Object.values(changes)) Object.assign(responses?.['400'] ?? {}, { description });
    });
    expect(headlines.filter((each) => each.startsWith('bills_replace'))).toEqual(told);
  },
);

test('a service that rejects every change is visible, and accused with a status that the contract does not name', async () => {
  const { headlines, needs } = await judgeBills(rejecting(423, 'Locked'), named(423));
  expect(headlines).toEqual([]);
  expect(needs).toContain(why('bills_replace', 423, 'Locked'));
  const undocumented = await judgeBills(rejecting(409, 'No'), WRITES);
  expect(undocumented.headlines.join()).toMatch(/bills_replace rejects with 409 what the contract allows/);
});

test('a rejection is accused where an equal request is served', async () => {
  const seen = new Set<string>();
  const isAgain = (to: Item, from: Item): boolean => {
    const before = seen.size;
    return seen.add(JSON.stringify([from['id'], to])).size === before;
  };
  const { headlines } = await judgeBills(rejecting(409, 'Again', isAgain), named(409));
  expect(headlines).toEqual(['bills_replace rejects with 409 what the contract allows when it is sent again']);
});
