import { identifyFault } from '../conformance/identify-problem.js';
import { isWithin } from '../contract/paths.js';
import type { ExchangeResult, Finding, RunResult, ScenarioResult } from '../conformance/result.js';

/** One fault of the target, told once, however many scenarios and items show it. */
export interface Fault {
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
export function groupFaults(result: RunResult): Fault[] {
  return groupFindings(result, ({ baseline }) => baseline?.state !== 'known');
}

/** {@link groupFaults} of those that the baseline has. */
export function groupKnownFaults(result: RunResult): Fault[] {
  return groupFindings(result, ({ baseline }) => baseline?.state === 'known');
}

function groupFindings(result: RunResult, isWanted: (finding: Finding) => boolean): Fault[] {
  const faults = new Map<string, Fault>();
  for (const scenario of result.scenarios) {
    for (const exchange of scenario.steps.flatMap(({ exchanges }) => exchanges)) {
      for (const finding of exchange.findings) {
        if (finding.severity === 'deviation' && isWanted(finding)) addTo(faults, scenario, exchange, finding);
      }
    }
  }
  return [...faults.values()];
}

function addTo(faults: Map<string, Fault>, scenario: ScenarioResult, exchange: ExchangeResult, finding: Finding): void {
  const fault = identifyFault(exchange, finding);
  const key = finding.baseline?.state === 'known' ? `${fault} ${finding.baseline.reason}` : fault;
  const known = faults.get(key);
  if (known === undefined) {
    faults.set(key, { scenario, exchange, finding, morePlaces: finding.more ?? 0, moreScenarios: [] });
    return;
  }
  if (known.exchange === exchange) {
    known.morePlaces += 1 + (finding.more ?? 0);
    return;
  }
  if (closeness(scenario, finding) > closeness(known.scenario, known.finding)) {
    const moreScenarios = [known.scenario.id, ...known.moreScenarios].filter((id) => id !== scenario.id);
    faults.set(key, { scenario, exchange, finding, morePlaces: finding.more ?? 0, moreScenarios });
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
