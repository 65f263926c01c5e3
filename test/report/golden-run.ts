import type { ExchangeResult, RunResult } from '../../src/conformance/model/result.js';
import { runConformance } from '../../src/conformance/product/run-conformance.js';
import { packageFile } from '../../src/package-files.js';
import { startMutationServer } from '../mutation/server/start-server.js';

/** Runs one scenario or more for each verdict against a service with a handful of problems, and takes out what differs from run to run. */
export async function runGolden(): Promise<RunResult> {
  const server = await startMutationServer({
    mutants: ['filter-sold-includes-pending', 'limit-1-gives-2', 'error-code-missing', 'create-category-as-text'],
  });
  try {
    const result = await runConformance({
      target: server.url,
      apiKey: server.apiKey,
      scenarios: [packageFile('test/report/golden/golden.yaml')],
      only: ['golden/*'],
      baseline: packageFile('test/report/golden/known.yaml'),
      concurrency: 1,
      settleMs: 0,
    });
    return steady(result, server.url);
  } finally {
    await server.close();
  }
}

/** The port, times, durations, versions and the folder of this checkout are other ones in every run. */
function steady(result: RunResult, url: string): RunResult {
  const text = JSON.stringify(result)
    .replaceAll(url, 'http://127.0.0.1:4010/v1')
    .replaceAll(packageFile('.'), '/srv/petstore-mock/')
    .replaceAll(/petstore-conformance\/\d[\w.-]*/g, 'petstore-conformance/1.2.3');
  const copy = JSON.parse(text) as RunResult;
  // The others come and go with gaps.yaml.
  copy.gaps = copy.gaps.filter(({ id }) => ['unknown-parameters', 'limit-out-of-bounds'].includes(id));
  Object.assign(copy, { startedAt: '2030-01-02T03:04:05.678Z', durationMs: 1234 });
  for (const scenario of copy.scenarios) {
    scenario.durationMs = 5;
    for (const exchange of scenario.steps.flatMap(({ exchanges }) => exchanges)) makeSteady(exchange);
  }
  return copy;
}

function makeSteady(exchange: ExchangeResult): void {
  exchange.startedAt = '2030-01-02T03:04:05.678Z';
  exchange.durationMs = 2.5;
  const { response } = exchange;
  if (response === undefined) return;
  const { connection: _, 'keep-alive': __, ...headers } = response.headers;
  response.headers = { ...headers, date: 'Wed, 02 Jan 2030 03:04:05 GMT' };
}
