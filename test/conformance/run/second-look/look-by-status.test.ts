import { expect, test } from 'vitest';
import { runConformance } from '../../../../src/conformance/index.js';
import type { RunResult } from '../../../../src/conformance/model/result.js';
import { mutants } from '../../../mutation/mutants/index.js';
import { changePets, readParameter, seedAtLeast } from '../../../mutation/mutants/planting.js';
import type { Change } from '../../../mutation/server/behaviour.js';
import { startWith } from '../../../mutation/server/start-server.js';
import { closeLater, KEY } from '../../support/ask.js';

// A full list of all pets tells nothing of one that it lacks; the lists by status may.

async function lookForLost(changes: Change[]): Promise<{ verdict: string; reason: string; headlines: string[] }> {
  const server = await startWith(changes, KEY);
  closeLater(() => server.close());
  const only = ['list/complete', 'create/with-status'];
  const result: RunResult = await runConformance({ target: server.url, apiKey: KEY, settleMs: 300, only });
  const { verdict = '', reason = '' } = result.scenarios.find(({ id }) => id === 'list/complete') ?? {};
  return { verdict, reason, headlines: result.problems.map(({ headline }) => headline) };
}

const LOST = 'A list filtered by status lacks pets that have the status';

test('where the list of all is full, the lists by status show that none is lost', async () => {
  expect(await lookForLost([seedAtLeast(130)])).toEqual({ verdict: 'passed', reason: '', headlines: [] });
});

test('and that one is', async () => {
  const { change } = mutants['first-pet-in-no-list'];
  expect(await lookForLost([seedAtLeast(130), change])).toMatchObject({ verdict: 'deviated', headlines: [LOST] });
});

test('a full list by status tells no more than that of all', async () => {
  const { change } = mutants['first-pet-in-no-list'];
  const { verdict, reason, headlines } = await lookForLost([seedAtLeast(400), change]);
  expect({ verdict, headlines }).toEqual({ verdict: 'inconclusive', headlines: [] });
  expect(reason).toContain('a list shorter than its limit');
});

test('nor do lists by status that show a pet late', async () => {
  const late: Change = (base) => ({
    matchesFilter: (pet, status, exchange) =>
      base.matchesFilter(pet, status, exchange) && (status === undefined || Date.now() - pet.createdAt > 100),
  });
  expect((await lookForLost([seedAtLeast(99), late])).headlines).toEqual([]);
});

test('or pages of which the others are left out', async () => {
  const afterPaging: Change = (base) => ({
    choosePage: (pets, query, exchange) => {
      const page = base.choosePage(pets, { ...query, status: undefined }, exchange);
      return page.filter((pet) => base.matchesFilter(pet, query.status, exchange));
    },
  });
  const { headlines } = await lookForLost([seedAtLeast(130), afterPaging]);
  expect(headlines).not.toContain(LOST);
});

test('a pet that is fetched with a wrong status is not lost for that', async () => {
  const wrong = changePets('getPet', (pet) => (pet.status === 'pending' ? { ...pet, status: 'sold' } : pet));
  const { verdict, headlines } = await lookForLost([seedAtLeast(130), wrong]);
  expect({ verdict, lost: headlines.includes(LOST) }).toEqual({ verdict: 'passed', lost: false });
});

test('lists by status that are refused tell nothing', async () => {
  const refused: Change = (base) => ({
    intercept: (exchange) =>
      readParameter(exchange, 'status') === undefined
        ? base.intercept(exchange)
        : { status: 500, headers: {}, json: { code: 'x', message: 'x', status: 500n } },
  });
  expect((await lookForLost([seedAtLeast(130), refused])).verdict).toBe('inconclusive');
});
