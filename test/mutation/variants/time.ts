import { setTimeout as wait } from 'node:timers/promises';
import { makeSeedPet, statuses } from '../server/pets.js';
import type { Change, Exchange } from '../server/behaviour.js';
import { Refusal } from '../server/replies.js';
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
  return (base) => ({
    intercept: (exchange) => {
      if (exchange.number % every === 0) happen(exchange);
      return base.intercept(exchange);
    },
  });
}

function refuseSome(test: (exchange: Exchange) => boolean, refusal: Refusal): Change {
  return (base) => ({ intercept: (exchange) => (test(exchange) ? refusal : base.intercept(exchange)) });
}

const speed = '4: how fast an answer comes is not stated';
const consistency = '4: how soon a new pet is visible to other operations is not stated';
const unavailable = 'RFC 9110 section 15.6.4: 503 with Retry-After';

/** Refuses what goes past `burst` requests in a second. */
function limitRate(burst: number): Change {
  return (base) => {
    let recent: number[] = [];
    return {
      intercept: (exchange) => {
        const now = performance.now();
        recent = recent.filter((time) => now - time < 1000);
        if (recent.length >= burst) return new Refusal(429, 'too_many_requests', 'Slow down.', { 'retry-after': '1' });
        recent.push(now);
        return base.intercept(exchange);
      },
    };
  };
}

function hideCreatedFromLists(milliseconds: number): Change {
  return (base) => ({
    *inListOrder(store, exchange) {
      for (const pet of base.inListOrder(store, exchange)) {
        if (Date.now() - pet.createdAt >= milliseconds) yield pet;
      }
    },
  });
}

function hideCreatedFromGet(milliseconds: number): Change {
  return (base) => ({
    findPet: (id, exchange) => {
      const pet = base.findPet(id, exchange);
      return pet !== undefined && Date.now() - pet.createdAt >= milliseconds ? pet : undefined;
    },
  });
}

/** Gives one of the pets of the start the next status. */
function changeSomeStatus({ store, number }: Exchange): void {
  const olds = store.pets.flatMap(({ createdAt }, index) => (createdAt === 0 ? [index] : []));
  const index = olds[number % olds.length];
  const pet = index === undefined ? undefined : store.pets[index];
  const status = statuses[number % statuses.length];
  if (index !== undefined && pet !== undefined && status !== undefined) store.pets[index] = { ...pet, status };
}

/** Each pet with a status is by now what `next` makes of it; the store itself is kept up to date. */
function moveAll(everyMs: number, next: (index: number, steps: number) => number): Change {
  const first = new Map<bigint, { index: number; at: number }>();
  return (base) => ({
    intercept: (exchange) => {
      const { pets } = exchange.store;
      for (const [place, pet] of pets.entries()) {
        const index = statuses.findIndex((status) => status === pet.status);
        if (index === -1) continue;
        const start = first.get(pet.id) ?? { index, at: pet.createdAt === 0 ? Date.now() : pet.createdAt };
        first.set(pet.id, start);
        const status = statuses[next(start.index, Math.floor((Date.now() - start.at) / everyMs))];
        if (status !== undefined && status !== pet.status) pets[place] = { ...pet, status };
      }
      return base.intercept(exchange);
    },
  });
}

/** Each that a client created moves to the next status with the second request after that, and stays there. */
const moveOnceSeen: Change = (base) => {
  const seen = new Map<bigint, number>();
  return {
    intercept: (exchange) => {
      const { pets } = exchange.store;
      for (const [place, pet] of pets.entries()) {
        if (pet.createdAt === 0) continue;
        const requests = (seen.get(pet.id) ?? 0) + 1;
        seen.set(pet.id, requests);
        const index = statuses.findIndex((status) => status === pet.status);
        const status = statuses[index + 1];
        if (requests === 2 && index !== -1 && status !== undefined) pets[place] = { ...pet, status };
      }
      return base.intercept(exchange);
    },
  };
};

/** Each moves to the next status once, and stays there. */
function moveStatuses(afterMs: number): Change {
  return moveAll(afterMs, (index, steps) => Math.min(index + Math.min(steps, 1), statuses.length - 1));
}

function removeOldest({ store }: Exchange): void {
  const index = store.pets.findIndex(({ createdAt }) => createdAt === 0);
  if (index !== -1) store.pets.splice(index, 1);
}

function createSomePet(exchange: Exchange): void {
  const { createdAt: _createdAt, id: _id, ...pet } = makeSeedPet(exchange.number);
  void exchange.server.createPet(pet, exchange);
}

export const timeVariants = {
  ...allow(speed, {
    'slow: 150 ms for each answer': delay(() => 150),
    'slow-first-answer: 1.5 s for the first answer (a cold start)': delay(({ number }) => (number === 1 ? 1500 : 0)),
    'uneven-speed: up to 60 ms, so that answers overtake each other': delay(() => Math.random() * 60),
  }),
  ...allow(open.rateLimits, { 'rate-limited: 429 with Retry-After: 1 past 40 requests a second': limitRate(40) }),
  ...allow(unavailable, {
    'unavailable-at-times: 503 with Retry-After at every ninth request': refuseSome(
      ({ number }) => number % 9 === 0,
      new Refusal(503, 'unavailable', 'Try again.', { 'retry-after': '1' }),
    ),
    'unavailable-at-first: 503 with Retry-After for the first two requests': refuseSome(
      ({ number }) => number <= 2,
      new Refusal(503, 'starting', 'Try again.', { 'retry-after': '1' }),
    ),
  }),
  ...allow(consistency, {
    'lists-lag: a new pet is listed after 700 ms': hideCreatedFromLists(700),
    'get-lags: a new pet can be fetched after 500 ms': hideCreatedFromGet(500),
    'everything-lags: a new pet is visible after 600 ms': (base) => ({
      ...hideCreatedFromLists(600)(base),
      ...hideCreatedFromGet(600)(base),
    }),
    'lists-lag-long: a new pet is listed after four seconds': hideCreatedFromLists(4000),
    'get-lags-long: a new pet can be fetched after three seconds': hideCreatedFromGet(3000),
  }),
  ...allow('1: further operations are referred to, their shape is not shown', {
    'others-remove: others remove one of the pets of the start at every tenth request': meanwhile(10, removeOldest),
    'others-create-and-remove: others create a pet at every third request, and remove it soon': (base) => ({
      ...meanwhile(3, (exchange) => {
        createSomePet(exchange);
        if (exchange.store.pets.length > 110) removeOldest(exchange);
      })(base),
    }),
  }),
  ...allow(open.transitions, {
    'others-create: others create a pet at every third request': meanwhile(3, createSomePet),
    'status-moves-soon: statuses move on by themselves once, with the second request after a pet was created':
      moveOnceSeen,
    'status-moves-later: statuses move on by themselves once, 400 ms after a pet was created': moveStatuses(400),
    'status-moves-round: every status moves on by itself, round and round, twice in a second': moveAll(
      500,
      (index, steps) => (index + steps) % statuses.length,
    ),
    'others-change-status: statuses of other pets change between requests': meanwhile(1, changeSomeStatus),
  }),
  ...allow(open.order, {
    'others-create-newest-first: others create at every request, and new pets are listed first': (base) => ({
      ...meanwhile(1, createSomePet)(base),
      inListOrder: (store, exchange) => [...base.inListOrder(store, exchange)].reverse(),
    }),
  }),
} satisfies Record<string, Variant>;
