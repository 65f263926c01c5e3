import { identifyProblem } from '../conformance/identify-problem.js';
import { isWithin } from '../contract/paths.js';
import type { ExchangeResult, Finding, RunResult, ScenarioResult } from '../conformance/result.js';

/** One problem of the target, told once, however many scenarios and items show it. */
export interface Problem {
  /** The first scenario that is about the rule it breaks; if none is, the first that shows it. */
  scenario: ScenarioResult;
  exchange: ExchangeResult;
  finding: Finding;
  /** Further places in the same answer. */
  morePlaces: number;
  /** Further scenarios that show it. */
  moreScenarios: string[];
}

/** Groups the deviations of a run by what is wrong, in the order in which they were found; without those that the baseline has. */
export function groupProblems(result: RunResult): Problem[] {
  return groupFindings(result, ({ baseline }) => baseline?.state !== 'known');
}

/** {@link groupProblems} of those that the baseline has. */
export function groupKnownProblems(result: RunResult): Problem[] {
  return groupFindings(result, ({ baseline }) => baseline?.state === 'known');
}

function groupFindings(result: RunResult, isWanted: (finding: Finding) => boolean): Problem[] {
  const problems = new Map<string, Problem>();
  for (const scenario of result.scenarios) {
    for (const exchange of scenario.steps.flatMap(({ exchanges }) => exchanges)) {
      for (const finding of exchange.findings) {
        if (finding.severity === 'deviation' && isWanted(finding)) addTo(problems, scenario, exchange, finding);
      }
    }
  }
  return [...problems.values()];
}

function addTo(
  problems: Map<string, Problem>,
  scenario: ScenarioResult,
  exchange: ExchangeResult,
  finding: Finding,
): void {
  const problem = identifyProblem(exchange, finding);
  const key = finding.baseline?.state === 'known' ? `${problem} ${finding.baseline.reason}` : problem;
  const known = problems.get(key);
  if (known === undefined) {
    problems.set(key, { scenario, exchange, finding, morePlaces: finding.more ?? 0, moreScenarios: [] });
    return;
  }
  if (known.exchange === exchange) {
    known.morePlaces += 1 + (finding.more ?? 0);
    return;
  }
  if (closeness(scenario, finding) > closeness(known.scenario, known.finding)) {
    const moreScenarios = [known.scenario.id, ...known.moreScenarios].filter((id) => id !== scenario.id);
    problems.set(key, { scenario, exchange, finding, morePlaces: finding.more ?? 0, moreScenarios });
    return;
  }
  if (known.scenario !== scenario && !known.moreScenarios.includes(scenario.id)) {
    known.moreScenarios.push(scenario.id);
  }
}

/** How much a scenario is about the rule that was broken: it rests on that very place of the contract (2), on one around it (1), on another (0). */
function closeness({ basis }: ScenarioResult, { contract }: Finding): number {
  if (contract === undefined || !basis.text.startsWith('#/')) return 0;
  const restsOn = basis.text.slice(1);
  if (contract.pointer === restsOn) return 2;
  return isWithin(restsOn, contract.pointer) ? 1 : 0;
}
