import { spellValue } from '../conformance/judge/show-difference.js';
import type { Problem } from '../conformance/model/problem.js';
import type { ExchangeResult, Finding, RunResult, ScenarioResult } from '../conformance/model/result.js';

/** One problem of the target, with its example. */
export interface ShownProblem {
  problem: Problem;
  scenario: ScenarioResult;
  exchange: ExchangeResult;
  finding: Finding;
  /** Further places in the same answer. */
  morePlaces: number;
  /** Further scenarios that show it. */
  moreScenarios: string[];
}

/** The problems that fail a run, each with its evidence. */
export function groupProblems(result: RunResult): ShownProblem[] {
  return withExamples(result, ({ baseline }) => baseline?.state !== 'known');
}

/** {@link groupProblems} for the known problems. */
export function groupKnownProblems(result: RunResult): ShownProblem[] {
  return withExamples(result, ({ baseline }) => baseline?.state === 'known');
}

function withExamples({ problems, scenarios }: RunResult, isWanted: (problem: Problem) => boolean): ShownProblem[] {
  const byId = new Map(scenarios.map((scenario) => [scenario.id, scenario]));
  return problems.filter(isWanted).flatMap((problem) => {
    const { shown } = problem;
    const scenario = byId.get(shown.scenario);
    const exchange = scenario?.steps.find(({ id }) => id === shown.step)?.exchanges[shown.exchange];
    const finding = exchange?.findings[shown.finding];
    if (scenario === undefined || exchange === undefined || finding === undefined) return [];
    const moreScenarios = problem.scenarios.filter((id) => id !== scenario.id);
    const morePlaces = countAlike(exchange, finding);
    return [{ problem, scenario, exchange, finding: showValues(finding), morePlaces, moreScenarios }];
  });
}

/** With values in which a reader sees every character. */
function showValues(finding: Finding): Finding {
  const { expected, value, actual } = finding;
  return {
    ...finding,
    expected: spellValue(expected),
    ...(value === undefined ? {} : { value: spellValue(value) }),
    actual: spellValue(actual),
  };
}

/** Further failures that this problem stands for, a line each: ``filter `status` of listPets (23 responses)``. */
export function listAlso({ also = [] }: Problem): string[] {
  return also.map(({ what, answers }) => `${what} (${answers} ${answers === 1 ? 'response' : 'responses'})`);
}

/** What a problem kept from being judged, and what else it stands for: a name and a sentence for each. */
export function listDoubts({ problem }: ShownProblem): [string, string][] {
  const doubts: [string, string | undefined][] = [
    ['hides', problem.hides],
    ...listAlso(problem).map((text): [string, string] => ['also', text]),
  ];
  return doubts.flatMap(([name, text]): [string, string][] => (text === undefined ? [] : [[name, text]]));
}

/** How many further findings of the same answer are of the same kind. */
function countAlike({ findings }: ExchangeResult, shown: Finding): number {
  const alike = findings.filter(
    ({ severity, check, rule, at }) =>
      severity === shown.severity && check === shown.check && rule === shown.rule && star(at) === star(shown.at),
  );
  return alike.reduce((sum, { more = 0 }) => sum + 1 + more, -1);
}

/** A place, whichever item of a list it is in. */
export function star(at: string): string {
  return at.replace(/\/\d+(?=\/|$)/g, '/*');
}
