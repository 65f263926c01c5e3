import { expect, test } from 'vitest';
import { runConformance } from '../../../src/conformance/index.js';
import { startPetstoreMock } from '../../../src/index.js';

const RUNS = 8;
/** What needs a whole list, which a collection that has grown past its longest page has not: of each status two, of equal records one. */
const MOST_LOST = 7;

test('the eighth run against one mock concludes what the first does, and what it leaves open says what helps', async () => {
  const mock = await startPetstoreMock();
  try {
    const concluded: number[] = [];
    for (let turn = 0; turn < RUNS; turn++) {
      const { summary, scenarios } = await runConformance({ target: mock.url, apiKey: 'petstore-dev-key' });
      expect(summary.problems).toBe(0);
      concluded.push(summary.passed + summary.observed);
      const reasons = scenarios.flatMap(({ verdict, reason }) => (verdict === 'inconclusive' ? [reason] : []));
      for (const reason of reasons) expect(reason).toMatch(/allow --max-creates \d+$|earlier runs/);
    }
    expect(Math.min(...concluded)).toBeGreaterThanOrEqual((concluded[0] ?? 0) - MOST_LOST);
  } finally {
    await mock.close();
  }
}, 600_000);
