import { describe, expect, test } from 'vitest';
import { runConformance } from '../../../src/conformance/run-conformance.js';
import type { RunResult } from '../../../src/conformance/result.js';
import { packageFile } from '../../../src/package-files.js';
import { SHOP_MUTANTS, SHOP_VARIANTS } from './shop-changes.js';
import { SHOP_KEY, startShop } from './shop-server.js';

async function judge(...changes: string[]): Promise<RunResult> {
  const shop = await startShop(...changes);
  try {
    return await runConformance({
      target: shop.url,
      apiKey: SHOP_KEY,
      spec: packageFile('test/conformance/subjects/shop.openapi.yaml'),
      settleMs: 30,
    });
  } finally {
    await shop.close();
  }
}

function listDeviating({ scenarios }: RunResult): string[] {
  return scenarios.filter(({ verdict }) => verdict === 'deviated').map(({ id }) => id);
}

test('a shop that keeps the contract has no problem, and nothing is inconclusive', async () => {
  const { scenarios, problems } = await judge();
  expect(problems).toEqual([]);
  expect(scenarios.filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
  expect(scenarios.length).toBeGreaterThan(120);
});

describe.each(SHOP_VARIANTS)('a shop that is %s', (name) => {
  test('has no problem', async () => {
    const { problems, scenarios } = await judge(name);
    expect(problems.map(({ headline }) => headline)).toEqual([]);
    expect(scenarios.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(90);
  });
});

describe.each(Object.entries(SHOP_MUTANTS))('a shop with %s', (name, about) => {
  test('is found out by a scenario about it', async () => {
    const found = listDeviating(await judge(name));
    expect(found.find((id) => about.test(id)) ?? found).toMatch(about);
  });
});
