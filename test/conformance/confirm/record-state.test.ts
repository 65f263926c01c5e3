// A documented rejection of a valid change may be for the state that the record is in: it is no deviation, unless an equal request is
// served, and it is never passed over.
import { expect, test } from 'vitest';
import { object, text } from '../resources/support/odd-resource.js';
import type { Habits } from '../resources/support/shelf.js';
import { fail, type Item } from '../resources/support/stranger.js';
import { ALL, id, name, runStranger, type Fit, type Stranger } from '../resources/support/strangers.js';

const STATES = ['draft', 'sent', 'paid'];
const record = object({ id, name, state: { ...text, enum: STATES } }, ['name', 'state']);
const WRITES = { create: [400], replace: [400, 404], update: [400, 404], remove: [404] };
const named = (status: number): object => ({
  ...WRITES,
  replace: [...WRITES.replace, status],
  update: [...WRITES.update, status],
  remove: [...WRITES.remove, status],
});

interface Told {
  headlines: string[];
  /** What the inconclusive scenarios need. */
  needs: string[];
}

async function judge(
  habits: (fit: Fit) => Habits,
  refusals: object = named(409),
  paths?: Stranger['paths'],
): Promise<Told> {
  const plan = { name: 'bills', record, methods: ALL, refusals };
  const { problems, scenarios } = await runStranger({
    plan,
    habits,
    only: ['bills/changes/*'],
    ...(paths && { paths }),
  });
  const open = scenarios.filter(({ verdict, steps }) => verdict === 'inconclusive' && steps.length > 0);
  return {
    headlines: problems.map(({ headline }) => headline),
    needs: [...new Set(open.flatMap(({ reason }) => reason ?? []))],
  };
}

/** Rejects changes of a record that is there. */
const rejecting =
  (wrong: (to: Item, from: Item) => boolean, status: number, said: string) =>
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
  const { headlines, needs } = await judge(rejecting(isJump, 422, 'No such step'), named(422));
  expect(headlines).toEqual([]);
  expect(needs.length).toBeGreaterThan(0);
  for (const each of needs) expect(each).toContain('it says "No such step"');
});

test('a removal that the state does not allow is not accused', async () => {
  const kept: Habits = { answer: ({ method }) => (method === 'DELETE' ? fail(409, 'It is active') : undefined) };
  const { headlines, needs } = await judge(() => kept);
  expect(headlines).toEqual([]);
  expect(needs).toContain(why('bills_remove', 409, 'It is active'));
});

test('a removal that is rejected with 400 sends nothing that could be wrong but the key', async () => {
  const kept: Habits = { answer: ({ method }) => (method === 'DELETE' ? fail(400, 'It is active') : undefined) };
  const { headlines, needs } = await judge(() => kept, named(400));
  expect(headlines).toEqual([]);
  expect(needs).toContain(why('bills_remove', 400, 'It is active'));
});

test.each([
  ['The bill is already paid, or the request is invalid.', []],
  ['The request is invalid.', [expect.stringMatching(/^bills_replace.* with 400 what the contract allows/)]],
])('a change that is rejected with 400 is one of the state where the contract says so: %s', async (said, told) => {
  const paths = (all: Record<string, Record<string, { responses?: Record<string, object> }>>): void => {
    for (const [method, { responses }] of Object.entries(all['/bills/{id}'] ?? {}))
      if (method !== 'delete' && responses?.['400'] !== undefined)
        responses['400'] = { ...responses['400'], description: said };
  };
  const { headlines } = await judge(
    rejecting(() => true, 400, 'Paid'),
    WRITES,
    paths,
  );
  expect(headlines.filter((each) => each.startsWith('bills_replace'))).toEqual(told);
});

test('a service that rejects every change is visible', async () => {
  const { headlines, needs } = await judge(
    rejecting(() => true, 423, 'Locked'),
    named(423),
  );
  expect(headlines).toEqual([]);
  expect(needs).toEqual(expect.arrayContaining([why('bills_replace', 423, 'Locked')]));
});

test('what the contract does not name is accused', async () => {
  const { headlines } = await judge(
    rejecting(() => true, 409, 'No'),
    WRITES,
  );
  expect(headlines.join()).toMatch(/bills_replace rejects with 409 what the contract allows/);
});

test('a rejection is accused where an equal request is served', async () => {
  const seen = new Set<string>();
  const isSecond = (to: Item, from: Item): boolean => {
    const key = JSON.stringify([from['id'], to]);
    const isAgain = seen.has(key);
    seen.add(key);
    return isAgain;
  };
  const { headlines } = await judge(rejecting(isSecond, 409, 'Again'));
  expect(headlines).toEqual(['bills_replace rejects with 409 what the contract allows when it is sent again']);
});
