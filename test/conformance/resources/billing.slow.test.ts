import { expect, test } from 'vitest';
import { inTurn } from '../../../scripts/turns.mjs';
import { judgeBilling, listDeviating } from './support/judge-service.js';
import { BILLING_MUTANTS, BILLING_VARIANTS } from './support/billing-changes.js';

test('a billing service that keeps its contract has no problem, and nothing is inconclusive', async () => {
  const { scenarios, problems } = await judgeBilling();
  expect(problems.map(({ headline }) => headline)).toEqual([]);
  expect(scenarios.filter(({ verdict }) => verdict === 'inconclusive').map(({ id, reason }) => [id, reason])).toEqual(
    [],
  );
  expect(scenarios.length).toBeGreaterThan(150);
});

test.each(inTurn(BILLING_VARIANTS, 8))('a billing service that is %s has no problem', async (name) => {
  const { scenarios, problems } = await judgeBilling([name]);
  expect(problems.map(({ headline }) => headline)).toEqual([]);
  expect(scenarios.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(90);
});

test.each(inTurn(Object.entries(BILLING_MUTANTS), 8))(
  'a billing service with %s is found out by a scenario about it',
  async (name, about) => {
    const found = listDeviating(await judgeBilling([name], [about.endsWith(']') ? about : `${about}*`]));
    expect(found.filter((id) => id.startsWith(about))).not.toEqual([]);
  },
);
