import { expect, test } from 'vitest';
import type { RunEvent } from '../../../src/conformance/model/options.js';
import { runConformance } from '../../../src/conformance/product/run-conformance.js';

test('a target that cannot be reached is told as a result, and thrown', async () => {
  const events: RunEvent[] = [];
  const run = runConformance({
    target: 'http://127.0.0.1:9/v1',
    apiKey: 'some-key',
    only: ['pets/lists/*'],
    onEvent: (event) => void events.push(event),
  });
  await expect(run).rejects.toMatchObject({ code: 'target-unreachable' });
  const results = events.flatMap((event) => (event.type === 'runFinished' ? [event.result] : []));
  expect(results).toMatchObject([{ targetLost: true, summary: { passed: 0, deviated: 0 } }]);
  expect(results[0]?.scenarios.length).toBeGreaterThan(0);
  expect(results[0]?.scenarios.every(({ verdict }) => verdict === 'inconclusive')).toBe(true);
  expect(results[0]?.scenarios[0]?.reason).toContain('nothing listens there');
});
