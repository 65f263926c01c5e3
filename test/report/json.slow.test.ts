import { expect, test } from 'vitest';
import { runConformance } from '../../src/conformance/product/run-conformance.js';
import { reportFormats } from '../../src/report/index.js';
import type { MutantId } from '../mutation/mutants/index.js';
import { startMutationServer } from '../mutation/server/start-server.js';
import { judgeClosedResult, judgeResult } from '../support/judges/judge-json.js';

const RUNS: readonly MutantId[][] = [[], ['filter-ignored', 'get-text-id-500'], ['body-without-last-chunk']];

test.each(RUNS.map((mutants) => ({ mutants })))('the result of a whole run fits its schema: $mutants', async (run) => {
  const server = await startMutationServer(run);
  try {
    const result = await runConformance({ target: server.url, apiKey: server.apiKey, settleMs: 0 });
    const text = reportFormats['json']?.write(result, { color: true, quiet: true }) ?? '';
    expect([judgeResult(text), judgeClosedResult(text)]).toEqual([[], []]);
  } finally {
    await server.close();
  }
});
