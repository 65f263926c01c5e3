import { expect, test } from 'vitest';
import { runConformance, type ConformanceOptions } from '../../../../src/conformance/index.js';
import { Refusal } from '../../../mutation/server/replies.js';
import type { Change } from '../../../mutation/server/behaviour.js';
import { startWith } from '../../../mutation/server/start-server.js';
import { closeLater, KEY } from '../../support/ask.js';

const ONLY = ['create/*', 'get/*', 'list/*', 'status-filter/*'];

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

const eachTwelfthFetch: Change = (base) => {
  const next = counter();
  return {
    findPet(id, exchange) {
      const pet = base.findPet(id, exchange);
      return pet !== undefined && next() % 12 === 0 ? undefined : pet;
    },
  };
};

const eachThirtiethList: Change = (base) => {
  const next = counter();
  return { choosePage: (pets, query, exchange) => (next() % 30 === 0 ? [] : base.choosePage(pets, query, exchange)) };
};

/** One of two replicas lacks every fifth pet for good. */
const replica: Change = (base) => {
  const next = counter();
  let isSecond = false;
  const lacks = ({ id }: { id: bigint }): boolean => isSecond && id % 5n === 0n;
  return {
    intercept(exchange): ReturnType<typeof base.intercept> {
      if (exchange.method === 'GET') isSecond = next() % 2 === 0;
      return base.intercept(exchange);
    },
    findPet(id, exchange) {
      const pet = base.findPet(id, exchange);
      return pet === undefined || lacks(pet) ? undefined : pet;
    },
    *inListOrder(store, exchange) {
      for (const pet of base.inListOrder(store, exchange)) if (!lacks(pet)) yield pet;
    },
  };
};

test.each<[string, Change, RegExp]>([
  [
    'each twelfth fetch',
    eachTwelfthFetch,
    /^getPet answers 404 for \d+ of \d+ fetches of records that exist, now and then$/,
  ],
  [
    'each thirtieth list',
    eachThirtiethList,
    /^listPets answers \d+ of \d+ lists without records that exist, now and then$/,
  ],
  ['one of two replicas', replica, /, now and then$/],
])('pets that %s does not have are told', async (_, change, headline) => {
  expect(await judge(change)).toEqual([expect.stringMatching(headline)]);
});

/** A new pet is on the second of two replicas after a while; what is cached is old on one of them. */
const lateReplica: Change = (base) => {
  const next = counter();
  let isSecond = false;
  const isLate = ({ createdAt }: { createdAt: number }): boolean => isSecond && Date.now() - createdAt < 60;
  return {
    intercept(exchange): ReturnType<typeof base.intercept> {
      isSecond = next() % 3 === 0;
      return base.intercept(exchange);
    },
    findPet(id, exchange) {
      const pet = base.findPet(id, exchange);
      return pet === undefined || isLate(pet) ? undefined : pet;
    },
    *inListOrder(store, exchange) {
      for (const pet of base.inListOrder(store, exchange)) if (!isLate(pet)) yield pet;
    },
  };
};

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
  ['shows new pets late on one of two replicas', lateReplica],
  ['has pages of any length, even empty ones', anyLength],
  ['is not available at times', unavailable],
])('a service that %s is accused of nothing', async (_, change) => {
  // Longer than anything here is late, however busy the machine is.
  expect(await judge(change, { only: ONLY, settleMs: 3000 })).toEqual([]);
});

test('lists that are always empty, while pets can be fetched, lack them', async () => {
  const server = await startWith([() => ({ choosePage: () => [] })], KEY);
  closeLater(() => server.close());
  const only = ['create/minimal', 'list/complete'];
  const { scenarios, problems } = await runConformance({ target: server.url, apiKey: KEY, only, settleMs: 50 });
  expect(scenarios.find(({ id }) => id === 'list/complete')?.verdict).toBe('deviated');
  expect(problems.map(({ headline }) => headline)).toEqual(['A list that is complete lacks a pet that exists']);
});
