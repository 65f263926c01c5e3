import { describe, expect, test } from 'vitest';
import type { RunResult } from '../../../src/conformance/model/result.js';
import { SHOP_MUTANTS, SHOP_VARIANTS } from './shop-changes.js';
import { judgeShop } from './support/judge-shop.js';

function listDeviating({ scenarios }: RunResult): string[] {
  return scenarios.filter(({ verdict }) => verdict === 'deviated').map(({ id }) => id);
}

test('a shop that keeps the contract has no problem, and nothing is inconclusive', async () => {
  const { scenarios, problems } = await judgeShop();
  expect(problems).toEqual([]);
  expect(scenarios.filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
  expect(scenarios.length).toBeGreaterThan(120);
});

describe.each(SHOP_VARIANTS)('a shop that is %s', (name) => {
  test('has no problem', async () => {
    const { problems, scenarios } = await judgeShop([name]);
    expect(problems.map(({ headline }) => headline)).toEqual([]);
    expect(scenarios.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(90);
  });
});

describe.each(Object.entries(SHOP_MUTANTS))('a shop with %s', (name, about) => {
  test('is found out by a scenario about it', async () => {
    const found = listDeviating(await judgeShop([name]));
    expect(found.find((id) => about.test(id)) ?? found).toMatch(about);
  });
});
