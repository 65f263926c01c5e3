import { describe, expect, test } from 'vitest';
import { inTurn } from '../../../../scripts/turns.mjs';
import { matchesId } from '../../../../src/conformance/scenarios/select-scenarios.js';
import { judgeService, listDeviating } from './judge-service.js';
import { expectProblemOf } from './expect-problem.js';
import type { ServicePlan } from './plan.js';

/** A slow machine takes minutes to read lists of thousands. */
const PATIENT_MS = 900_000;

/** One run for each legal variant of a service, in which nothing is told, and for each mutant, which is told as what it is. */
export function testService(
  plan: ServicePlan,
  mutants: Readonly<Record<string, string>>,
  variants: readonly string[],
): void {
  describe(`a ${plan.name}`, () => {
    test('that keeps its contract has no problem, and nothing is inconclusive', async () => {
      const { scenarios, problems } = await judgeService(plan);
      expect(problems.map(({ headline }) => headline)).toEqual([]);
      expect(scenarios.filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
      expect(scenarios.length).toBeGreaterThan(290);
    });

    test.each(inTurn(variants, 8))(
      'that is %s has no problem',
      async (name) => {
        const { scenarios, problems } = await judgeService(plan, [name]);
        expect(problems.map(({ headline }) => headline)).toEqual([]);
        expect(scenarios.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(200);
      },
      PATIENT_MS,
    );

    test.each(inTurn(Object.entries(mutants), 8))(
      'with %s is found out by a scenario about it',
      async (name, about) => {
        const result = await judgeService(plan, [name], scenariosOf(name, plan));
        expect(listDeviating(result).filter((id) => about.split(' ').some((each) => matchesId(id, each)))).not.toEqual(
          [],
        );
        expectProblemOf(result, name);
      },
    );
  });
}

/** What may show it: a change of one collection shows in its answers, and in those of the records below its own. */
function scenariosOf(name: string, { collections }: ServicePlan): string[] {
  const [collection = ''] = name.split(':');
  if (!collections.some((each) => each.name === collection)) return [];
  return collections.filter(({ path }) => path.includes(collection)).map((each) => `${each.name}/*`);
}
