import { isAlike, isOfRequest } from '../../judge/status.js';
import { readContractValues } from '../../wire/request/contract-values.js';
import type { Step } from '../../model/scenario.js';
import { fillTemplate, type Scope } from '../../wire/request/template.js';
import { runExchange, type StepOutcome } from '../run-exchange.js';
import type { ScenarioRun } from '../run.js';

/**
 * One exchange; where the largest page is refused, one for a smaller page as well, which later steps then build on:
 * that a limit is refused says nothing of the pets. Throws `UnresolvedReference` as {@link runExchange} does.
 */
export async function runOrAskForLess(step: Step, scope: Scope, run: ScenarioRun): Promise<StepOutcome> {
  const outcome = await runExchange(step, scope, run);
  if (!isRefusedPage(step, outcome, { scope, run })) return outcome;
  for (const limit of listSmaller(run)) {
    const smaller = await runExchange({ ...step, parameters: { ...step.parameters, limit } }, scope, run);
    if (!smaller.usable) continue;
    if (limit !== null) run.memory.servedLimit = limit;
    return { ...smaller, putOff: [...outcome.putOff, outcome.exchange, ...smaller.putOff] };
  }
  return outcome;
}

function isRefusedPage(
  step: Step,
  { exchange, usable }: StepOutcome,
  { scope, run }: { scope: Scope; run: ScenarioRun },
): boolean {
  const { status = 0 } = exchange.response ?? {};
  if (usable || step.operationId !== 'listPets' || step.auth !== 'valid' || !isOfRequest(status)) return false;
  // What is expected of the length of a page holds for the limit that the step states.
  if (step.expect?.page !== undefined || !isAlike(200, step.expect?.status)) return false;
  const { largestPage } = readContractValues(run.contract).limit;
  return largestPage !== undefined && fillTemplate(step.parameters['limit'], scope) === largestPage;
}

/** Last without any limit, which may be what is refused: the page of the default may have all that a filter asks for. */
function listSmaller({ contract }: ScenarioRun): (number | null)[] {
  const { largestPage = 1, minimum = 1 } = readContractValues(contract).limit;
  return [...[largestPage - 1, Math.floor(largestPage / 2)].filter((limit) => limit >= minimum), null];
}
