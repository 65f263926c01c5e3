import { expect, test } from 'vitest';
import { runConformance } from '../../../src/conformance/index.js';
import { startPetstoreMock } from '../../../src/index.js';

const RUNS = 8;
/** A collection that has grown past its longest page has no whole list: of each status two, of equal records one. */
const MOST_LOST = 7;
const NEEDS_WHOLE_LIST = /^needs a list that can be read to its end: .* remove records of earlier runs/;

test('the eighth run against one mock concludes what the first does, and what it leaves open says what helps', async () => {
  const mock = await startPetstoreMock();
  try {
    const first = new Set<string>();
    for (let turn = 0; turn < RUNS; turn++) {
      const { summary, scenarios } = await runConformance({ target: mock.url, apiKey: 'petstore-dev-key' });
      expect(summary.problems).toBe(0);
      const open = scenarios.filter(({ verdict }) => !['passed', 'observed'].includes(verdict));
      if (turn === 0) for (const { id } of scenarios) if (open.every((each) => each.id !== id)) first.add(id);
      const lost = open.filter(({ id }) => first.has(id));
      expect(lost.filter(({ reason = '' }) => !NEEDS_WHOLE_LIST.test(reason))).toEqual([]);
      expect(lost.length).toBeLessThanOrEqual(MOST_LOST);
      const inconclusive = open.filter(({ verdict }) => verdict === 'inconclusive');
      for (const { reason } of inconclusive) expect(reason).toMatch(/allow --max-creates \d+$|earlier runs/);
    }
    expect(first.size).toBeGreaterThan(200);
  } finally {
    await mock.close();
  }
}, 600_000);
