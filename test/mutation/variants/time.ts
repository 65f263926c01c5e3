import { setTimeout as wait } from 'node:timers/promises';
import { statuses, type Pet } from '../server/pets.js';
import type { Change, Exchange } from '../server/behaviour.js';
import { Refusal } from '../server/replies.js';
import { adjust, all, instead } from '../mutants/planting.js';
import { othersCreate } from './odd-requests.js';
import { reorder } from './orders-and-ids.js';
import { allow, open, type Variant } from './variant.js';

/** Waits before each request; the time may depend on the request. */
function delay(milliseconds: (exchange: Exchange) => number): Change {
  return (base) => ({
    intercept: async (exchange) => {
      await wait(milliseconds(exchange));
      return base.intercept(exchange);
    },
  });
}

/** Lets something happen at every n-th request, as if others used the store too. */
function meanwhile(every: number, happen: (exchange: Exchange) => void): Change {
  return instead('intercept', (exchange) => {
    if (exchange.number % every === 0) happen(exchange);
    return undefined;
  });
}

function isEvery(nth: number): (exchange: Exchange) => boolean {
  return ({ number }) => number % nth === 0;
}

function refuseSome(code: string, test: (exchange: Exchange) => boolean): Change {
  const refusal = new Refusal(503, code, 'Try again.', { 'retry-after': '1' });
  return instead('intercept', (exchange) => (test(exchange) ? refusal : undefined));
}

/** Refuses what goes past `burst` requests in a second. */
function limitRate(burst: number): Change {
  return (base) => {
    let recent: number[] = [];
    return instead('intercept', () => {
      const now = performance.now();
      recent = recent.filter((time) => now - time < 1000);
      if (recent.length >= burst) return new Refusal(429, 'too_many_requests', 'Slow down.', { 'retry-after': '1' });
      recent.push(now);
      return undefined;
    })(base);
  };
}

function hideCreatedFromLists(milliseconds: number): Change {
  return adjust('inListOrder', (pets) => [...pets].filter(({ createdAt }) => Date.now() - createdAt >= milliseconds));
}

function hideCreatedFromGet(milliseconds: number): Change {
  return adjust('findPet', (pet) =>
    pet !== undefined && Date.now() - pet.createdAt >= milliseconds ? pet : undefined,
  );
}

/** Gives one of the pets of the start the next status. */
function changeSomeStatus({ store, number }: Exchange): void {
  const olds = store.pets.filter(({ createdAt }) => createdAt === 0);
  const pet = olds[number % olds.length];
  const status = statuses[number % statuses.length];
  if (pet !== undefined && status !== undefined) store.pets[store.pets.indexOf(pet)] = { ...pet, status };
}

/** Lets statuses move by themselves: before each request every pet that has one gets what `next` says, if anything. */
function move(next: (pet: Pet, index: number) => number): Change {
  return meanwhile(1, ({ store: { pets } }) => {
    for (const [place, pet] of pets.entries()) {
      const index = statuses.findIndex((status) => status === pet.status);
      const status = index === -1 ? undefined : statuses[next(pet, index)];
      if (status !== undefined && status !== pet.status) pets[place] = { ...pet, status };
    }
  });
}

/** Each pet has by now the status that is so many steps behind its first. */
function moveAll(everyMs: number, next: (index: number, steps: number) => number): Change {
  return (base) => {
    const first = new Map<bigint, { index: number; at: number }>();
    return move(({ id, createdAt }, index) => {
      const start = first.get(id) ?? { index, at: createdAt === 0 ? Date.now() : createdAt };
      first.set(id, start);
      return next(start.index, Math.floor((Date.now() - start.at) / everyMs));
    })(base);
  };
}

/** Each that a client created moves to the next status with the second request after that, and stays there. */
const moveOnceSeen: Change = (base) => {
  const seen = new Map<bigint, number>();
  return move(({ id, createdAt }, index) => {
    const requests = (seen.get(id) ?? 0) + 1;
    seen.set(id, requests);
    return createdAt > 0 && requests === 2 ? index + 1 : index;
  })(base);
};

function removeOldest({ store }: Exchange): void {
  const index = store.pets.findIndex(({ createdAt }) => createdAt === 0);
  if (index !== -1) store.pets.splice(index, 1);
}

function removeOneOfMany(exchange: Exchange): void {
  if (exchange.store.pets.length > 110) removeOldest(exchange);
}

export const timeVariants = {
  ...allow('4: how fast an answer comes is not stated', {
    'slow: 150 ms for each answer': delay(() => 150),
    'slow-first-answer: 1.5 s for the first answer (a cold start)': delay(({ number }) => (number === 1 ? 1500 : 0)),
    'uneven-speed: up to 60 ms, so that answers overtake each other': delay(() => Math.random() * 60),
  }),
  ...allow(open.rateLimits, { 'rate-limited: 429 with Retry-After: 1 past 40 requests a second': limitRate(40) }),
  ...allow('RFC 9110 section 15.6.4: 503 with Retry-After', {
    'unavailable-at-times: 503 with Retry-After at every ninth request': refuseSome('unavailable', isEvery(9)),
    'unavailable-at-first: for the first two requests': refuseSome('starting', ({ number }) => number <= 2),
  }),
  ...allow('4: how soon a new pet is visible to other operations is not stated', {
    'lists-lag: a new pet is listed after 700 ms': hideCreatedFromLists(700),
    'get-lags: a new pet can be fetched after 500 ms': hideCreatedFromGet(500),
    'everything-lags: after 600 ms': all(hideCreatedFromLists(600), hideCreatedFromGet(600)),
    'lists-lag-long: a new pet is listed after four seconds': hideCreatedFromLists(4000),
    'get-lags-long: a new pet can be fetched after three seconds': hideCreatedFromGet(3000),
  }),
  ...allow('1: further operations are referred to, their shape is not shown', {
    'others-remove: others remove one of the pets of the start at every tenth request': meanwhile(10, removeOldest),
    'others-create-and-remove': (base) => othersCreate(isEvery(3))({ ...base, ...meanwhile(3, removeOneOfMany)(base) }),
  }),
  ...allow(open.transitions, {
    'others-create: others create a pet at every third request': othersCreate(isEvery(3)),
    'status-moves-soon: once, with the second request after a pet was created': moveOnceSeen,
    'status-moves-later': moveAll(400, (index, steps) => Math.min(index + Math.min(steps, 1), statuses.length - 1)),
    'status-moves-round: twice in a second': moveAll(500, (index, steps) => (index + steps) % statuses.length),
    'others-change-status: statuses of other pets change between requests': meanwhile(1, changeSomeStatus),
  }),
  ...allow(open.order, {
    'others-create-newest-first': all(
      othersCreate(() => true),
      reorder((pets) => pets.reverse()),
    ),
  }),
} satisfies Record<string, Variant>;
