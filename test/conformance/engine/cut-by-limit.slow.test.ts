import { expect, onTestFinished, test } from 'vitest';
import { judgeResult } from '../../../src/cli/conformance/judge-result.js';
import { EXIT_WELL } from '../../../src/cli/terminal.js';
import { runConformance } from '../../../src/conformance/index.js';
import type { RunResult } from '../../../src/conformance/model/result.js';
import { KEY } from '../support/ask.js';
import { startMutationServer, type MutationServerOptions } from '../../mutation/server/start-server.js';
import type { VariantId } from '../../mutation/variants/index.js';

async function runWith(most: number, options: MutationServerOptions): Promise<RunResult> {
  const server = await startMutationServer({ ...options, apiKey: KEY });
  onTestFinished(() => server.close());
  return runConformance({ target: server.url, apiKey: KEY, maxRequests: most });
}

function judge(result: RunResult): number {
  return judgeResult(result, { failOn: undefined, minCoverage: undefined, minConcluded: 90, writeBaseline: undefined })
    .code;
}

// Services that need second looks, waiting, or the order that a whole run has.
test.each(
  (
    [
      'pages-of-at-most-50',
      'hundred-pets',
      'others-create',
      'connection-close',
      'uneven-speed',
      'lists-lag',
      'get-lags',
    ] as const satisfies VariantId[]
  ).flatMap((variant) => [10, 18, 25, 60].map((most) => [variant, most] as const)),
)('%s is as sound with %i requests as with all', async (variant, most) => {
  const result = await runWith(most, { variant });
  expect(result.problems.map(({ headline }) => headline)).toEqual([]);
  expect(result.summary.requests).toBeLessThanOrEqual(most);
  expect(judge(result)).toBe(EXIT_WELL);
  // What a limit cut, it did not leave to another reason.
  const reasons = result.scenarios.flatMap(({ verdict, reason = '' }) => (verdict === 'inconclusive' ? [reason] : []));
  expect(reasons.filter((reason) => /builds on|run the scenarios of/.test(reason))).toEqual([]);
});

test('a defect that is certain is told however few requests are left', async () => {
  expect((await runWith(10, { mutants: ['list-name-missing'] })).summary.problems).toBe(1);
});
