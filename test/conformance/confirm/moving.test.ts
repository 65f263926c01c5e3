import { expect, test } from 'vitest';
import { runConformance } from '../../../src/conformance/index.js';
import { startWith } from '../../mutation/server/start-server.js';
import { closeLater, KEY } from '../support/ask.js';

const STATES = ['available', 'pending', 'sold'];

test('a state that moves on with each request is seen to change in lists and by its address, and is no defect', async () => {
  let asked = 0;
  const server = await startWith(
    [
      (base) => ({
        intercept: (exchange) => {
          asked += exchange.method === 'GET' ? 1 : 0;
          return base.intercept(exchange);
        },
        printPet: (pet, exchange) => ({
          ...base.printPet(pet, exchange),
          // At first, each state is seen to be kept.
          ...(exchange.method === 'GET' && asked > 16 ? { status: STATES[asked % STATES.length] } : {}),
        }),
      }),
    ],
    KEY,
  );
  closeLater(() => server.close());
  const { problems, notes } = await runConformance({
    target: server.url,
    apiKey: KEY,
    settleMs: 0,
    concurrency: 1,
    only: ['pets/records/*'],
  });
  expect(problems.map(({ headline }) => headline)).toEqual([]);
  expect(notes.join('\n')).toMatch(/records show another `status` than they were created with/);
});
