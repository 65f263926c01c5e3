import { expect, test } from 'vitest';
import { Refusal } from '../../mutation/server/replies.js';
import type { Change } from '../../mutation/server/behaviour.js';
import { listTold, runPets } from '../support/ask.js';

function counter(): () => number {
  let count = 0;
  return () => (count += 1);
}

const anyLength: Change = (base) => {
  const next = counter();
  return {
    choosePage: (pets, query, exchange) => base.choosePage(pets, query, exchange).slice(0, (next() * 37) % query.limit),
  };
};

const unavailable: Change = (base) => {
  const next = counter();
  return {
    intercept: (exchange) =>
      next() % 9 === 0
        ? new Refusal(503, 'unavailable', 'Try again.', { 'retry-after': '0' })
        : base.intercept(exchange),
  };
};

// One scenario at a time, so that a fault that counts requests strikes the same ones in each run.
test.each([
  ['has pages of any length, even empty ones', anyLength],
  ['is not available at times', unavailable],
])('a service that %s is accused of nothing', async (_, change) => {
  const only = ['pets/records/*', 'pets/lists/*'];
  expect(listTold(await runPets([change], { only, settleMs: 3000, concurrency: 1 }))).toEqual([]);
});

test('lists that are always empty, while pets can be fetched, lack them', async () => {
  const result = await runPets([() => ({ choosePage: () => [] })], { only: ['pets/records/list'], settleMs: 50 });
  expect(result.scenarios.find(({ id }) => id === 'pets/records/list')?.verdict).toBe('deviated');
  expect(listTold(result)).toEqual(['A created record is missing in responses of listPets']);
});
