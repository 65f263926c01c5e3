import { describe, expect, test } from 'vitest';
import { inTurn } from '../../../../scripts/turns.mjs';
import type { RunResult } from '../../../../src/conformance/index.js';
import { runConformance } from '../../../../src/conformance/product/run-conformance.js';
import { matchesId } from '../../../../src/conformance/scenarios/check-scenario.js';
import { startPetstoreMock } from '../../../../src/index.js';
import { expectProblem, wordsOf } from './expect-problem.js';
import { judgeService, listDeviating, listReasons } from './judge-service.js';
import type { ServicePlan } from './plan.js';

/** A slow machine takes minutes to read lists of thousands. */
const PATIENT_MS = 900_000;

/** One defect, the scenarios of each part (`a b & c`) of which one must find it, and what the headline of a problem says. */
export type Mutant = readonly [name: string, about: string, headline: RegExp];

interface Service<Result extends RunResult> {
  judge: (changes: readonly string[], only?: readonly string[]) => Promise<Result>;
  mutants: readonly Mutant[];
  /** What the contract leaves to the service: none of it is a problem. */
  variants: readonly string[];
  /** How many scenarios there are at least, and how many pass in each variant. */
  least: readonly [scenarios: number, passed: number];
  /** What is asked where a mutant is on. Default: all. */
  only?: (mutant: string, about: string) => string[];
  /** What no run without a mutant may have. */
  listWrong?: (result: Result) => unknown[];
}

/** One run for each legal variant of a service, in which nothing is told, and for each mutant, which is told as what it is. */
export function testService<Result extends RunResult>(
  name: string,
  { judge, mutants, variants, least, only, listWrong = () => [] }: Service<Result>,
): void {
  describe(`a ${name}`, () => {
    test('that keeps its contract has no problem, and nothing is inconclusive', async () => {
      const result = await judge([]);
      expect(result.problems.map(({ headline }) => headline)).toEqual([]);
      expect(listReasons(result)).toEqual([]);
      expect(result.scenarios.length).toBeGreaterThan(least[0]);
      expect(listWrong(result)).toEqual([]);
    });

    test.each(inTurn(variants, 24))(
      'that is %s has no problem',
      async (variant) => {
        const result = await judge(variant.split(' '));
        expect(result.problems.map(({ headline }) => headline)).toEqual([]);
        expect(result.scenarios.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(least[1]);
        expect(listWrong(result)).toEqual([]);
      },
      PATIENT_MS,
    );

    test.each(inTurn(mutants, 24))('with %s is found out by a scenario about it', async (mutant, about, headline) => {
      const result = await judge([mutant], only?.(mutant, about));
      const found = listDeviating(result);
      const isFound = (part: string): boolean => part.split(' ').some((one) => found.some((id) => matchesId(id, one)));
      expect(about.split(' & ').filter((part) => !isFound(part))).toEqual([]);
      // Where records have one key each, or are there twice, nothing works: deletions, filters, changes.
      expectProblem(result, headline, /(?:key|create)-twice$/.test(mutant) ? 12 : undefined);
    });
  });
}

/** The same for a service of a plan; what a headline must say, the name of a mutant tells. */
export function testPlan(
  plan: ServicePlan,
  mutants: Readonly<Record<string, string>>,
  variants: readonly string[],
): void {
  testService(plan.name, {
    judge: (changes, only) => judgeService(plan, changes, only),
    mutants: Object.entries(mutants).map(([name, about]) => [name, about, wordsOf(name)] as const),
    variants,
    least: [290, 200],
    only: (name) => scenariosOf(name, plan),
  });
}

/** What may show it: a change of one collection shows in its answers, and in those of the records below its own. */
function scenariosOf(name: string, { collections }: ServicePlan): string[] {
  const [collection = ''] = name.split(':');
  return collections.filter(({ path }) => path.includes(collection)).map((each) => `${each.name}/*`);
}

/** What a run finds in the mock of a contract. */
export async function judgeMock(given: {
  spec: string;
  apiKey: string;
  credentials?: Readonly<Record<string, string>>;
}): Promise<RunResult> {
  const { oauth: _, ...credentials } = given.credentials ?? {};
  const mock = await startPetstoreMock({ ...given, credentials, count: 6, prism: false });
  try {
    return await runConformance({ target: mock.url, ...given, settleMs: 30 });
  } finally {
    await mock.close();
  }
}
