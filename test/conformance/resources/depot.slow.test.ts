import { expect, onTestFinished, test } from 'vitest';
import { inTurn } from '../../../scripts/turns.mjs';
import { runConformance } from '../../../src/conformance/product/run-conformance.js';
import { startPetstoreMock } from '../../../src/index.js';
import { DEPOT_VARIANTS, RULE_MUTANTS, SCOPE_MUTANTS } from './support/depot-changes.js';
import { DEPOT_SPEC, judgeDepot, listDeviating, SOME_TOKENS } from './support/judge-service.js';
import { expectProblem } from './support/expect-problem.js';

test('a depot that keeps its contract has no problem, and nothing is inconclusive', async () => {
  const { scenarios, problems } = await judgeDepot();
  expect(problems.map(({ headline }) => headline)).toEqual([]);
  expect(scenarios.filter(({ verdict }) => verdict === 'inconclusive').map(({ id, reason }) => [id, reason])).toEqual(
    [],
  );
});

test.each(inTurn(DEPOT_VARIANTS, 8))('a depot that is %s has no problem', async (name) => {
  expect((await judgeDepot([name])).problems.map(({ headline }) => headline)).toEqual([]);
});

const MUTANTS = [
  ...SCOPE_MUTANTS.map(([mutant, about, said]) => [mutant, `refusals/${about}`, said] as const),
  ...RULE_MUTANTS,
];

test.each(inTurn(MUTANTS, 8))(
  'a depot with %s has a problem whose headline says which',
  async (mutant, about, said) => {
    const result = await judgeDepot([mutant]);
    expect(listDeviating(result).some((id) => id.startsWith(`parcels/${about}`))).toBe(true);
    expectProblem(result, said);
  },
);

test('the mock of a depot refuses and accepts what the runner expects of it', async () => {
  const { oauth = '', ...some } = SOME_TOKENS;
  const mock = await startPetstoreMock({ spec: DEPOT_SPEC, apiKey: oauth, credentials: some, count: 6, prism: false });
  onTestFinished(() => mock.close());
  const options = { target: mock.url, apiKey: oauth, spec: DEPOT_SPEC, credentials: SOME_TOKENS, settleMs: 30 };
  const { scenarios, problems } = await runConformance(options);
  expect(problems.map(({ headline }) => headline)).toEqual([]);
  expect(scenarios.filter(({ verdict }) => verdict === 'inconclusive').map(({ id, reason }) => [id, reason])).toEqual(
    [],
  );
});
