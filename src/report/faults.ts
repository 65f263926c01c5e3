import { identifyFault } from '../conformance/identify-fault.js';
import type { ExchangeResult, Finding, RunResult, ScenarioResult } from '../conformance/result.js';

/** One fault of the target, told once, however many scenarios and items show it. */
export interface Fault {
  /** The scenario that shows it first. */
  scenario: ScenarioResult;
  exchange: ExchangeResult;
  finding: Finding;
  /** Further places in the same answer. */
  morePlaces: number;
  /** Further scenarios that show it. */
  moreScenarios: string[];
}

/** Groups the deviations of a run by what is wrong, in the order in which they were found. */
export function groupFaults(result: RunResult): Fault[] {
  const faults = new Map<string, Fault>();
  for (const scenario of result.scenarios) {
    for (const exchange of scenario.steps.flatMap(({ exchanges }) => exchanges)) {
      for (const finding of exchange.findings) {
        if (finding.severity === 'deviation') addTo(faults, scenario, exchange, finding);
      }
    }
  }
  return [...faults.values()];
}

function addTo(faults: Map<string, Fault>, scenario: ScenarioResult, exchange: ExchangeResult, finding: Finding): void {
  const key = identifyFault(exchange, finding);
  const known = faults.get(key);
  if (known === undefined) {
    faults.set(key, { scenario, exchange, finding, morePlaces: 0, moreScenarios: [] });
    return;
  }
  if (known.exchange === exchange) known.morePlaces += 1;
  else if (known.scenario !== scenario && !known.moreScenarios.includes(scenario.id))
    known.moreScenarios.push(scenario.id);
}
