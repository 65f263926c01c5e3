import { describe, expect, test } from 'vitest';
import { planConformance } from '../../../src/conformance/index.js';
import type { MutantId } from '../../mutation/mutants/index.js';
import { startMutationServer } from '../../mutation/server/start-server.js';
import { ADDRESS_OF_NOBODY, closeLater, KEY, start } from '../support/ask.js';

const ONLY = { only: ['pets/lists/filter-alone*', 'pets/records/list'], settleMs: 0 };

async function planMutant(...mutants: MutantId[]): Promise<ReturnType<typeof planConformance>> {
  const server = await startMutationServer({ mutants, apiKey: KEY });
  closeLater(() => server.close());
  const plan = planConformance({ target: server.url, apiKey: KEY, ...ONLY });
  closeLater(() => plan.close());
  return plan;
}

describe('a plan', () => {
  test('lists its scenarios without a request, and runs them once, when the first is asked for', async () => {
    const { url, log } = await start();
    const plan = planConformance({ target: url, apiKey: KEY, ...ONLY });
    expect(plan.scenarios.map(({ id }) => id)).toContain('pets/lists/filter-alone[status-sold]');
    expect(log).toEqual([]);
    const [first, again] = await Promise.all([
      plan.check('pets/lists/filter-alone[status-sold]'),
      plan.check('pets/lists/filter-alone[status-sold]'),
    ]);
    expect([first.verdict, again]).toEqual(['passed', first]);
    const { summary } = await plan.finish();
    expect([summary.passed, summary.requests]).toEqual([plan.scenarios.length, log.length]);
    await plan.close();
  });

  test('throws what deviates, with the exchange, the line of the contract and how to see it again', async () => {
    const plan = await planMutant('filter-ignored');
    await expect(plan.check('pets/records/list')).resolves.toMatchObject({ verdict: 'passed' });
    await expect(plan.check('pets/lists/filter-alone[status-sold]')).rejects.toThrow(
      /^pets\/lists\/filter-alone\[status-sold\] deviates: a list filtered by status=sold alone .*\nGET \/pets\?status=sold → 200\n {2}body\/\d+\/status: expected "sold", but found "\w+" \(spec\/petstore\.openapi\.yaml:\d+:\d+\)[^]*\nagain: petstore-conformance --target http:\S+ --again 'pets\/lists\/filter-alone\[status-sold\]'$/,
    );
  });

  test('throws for every scenario what keeps the run from beginning', async () => {
    const plan = planConformance({ target: ADDRESS_OF_NOBODY, apiKey: KEY, ...ONLY });
    for (const { id } of plan.scenarios) await expect(plan.check(id)).rejects.toThrow('nothing listens there');
    await plan.close();
  });

  test('throws for a scenario that it does not have, and for a selection that has none', async () => {
    const plan = await planMutant();
    await expect(plan.check('get/listed')).rejects.toThrow('there is no scenario get/listed in this plan.');
    expect(() => planConformance({ target: ADDRESS_OF_NOBODY, apiKey: KEY, only: ['no/such'] })).toThrow('no/such');
  });

  test('ends when it is closed, and what was not run says so', async () => {
    const { url } = await start(() => ({ intercept: () => new Promise(() => {}) }));
    const plan = planConformance({ target: url, apiKey: KEY, ...ONLY });
    const checking = plan.check('pets/lists/filter-alone[status-sold]');
    checking.catch(() => {});
    await plan.close();
    await expect(checking).rejects.toThrow(/interrupted/);
  });
});
