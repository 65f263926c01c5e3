import { setTimeout as wait } from 'node:timers/promises';
import { makeSeedPet, statuses } from '../server/pets.js';
import type { Change, Exchange } from '../server/behaviour.js';
import { Refusal } from '../server/replies.js';
import { open, type Variant } from './variant.js';

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
  slow: { title: '150 ms for each answer', leavesOpen: speed, change: delay(() => 150) },
  'slow-first-answer': {
    title: '1.5 s for the first answer (a cold start)',
    leavesOpen: speed,
    change: delay(({ number }) => (number === 1 ? 1500 : 0)),
  },
  'uneven-speed': {
    title: 'up to 60 ms, so that answers overtake each other',
    leavesOpen: speed,
    change: delay(() => Math.random() * 60),
  },
  'rate-limited': {
    title: '429 with Retry-After: 1 past 40 requests a second',
    leavesOpen: open.rateLimits,
    change: limitRate(40),
  },
  'unavailable-at-times': {
    title: '503 with Retry-After at every ninth request',
    leavesOpen: unavailable,
    change: refuseSome(
      ({ number }) => number % 9 === 0,
      new Refusal(503, 'unavailable', 'Try again.', { 'retry-after': '1' }),
    ),
  },
  'unavailable-at-first': {
    title: '503 with Retry-After for the first two requests',
    leavesOpen: unavailable,
    change: refuseSome(({ number }) => number <= 2, new Refusal(503, 'starting', 'Try again.', { 'retry-after': '1' })),
  },
  'lists-lag': {
    title: 'a new pet is listed after 700 ms',
    leavesOpen: consistency,
    change: hideCreatedFromLists(700),
  },
  'get-lags': {
    title: 'a new pet can be fetched after 500 ms',
    leavesOpen: consistency,
    change: hideCreatedFromGet(500),
  },
  'everything-lags': {
    title: 'a new pet is visible after 600 ms',
    leavesOpen: consistency,
    change: (base) => ({ ...hideCreatedFromLists(600)(base), ...hideCreatedFromGet(600)(base) }),
  },
  'lists-lag-long': {
    title: 'a new pet is listed after four seconds',
    leavesOpen: consistency,
    change: hideCreatedFromLists(4000),
  },
  'get-lags-long': {
    title: 'a new pet can be fetched after three seconds',
    leavesOpen: consistency,
    change: hideCreatedFromGet(3000),
  },
  'others-remove': {
    title: 'others remove one of the pets of the start at every tenth request',
    leavesOpen: '1: further operations are referred to, their shape is not shown',
    change: meanwhile(10, removeOldest),
  },
  'others-create-and-remove': {
    title: 'others create a pet at every third request, and remove it soon',
    leavesOpen: '1: further operations are referred to, their shape is not shown',
    change: (base) => ({
      ...meanwhile(3, (exchange) => {
        createSomePet(exchange);
        if (exchange.store.pets.length > 110) removeOldest(exchange);
      })(base),
    }),
  },
  'others-create': {
    title: 'others create a pet at every third request',
    leavesOpen: open.transitions,
    change: meanwhile(3, createSomePet),
  },
  'others-create-newest-first': {
    title: 'others create at every request, and new pets are listed first',
    leavesOpen: open.order,
    change: (base) => ({
      ...meanwhile(1, createSomePet)(base),
      inListOrder: (store, exchange) => [...base.inListOrder(store, exchange)].reverse(),
    }),
  },
  'status-moves-soon': {
    title: 'statuses move on by themselves once, with the second request after a pet was created',
    leavesOpen: open.transitions,
    change: moveOnceSeen,
  },
  'status-moves-later': {
    title: 'statuses move on by themselves once, 400 ms after a pet was created',
    leavesOpen: open.transitions,
    change: moveStatuses(400),
  },
  'status-moves-round': {
    title: 'every status moves on by itself, round and round, twice in a second',
    leavesOpen: open.transitions,
    change: moveAll(500, (index, steps) => (index + steps) % statuses.length),
  },
  'others-change-status': {
    title: 'statuses of other pets change between requests',
    leavesOpen: open.transitions,
    change: meanwhile(1, changeSomeStatus),
  },
} satisfies Record<string, Variant>;
