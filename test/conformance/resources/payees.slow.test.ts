import { expect, test } from 'vitest';
import { inTurn } from '../../../scripts/turns.mjs';
import { judgePayees } from './support/judge-service.js';
import { PAYEES_MUTANTS, PAYEES_VARIANTS } from './support/payees-changes.js';
import { expectProblem } from './support/expect-problem.js';

test.each(inTurn(PAYEES_VARIANTS, 8).map((names) => [names.join(' and ') || 'as usual', names] as const))(
  'a service that keeps payees, %s, has no problem, and nothing is inconclusive',
  async (_, names) => {
    const { problems, scenarios } = await judgePayees(names);
    expect(problems.map(({ headline }) => headline)).toEqual([]);
    expect(
      scenarios.flatMap(({ id, verdict, reason }) => (verdict === 'inconclusive' ? [`${id}: ${String(reason)}`] : [])),
    ).toEqual([]);
  },
);

test.each(inTurn(Object.entries(PAYEES_MUTANTS), 8))(
  'a service that keeps payees with %s has a problem whose headline says which',
  async (name, headline) => {
    expectProblem({ problems: (await judgePayees([name])).problems }, headline);
  },
);
