import type { Contract } from '../../contract/contract.js';
import { estimateRequests } from '../../conformance/engine/run.js';
import { MOST_LOOK_REQUESTS } from '../../conformance/confirm/confirm.js';
import type { Scenario } from '../../conformance/model/scenario.js';

/** What a run would do: the scenarios, and with `--dry-run` their steps. */
export function formatPlan(
  { scenarios }: { contract: Contract; scenarios: readonly Scenario[] },
  { dryRun }: { dryRun: boolean },
): string {
  const width = Math.max(...scenarios.map(({ id }) => id.length));
  const lines = scenarios.flatMap((scenario) => [
    `${scenario.id.padEnd(width)}  ${scenario.title}`,
    ...(dryRun ? describeSteps(scenario) : []),
  ]);
  return `${lines.join('\n')}\n\n${scenarios.length} scenarios, about ${estimateRequests(scenarios)} requests, and at most ${MOST_LOOK_REQUESTS} more for what is in doubt\n`;
}

function describeSteps({ steps, basis }: Scenario): string[] {
  const rows = steps.map((step) => {
    const what = step.operationId ?? `${step.request?.method} ${step.request?.path}`;
    const auth = step.auth === 'valid' ? '' : `, key ${step.auth}`;
    const expected =
      step.expect?.status ??
      (step.outcomes === undefined ? 'any' : step.outcomes.flatMap(({ choice }) => choice ?? []));
    return `    ${step.id}: ${what}${auth} → ${[...new Set([expected].flat())].join(' or ')}`;
  });
  return [`    basis ${basis}`, ...rows];
}
