import { expect, test } from 'vitest';
import { runConformance } from '../../../src/conformance/index.js';
import type { Change, Exchange } from '../../mutation/server/behaviour.js';
import { closeLater, KEY } from '../support/ask.js';
import { startWith } from '../../mutation/server/start-server.js';

function sentId({ body }: Exchange): bigint | undefined {
  const [, digits] = /"id":(\d+)/.exec(body.toString()) ?? [];
  return digits === undefined ? undefined : BigInt(digits);
}

/** Takes the id of the client where it allows. */
const takesIds =
  (allows: (id: bigint, exchange: Exchange) => boolean): Change =>
  (base) => ({
    async createPet(pet, exchange) {
      const created = await base.createPet(pet, exchange);
      const id = sentId(exchange);
      if (id === undefined || !allows(id, exchange)) return created;
      const own = { ...created, id };
      exchange.store.pets[exchange.store.pets.indexOf(created)] = own;
      return own;
    },
  });

async function judge(change: Change): Promise<unknown[]> {
  const server = await startWith([change], KEY);
  closeLater(() => server.close());
  const only = ['pets/gaps/client-id'];
  const { scenarios, gaps } = await runConformance({ target: server.url, apiKey: KEY, only, settleMs: 0 });
  const verdicts = scenarios.filter(({ id }) => id.includes('client-id')).map(({ id, verdict }) => `${id} ${verdict}`);
  return [...verdicts, gaps.find(({ id }) => id === 'client-id')?.answer];
}

test('a service that takes an id of the client which no pet has fits no named choice, and deviates nowhere', async () => {
  const isFree = (id: bigint, { store }: Exchange): boolean => store.pets.every((pet) => pet.id !== id);
  expect(await judge(takesIds(isFree))).toEqual(['pets/gaps/client-id observed', 'other']);
});

test('a service that gives one id to all is asked for no id that it may give next, and the run goes on', async () => {
  const sameForAll: Change = (base) => ({
    createPet: async (pet, exchange) => ({ ...(await base.createPet(pet, exchange)), id: 0n }),
  });
  const server = await startWith([sameForAll], KEY);
  closeLater(() => server.close());
  const only = ['pets/records/*', 'pets/gaps/client-id'];
  const { scenarios } = await runConformance({ target: server.url, apiKey: KEY, only, settleMs: 0 });
  expect(scenarios.some(({ verdict }) => verdict === 'deviated')).toBe(true);
});
