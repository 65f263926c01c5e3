import { expect, test } from 'vitest';
import { runConformance } from '../../../src/conformance/index.js';
import type { WireRequest } from '../../../src/conformance/model/exchange.js';
import { createLookBudget, MOST_LOOK_REQUESTS } from '../../../src/conformance/confirm/ask.js';
import { startWith } from '../../mutation/server/start-server.js';
import { closeLater, KEY } from '../support/ask.js';

/** What a look comes to where it is no defect. */
const UNDECIDED = { needs: 'a service that keeps what was created' };

const request: WireRequest = { method: 'GET', target: '/pets', headers: {}, body: undefined };

function createBudget(): { budget: ReturnType<typeof createLookBudget>; sent: () => number } {
  let sent = 0;
  const budget = createLookBudget(() => {
    sent += 1;
    return Promise.resolve({ kind: 'answered', status: 200, headers: {}, bytes: new Uint8Array(), durationMs: 1 });
  });
  return { budget, sent: () => sent };
}

test('no more requests are sent than all second looks may cost, and what is left is undecided', async () => {
  const { budget, sent } = createBudget();
  for (let count = 0; count < MOST_LOOK_REQUESTS + 50; count++) await budget.send(request);
  expect(sent()).toBe(MOST_LOOK_REQUESTS);
  expect(budget.foresee('status listPets')).toEqual({ needs: expect.stringContaining(String(MOST_LOOK_REQUESTS)) });
  // A look that was cut short would have called a defect what it could not see.
  expect(budget.conclude('status listPets', 'defect')).toEqual({ needs: expect.any(String) });
});

test('looks that all come to a defect tell what the next one comes to, and others do not', () => {
  const { budget } = createBudget();
  for (let count = 0; count < 6; count++) {
    expect(budget.foresee('status listPets')).toBeUndefined();
    budget.conclude('status listPets', 'defect');
    budget.conclude('status getPet', count === 0 ? UNDECIDED : 'defect');
    budget.conclude('absent listPets', UNDECIDED);
  }
  expect(budget.foresee('status listPets')).toBe('defect');
  expect(budget.foresee('status getPet')).toBeUndefined();
  expect(budget.foresee('absent listPets')).toBeUndefined();
});

test('a status that is null in every list is one problem, for about as many requests as a run without it', async () => {
  const server = await startWith(
    [
      (base) => ({
        printPet: (pet, exchange) => ({
          ...base.printPet(pet, exchange),
          ...(exchange.operation === 'listPets' ? { status: null } : {}),
        }),
      }),
    ],
    KEY,
  );
  closeLater(() => server.close());
  let estimate = 0;
  const { problems, summary } = await runConformance({
    target: server.url,
    apiKey: KEY,
    only: ['pets/records/*', 'pets/lists/*'],
    settleMs: 50,
    onEvent: (event) => {
      if (event.type === 'runStarted') estimate = event.requests;
    },
  });
  expect(problems.map(({ headline }) => headline)).toEqual([expect.stringMatching(/^`status` of a record is null/)]);
  expect(summary.requests).toBeLessThan(3 * estimate + MOST_LOOK_REQUESTS);
});
