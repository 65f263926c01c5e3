import { SERVED_AGAIN } from '../../judge/server-error.js';
import type { ExchangeResult, Finding } from '../../model/result.js';
import type { Scenario } from '../../model/scenario.js';
import type { Run } from '../run.js';
import { joinSteps } from '../join-steps.js';
import { runScenario, type ScenarioOutcome } from '../run-scenario.js';

/**
 * Whether a wrong answer kept a record from being created that others build on, or that a service that creates others refused,
 * or failed at.
 */
export function isInTheWay({ lacksCreated, result }: ScenarioOutcome, isFoundation: boolean, run: Run): boolean {
  const { memory, signal } = run;
  const failed = result.steps.flatMap(({ exchanges }) => exchanges.filter(isFailure));
  const isServedElse = failed.some(({ operationId = '' }) => memory.served.has(operationId));
  const maySucceed = isFoundation || isServedElse;
  return lacksCreated === true && result.verdict === 'deviated' && maySucceed && !signal.aborted;
}

function isFailure({ response }: ExchangeResult): boolean {
  return (response?.status ?? 0) >= 500;
}

/** A second try: a create that fails now and then is told, and hides nothing else. */
export async function runOnceMore(scenario: Scenario, first: ScenarioOutcome, run: Run): Promise<ScenarioOutcome> {
  const second = await runScenario(scenario, run);
  if (!second.usable) return first;
  const { steps, durationMs } = first.result;
  const exchangesOf = (outcome: ScenarioOutcome, id: string): ExchangeResult[] =>
    outcome.result.steps.flatMap((step) => (step.id === id ? step.exchanges : []));
  const join = (id: string): ExchangeResult[] => {
    const again = exchangesOf(second, id);
    const isServed = again.length > 0 && !again.some(isFailure);
    return [...exchangesOf(first, id).map((each) => (isServed ? asServedAgain(each) : each)), ...again];
  };
  return {
    usable: true,
    result: {
      ...second.result,
      verdict: 'deviated',
      durationMs: durationMs + second.result.durationMs,
      steps: joinSteps([...steps, ...second.result.steps], join),
    },
  };
}

function asServedAgain(exchange: ExchangeResult): ExchangeResult {
  const change = (finding: Finding): Finding =>
    finding.check === 'server-error' ? { ...finding, rule: SERVED_AGAIN } : finding;
  return { ...exchange, findings: exchange.findings.map(change) };
}
