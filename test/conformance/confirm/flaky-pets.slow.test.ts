import { expect, test } from 'vitest';
import { runConformance, type ConformanceOptions } from '../../../src/conformance/index.js';
import { Refusal } from '../../mutation/server/replies.js';
import type { Change } from '../../mutation/server/behaviour.js';
import { startWith } from '../../mutation/server/start-server.js';
import { closeLater, KEY } from '../support/ask.js';

const ONLY = ['pets/records/*', 'pets/lists/*'];

/** One scenario at a time, so that a fault that counts requests strikes the same ones in each run. */
async function judge(change: Change, options: Partial<ConformanceOptions> = {}): Promise<string[]> {
  const server = await startWith([change], KEY);
  closeLater(() => server.close());
  const { problems } = await runConformance({
    target: server.url,
    apiKey: KEY,
    settleMs: 100,
    concurrency: 1,
    ...options,
  });
  return problems.map(({ headline }) => headline);
}

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

test.each([
  ['has pages of any length, even empty ones', anyLength],
  ['is not available at times', unavailable],
])('a service that %s is accused of nothing', async (_, change) => {
  expect(await judge(change, { only: ONLY, settleMs: 3000 })).toEqual([]);
});

test('lists that are always empty, while pets can be fetched, lack them', async () => {
  const server = await startWith([() => ({ choosePage: () => [] })], KEY);
  closeLater(() => server.close());
  const only = ['pets/records/list'];
  const { scenarios, problems } = await runConformance({ target: server.url, apiKey: KEY, only, settleMs: 50 });
  expect(scenarios.find(({ id }) => id === 'pets/records/list')?.verdict).toBe('deviated');
  expect(problems.map(({ headline }) => headline)).toEqual(['A created record is missing in responses of listPets']);
});
