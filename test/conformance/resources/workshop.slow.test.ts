import { expect, onTestFinished, test } from 'vitest';
import { inTurn } from '../../../scripts/turns.mjs';
import { runConformance } from '../../../src/conformance/product/run-conformance.js';
import { startPetstoreMock } from '../../../src/index.js';
import { judgeWorkshop, listDeviating, WORKSHOP_SPEC } from './support/judge-service.js';
import { WORKSHOP_MUTANTS, WORKSHOP_VARIANTS } from './support/workshop-changes.js';

test('a workshop that keeps its contract has no problem, and nothing is inconclusive', async () => {
  const { scenarios, problems, left, unproven } = await judgeWorkshop();
  expect(problems.map(({ headline }) => headline)).toEqual([]);
  expect(scenarios.filter(({ verdict }) => verdict === 'inconclusive').map(({ id, reason }) => [id, reason])).toEqual(
    [],
  );
  expect(scenarios.length).toBeGreaterThan(220);
  // Nothing was put where something might have been, and nothing is left.
  expect([left, unproven]).toEqual([0, []]);
});

test.each(inTurn(WORKSHOP_VARIANTS, 8))('a workshop that is %s has no problem', async (name) => {
  const { problems, scenarios, unproven } = await judgeWorkshop([name]);
  expect(problems.map(({ headline }) => headline)).toEqual([]);
  expect(scenarios.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(120);
  expect(unproven).toEqual([]);
});

test.each(inTurn(WORKSHOP_MUTANTS, 8))(
  'a workshop with %s is found out by scenarios about it',
  async (name, ...about) => {
    const found = listDeviating(
      await judgeWorkshop(
        [name],
        about.map((each) => (each.endsWith(']') ? each : `${each}*`)),
      ),
    );
    for (const each of about) expect(found.filter((id) => id.startsWith(each))).not.toEqual([]);
  },
);

test('nothing is put where an unknown name is answered as if it were known', async () => {
  const { scenarios, unproven } = await judgeWorkshop(['unknown-200'], ['benches/*']);
  expect(unproven).toEqual([]);
  expect(scenarios.find(({ id }) => id === 'benches/records/create')).toMatchObject({
    verdict: 'inconclusive',
    reason: expect.stringContaining('must return 404 for an unused key') as string,
  });
});

test('the mock of a workshop refuses and accepts what the runner expects of it', async () => {
  const mock = await startPetstoreMock({ spec: WORKSHOP_SPEC, count: 6, prism: false });
  onTestFinished(() => mock.close());
  const options = { target: mock.url, apiKey: 'petstore-dev-key', spec: WORKSHOP_SPEC, settleMs: 30 };
  const { scenarios, problems } = await runConformance(options);
  expect(problems.map(({ headline }) => headline)).toEqual([]);
  const open = scenarios.filter(({ verdict }) => verdict === 'inconclusive');
  // The contract does not say whether a PUT makes a shelf, and the mock makes none.
  expect(open.filter(({ id }) => !id.startsWith('shelves/')).map(({ id, reason }) => [id, reason])).toEqual([]);
  expect(open.find(({ id }) => id === 'shelves/records/create')?.reason).toContain('the contract leaves open');
});
