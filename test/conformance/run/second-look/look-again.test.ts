import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { runConformance } from '../../../../src/conformance/index.js';
import type { ConformanceOptions } from '../../../../src/conformance/model/options.js';
import type { Change } from '../../../mutation/server/behaviour.js';
import { changePets, readParameter, seedAtLeast } from '../../../mutation/mutants/planting.js';
import type { Pet } from '../../../mutation/server/pets.js';
import { startWith } from '../../../mutation/server/start-server.js';
import { variants } from '../../../mutation/variants/index.js';
import { closeLater, KEY } from '../../support/ask.js';

interface Judged {
  deviated: string[];
  observed: string[];
  inconclusive: string[];
  gaps: Record<string, unknown>;
  notes: string;
}

async function judge(changes: Change[], options: Partial<ConformanceOptions>): Promise<Judged> {
  const server = await startWith(changes, KEY);
  closeLater(() => server.close());
  const result = await runConformance({ target: server.url, apiKey: KEY, settleMs: 300, ...options });
  const listIds = (verdict: string): string[] =>
    result.scenarios.filter((scenario) => scenario.verdict === verdict).map(({ id }) => id);
  return {
    deviated: listIds('deviated'),
    observed: listIds('observed'),
    inconclusive: listIds('inconclusive'),
    gaps: Object.fromEntries(result.gaps.map(({ id, answer }) => [id, answer])),
    notes: result.notes.join('\n'),
  };
}

const SLOWER = 20;

/** Lets the run take a busy machine for a prompt one: only of a prompt service it concludes that a status had no time to move. */
function slowClock(): void {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() / SLOWER);
}

afterEach(() => {
  vi.restoreAllMocks();
});

/** Each status moves on once, two requests after it was first there: by the clock, a fast run could be over before. */
const movesSoon: Change = (base) => {
  const since = new Map<unknown, number>();
  return {
    intercept: (exchange) => {
      const { pets } = exchange.store;
      for (const [place, pet] of pets.entries()) {
        if (pet.createdAt === 0) continue;
        const first = since.get(pet.id) ?? exchange.number;
        since.set(pet.id, first);
        if (exchange.number - first === 2 && pet.status === 'available') pets[place] = { ...pet, status: 'pending' };
        else if (exchange.number - first === 2 && pet.status === 'pending') pets[place] = { ...pet, status: 'sold' };
      }
      return base.intercept(exchange);
    },
  };
};

const CREATED = ['create/minimal', 'create/with-status*', 'sequences/all-created'];

test('a status that moves by itself is observed and worth a look, and no deviation', async () => {
  const { deviated, gaps, notes } = await judge([movesSoon], { only: CREATED });
  expect(deviated).toEqual([]);
  expect(gaps).toMatchObject({ 'status-after-create': 'moves-by-itself', 'short-pages': 'not-observed' });
  expect(notes).toContain('worth a look: status-after-create is moves-by-itself');
});

/** Before each list of one status, one of its pets gets the next one, or goes: the page after a long list is shorter by it. */
function losesOneBefore(lose: (pets: Pet[], place: number) => void): Change {
  return (base) => ({
    intercept: (exchange) => {
      const { pets } = exchange.store;
      const place = pets.findIndex(({ status }) => status === readParameter(exchange, 'status'));
      if (exchange.operation === 'listPets' && exchange.query.has('status') && place !== -1) lose(pets, place);
      return base.intercept(exchange);
    },
  });
}

const moveOne = losesOneBefore((pets, place) => {
  const pet = pets[place];
  if (pet !== undefined) pets[place] = { ...pet, status: pet.status === 'sold' ? 'available' : 'sold' };
});
const removeOne = losesOneBefore((pets, place) => void pets.splice(place, 1));

test.each([
  ['moves', moveOne],
  ['is removed', removeOne],
])('a page that is shorter since a pet %s meanwhile is no short page', async (_what, change) => {
  const { deviated, gaps } = await judge([seedAtLeast(40), change], { only: ['limits/exact'] });
  expect({ deviated, shown: gaps['short-pages'] }).toEqual({ deviated: [], shown: 'not-observed' });
});

test('a strict run calls a status that moves by itself a deviation, and no note besides', async () => {
  const strict = await judge([movesSoon], { only: CREATED, strict: true });
  expect(strict.deviated).not.toEqual([]);
  expect(strict.gaps).toMatchObject({ 'status-after-create': 'moves-by-itself' });
  expect(strict.notes).not.toContain('worth a look');
});

