import { afterEach, expect, test, vi } from 'vitest';
import type { ConformanceOptions } from '../../../src/conformance/model/options.js';
import { readParameter } from '../../mutation/mutants/planting.js';
import type { Change } from '../../mutation/server/behaviour.js';
import { runPets } from '../support/ask.js';

type Judged = { deviated: string[]; gaps: Record<string, unknown>; notes: string };

async function judge(changes: Change[], options: Partial<ConformanceOptions>): Promise<Judged> {
  const { scenarios, gaps, notes } = await runPets(changes, { settleMs: 300, ...options });
  return {
    deviated: scenarios.filter(({ verdict }) => verdict === 'deviated').map(({ id }) => id),
    gaps: Object.fromEntries(gaps.map(({ id, answer }) => [id, answer])),
    notes: notes.join('\n'),
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

const CREATED = ['pets/records/*', 'pets/sequences/later-listed'];

test('a status that moves by itself is observed and worth a look, and a deviation of a strict run alone', async () => {
  const { deviated, gaps, notes } = await judge([movesSoon], { only: CREATED });
  expect(deviated).toEqual([]);
  expect(gaps).toMatchObject({ 'status-after-create': 'moves-by-itself', 'short-pages': 'not-observed' });
  expect(notes).toContain('warning: status-after-create is moves-by-itself');
  const strict = await judge([movesSoon], { only: CREATED, strict: true });
  expect(strict.deviated).not.toEqual([]);
  expect(strict.gaps).toMatchObject({ 'status-after-create': 'moves-by-itself' });
  expect(strict.notes).not.toContain('worth a look');
});

test('a page that is shorter since a record is removed meanwhile is no short page', async () => {
  const removed: Change = (base) => ({
    seed: () => base.seed().slice(0, 2),
    intercept: (exchange) => {
      if (readParameter(exchange, 'limit') === '2') exchange.store.pets.pop();
      return base.intercept(exchange);
    },
  });
  const { deviated, gaps } = await judge([removed], { only: ['pets/gaps/short-pages'] });
  expect({ deviated, shown: gaps['short-pages'] }).toEqual({ deviated: [], shown: 'not-observed' });
});

test('a status that was answered and never stored has not moved', async () => {
  slowClock();
  const stored: Change = (base) => ({
    createPet: async (pet, exchange) => {
      const created = await base.createPet({ ...pet, status: 'pending' }, exchange);
      return { ...created, ...(pet.status === undefined ? {} : { status: pet.status }) };
    },
  });
  const { deviated } = await judge([stored], { only: ['pets/records/get-full'], settleMs: 300 / SLOWER });
  expect(deviated).toEqual(['pets/records/get-full']);
});

const PAGES = ['pets/records/*', 'pets/lists/*', 'pets/gaps/short-pages'];

test('a record that is missing from a filtered list which others outdo is lost, in no short page', async () => {
  const lost: Change = (base) => ({
    matchesFilter: (pet, status, exchange) =>
      base.matchesFilter(pet, status, exchange) && (status === undefined || pet.createdAt === 0),
  });
  const { deviated, gaps } = await judge([lost], { only: PAGES });
  expect(deviated).toContain('pets/lists/filter[status]');
  expect(gaps).not.toMatchObject({ 'short-pages': 'shorter' });
});
