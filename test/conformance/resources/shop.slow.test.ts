import { describe, expect, test } from 'vitest';
import { inTurn } from '../../../scripts/turns.mjs';
import { SHOP_MUTANTS, SHOP_VARIANTS } from './shop-changes.js';
import { judgeShop, listDeviating } from './support/judge-service.js';
import { expectProblemOf } from './support/expect-problem.js';

test('a shop that keeps the contract has no problem, and nothing is inconclusive', async () => {
  const { scenarios, problems } = await judgeShop();
  expect(problems).toEqual([]);
  expect(scenarios.filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
  expect(scenarios.length).toBeGreaterThan(130);
});

describe.each(inTurn(SHOP_VARIANTS, 8))('a shop that is %s', (name) => {
  test('has no problem', async () => {
    const { problems, scenarios } = await judgeShop([name]);
    expect(problems.map(({ headline }) => headline)).toEqual([]);
    expect(scenarios.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(90);
  });
});

test.each(inTurn(Object.entries(SHOP_MUTANTS), 8))(
  'a shop with %s is found out by a scenario about it',
  async (name, about) => {
    const result = await judgeShop([name]);
    const found = listDeviating(result);
    expect(found.find((id) => about.test(id)) ?? found).toMatch(about);
    expectProblemOf(result, name);
  },
);