test('a status that shows in lists and in no fetch has not moved', async () => {
  const differs = changePets('listPets', (pet, { createdAt }) =>
    createdAt > 0 && pet.status === 'pending' ? { ...pet, status: 'sold' } : pet,
  );
  expect((await judge([differs], { only: CREATED })).deviated).toContain('create/with-status[pending]');
});

test('a status that was answered and never stored has not moved', async () => {
  slowClock();
  const stored: Change = (base) => ({
    createPet: async (pet, exchange) => {
      const created = await base.createPet({ ...pet, status: 'pending' }, exchange);
      return { ...created, ...(pet.status === undefined ? {} : { status: pet.status }) };
    },
  });
  const { deviated } = await judge([stored], {
    only: ['create/minimal', 'create/with-status*'],
    settleMs: 300 / SLOWER,
  });
  expect(deviated).not.toEqual([]);
});

test('a status that was never stored is seen where few reads are prompt', async () => {
  slowClock();
  let created = 0;
  const stored: Change = (base) => ({
    createPet: async (pet, exchange) => {
      if (created++ % 7 !== 6) await wait(16 * SLOWER);
      return { ...(await base.createPet({ ...pet, status: 'pending' }, exchange)), status: pet.status ?? 'pending' };
    },
  });
  const { deviated } = await judge([stored], {
    only: ['create/with-status[available]'],
    settleMs: 300 / SLOWER,
  });
  expect(deviated).not.toEqual([]);
});

test.each(['available', null])(
  'a pet that a filtered list lacks has not moved since fetches show %s',
  async (shown) => {
    const wrong = changePets('getPet', (pet) => ({ ...pet, status: shown }));
    const lost: Change = (base) => ({
      matchesFilter: (pet, status, exchange) =>
        base.matchesFilter(pet, status, exchange) && !(status === 'sold' && pet.status === 'sold'),
    });
    const { deviated } = await judge([wrong, lost], { only: ['status-filter/all'] });
    expect(deviated).toContain('status-filter/all[sold]');
  },
);

test('a filtered list lacks no pet whose status the whole list alone shows', async () => {
  const swapped = changePets('listPets', (pet) => (pet['status'] === 'pending' ? { ...pet, status: 'sold' } : pet));
  const { deviated } = await judge([swapped], { only: ['status-filter/all'] });
  expect(deviated).not.toContain('status-filter/all[sold]');
});

const PAGES = ['limits/page*', 'limits/maximum', 'create/minimal', 'create/with-status*'];

test.each(['pages-of-at-most-50', 'pages-one-shorter', 'pages-of-any-length'] as const)(
  'a short page is observed and worth a look, and what it leaves out is not called lost: %s',
  async (id) => {
    const { deviated, gaps, notes } = await judge([variants[id].change], { only: PAGES, maxCreates: 20 });
    expect(deviated).toEqual([]);
    expect(gaps).toMatchObject({ 'short-pages': 'shorter' });
    expect(notes).toContain('worth a look: short-pages is shorter');
  },
);

test('a list that becomes too long for its pages while the run creates is not called one that loses', async () => {
  expect((await judge([variants['pages-that-grow-full'].change], { only: ['create/*'] })).deviated).toEqual([]);
});

test('a strict run calls a short page a deviation', async () => {
  const { deviated, gaps } = await judge([variants['pages-one-shorter'].change], { only: PAGES, strict: true });
  expect(deviated).toContain('limits/page[5]');
  expect(gaps).toMatchObject({ 'short-pages': 'shorter' });
});

test('a pet that is missing from a filtered list which others outdo is lost, in no short page', async () => {
  const lost: Change = (base) => ({
    matchesFilter: (pet, status, exchange) =>
      base.matchesFilter(pet, status, exchange) && (status === undefined || pet.createdAt === 0),
  });
  const { deviated, gaps } = await judge([lost], { only: CREATED });
  expect(deviated).toContain('create/with-status[sold]');
  expect(gaps).not.toMatchObject({ 'short-pages': 'shorter' });
});

test('a page that is longer than its limit is a deviation all the same', async () => {
  const longer: Change = (base) => ({
    choosePage: (pets, query, exchange) => base.choosePage(pets, { ...query, limit: query.limit + 1 }, exchange),
  });
  expect((await judge([longer, seedAtLeast(45)], { only: ['limits/page*'] })).deviated).toContain('limits/page[5]');
});
