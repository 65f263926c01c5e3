import { expect, onTestFinished, test } from 'vitest';
import { runConformance } from '../../../../src/conformance/index.js';
import type { RunResult } from '../../../../src/conformance/model/result.js';
import { KEY } from '../../support/ask.js';
import { startMutationServer } from '../../../mutation/server/start-server.js';

async function run(maxCreates: number, variant: { variant?: 'no-pets' }): Promise<RunResult> {
  const server = await startMutationServer({ ...variant, apiKey: KEY });
  onTestFinished(() => server.close());
  return runConformance({ target: server.url, apiKey: KEY, settleMs: 200, maxCreates });
}

/** The values of `--max-creates` that reasons ask for. */
function readAsked({ scenarios }: RunResult): number[] {
  const reasons = scenarios.flatMap(({ reason = '' }) => /--max-creates (\d+)/.exec(reason)?.[1] ?? []);
  return [...new Set(reasons.map(Number))];
}

test.each([[{}], [{ variant: 'no-pets' as const }]])(
  'the first number that a run of %j asks for is the last: it suffices for all',
  async (variant) => {
    const asked = readAsked(await run(20, variant));
    expect(asked.length).toBe(1);
    const result = await run(asked[0] ?? 0, variant);
    expect([readAsked(result), result.summary.inconclusive]).toEqual([[], 0]);
    expect(result.summary.created).toBeGreaterThan((asked[0] ?? 0) / 2);
  },
);
