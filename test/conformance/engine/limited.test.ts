import { afterEach, expect, test } from 'vitest';
import { runConformance, type ConformanceOptions, type RunResult } from '../../../src/conformance/index.js';
import { headline } from '../../../src/report/summarize.js';
import type { MutantId } from '../../mutation/mutants/index.js';
import { startMutationServer, type MutationServer } from '../../mutation/server/start-server.js';

const servers: MutationServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function run(
  mutants: MutantId[],
  options: Partial<ConformanceOptions>,
): Promise<{ result: RunResult; server: MutationServer }> {
  const server = await startMutationServer({ mutants });
  servers.push(server);
  const result = await runConformance({ target: server.url, apiKey: server.apiKey, settleMs: 0, ...options });
  return { result, server };
}

test('a run sends no more requests than it may, and tells how much it tried', async () => {
  const { result, server } = await run([], { maxRequests: 40 });
  const { requestLimit, summary } = result;
  expect(server.requests).toBeLessThanOrEqual(40);
  expect(server.requests).toBeGreaterThan(30);
  expect(summary).toMatchObject({ problems: 0, inconclusive: 0 });
  expect(summary.passed).toBeGreaterThan(10);
  expect(requestLimit?.leftOut).toBeGreaterThan(200);
  expect(headline(result)).toBe(
    `no problem in ${server.requests} of about ${requestLimit?.wanted} requests of Petstore 1.0.0 at ${server.url}`,
  );
  const reasons = new Set(result.scenarios.map(({ reason }) => reason));
  expect(reasons).toContain('the run has reached its limit of requests; raise --max-requests');
});

test('a limit that leaves nothing out changes nothing', async () => {
  const { result } = await run([], { maxRequests: 40, only: ['pets/refusals/create'] });
  expect(result.requestLimit).toMatchObject({ most: 40, leftOut: 0 });
  expect(headline(result)).toMatch(/^no problem in \d+ scenarios of/);
});

test('what finds most comes first', async () => {
  expect((await run(['list-name-missing'], { maxRequests: 18 })).result.summary.problems).toBeGreaterThan(0);
});

test('what a target takes that it should refuse does not use up what others may create', async () => {
  const only = ['pets/refusals/create', 'pets/records/values', 'pets/records/texts'];
  const { result } = await run(['create-invalid-200'], { maxCreates: 12, only });
  const created = result.scenarios.filter(({ id }) => /^pets\/records\/(?:values|texts)/.test(id));
  expect(created.map(({ verdict }) => verdict)).toEqual(Array<string>(4).fill('passed'));
});
