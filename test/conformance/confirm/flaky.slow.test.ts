import { expect, test } from 'vitest';
import type { RunResult } from '../../../src/conformance/model/result.js';
import { fail, type Answer } from '../resources/support/stranger.js';
import { judgeAccounts, show, type AccountsExchange, type Habit } from '../support/accounts.js';

const ONLY = ['accounts/records/*', 'accounts/changes/*', 'accounts/lists/*'];

const NONE = fail(404);

function tell({ problems, notes }: RunResult): string[] {
  return [...problems.map(({ headline }) => headline), ...notes.filter((note) => note.includes('once'))];
}

/** The accounts of a list but for some. */
const without = ({ accounts, query }: AccountsExchange, lacks: (id: number) => boolean): Answer => {
  const left = accounts.filter(({ id }) => !lacks(Number(id))).slice(0, Number(query.get('limit') ?? 100));
  return { status: 200, body: left.map(show) };
};
const isLate = ({ madeAt }: AccountsExchange, id: number): boolean => performance.now() - madeAt(id) < 40;

test.each<[string, Habit, RegExp]>([
  [
    'each twelfth fetch finds nothing',
    ({ role, number }) => (role === 'get' && number % 12 === 0 ? NONE : undefined),
    /^Flaky: accounts_get returns 404 for \d+ of \d+ fetches of records that exist$/,
  ],
  [
    'each seventh list is empty',
    ({ role, number, answer }) => (role === 'list' && number % 7 === 0 ? { ...answer, body: [] } : undefined),
    /^Flaky: accounts_list returns \d+ of \d+ lists without records that exist$/,
  ],
  [
    'one of two replicas lacks every second account',
    (exchange) => {
      const isOnSecond = exchange.number % 2 === 0;
      if (!isOnSecond || exchange.answer.status !== 200) return undefined;
      if (exchange.role === 'get' && exchange.key % 2 === 0) return NONE;
      return exchange.role === 'list' ? without(exchange, (id) => id % 2 === 0) : undefined;
    },
    /^Flaky: /,
  ],
])('a service of which %s is told as what it is', async (_, habit, headline) => {
  expect(tell(await judgeAccounts(habit, { only: ONLY, settleMs: 300 }))).toEqual([expect.stringMatching(headline)]);
});

test.each<[string, Habit]>([
  ['that is healthy', () => undefined],
  [
    'that shows new accounts late, on one of two replicas',
    (exchange) => {
      const isOnSecond = exchange.number % 2 === 0;
      if (!isOnSecond || exchange.answer.status !== 200) return undefined;
      if (exchange.role === 'get' && isLate(exchange, exchange.key)) return NONE;
      return exchange.role === 'list' ? without(exchange, (id) => isLate(exchange, id)) : undefined;
    },
  ],
  [
    'that others use, who remove their accounts',
    ({ number, accounts, madeAt }) => {
      const own = accounts.filter(({ id }) => madeAt(Number(id)) > 0);
      if (number === 20) accounts.splice(0, accounts.length, ...own);
      return undefined;
    },
  ],
])('a service %s is accused of nothing', async (_, habit) => {
  expect(tell(await judgeAccounts(habit, { only: ONLY, settleMs: 3000 }))).toEqual([]);
});

test('a single fetch that finds nothing is told with its share where a scenario ended with it', async () => {
  // The second of the record that is fetched first, and that other scenarios fetch as well.
  let first: number | undefined;
  let fetches = 0;
  const habit: Habit = ({ role, key }) => {
    if (role !== 'get') return undefined;
    first ??= key;
    if (key === first) fetches += 1;
    return key === first && fetches === 2 ? NONE : undefined;
  };
  const found = tell(await judgeAccounts(habit, { only: ONLY, concurrency: 1, settleMs: 0 }));
  expect(found).toEqual([
    expect.stringMatching(/^(?:Flaky: )?accounts_get returns 404 for 1 of \d+ fetches of records that exist/),
  ]);
});

test('a healthy service is asked nothing more', async () => {
  const asked: string[] = [];
  const { scenarios, summary } = await judgeAccounts(({ role }) => void asked.push(role), { only: ONLY, keep: true });
  const exchanges = scenarios.flatMap(({ steps }) => steps.flatMap((step) => step.exchanges));
  const own = exchanges.filter(({ shared }) => shared !== true).length;
  // The first look at the target, the last look, and the one for leftovers are requests of no scenario.
  expect(summary.requests - own).toBeLessThanOrEqual(3);
});
