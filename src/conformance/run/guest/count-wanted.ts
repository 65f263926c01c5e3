import { isToBeRefused, sendsPost } from '../../language/check-step.js';
import type { Scenario, Step } from '../../model/scenario.js';
import type { Run } from '../run.js';

/** What of a run tells how many records it would create. */
export type Creating = Pick<Run, 'contract' | 'creates' | 'planned'>;

/**
 * The value of `--max-creates` that suffices for the whole run: what all its scenarios create. It is worked out once, so that whoever follows one reason is not told a larger number by the next.
 */
export function countWanted({ contract, creates, planned }: Creating): number {
  creates.wanted ??= Math.max(creates.made() + 1, countPlanned(planned, contract.operations));
  return creates.wanted;
}

function countPlanned(planned: readonly Scenario[], operations: Run['contract']['operations']): number {
  const creating = planned
    .flatMap(({ steps }) => steps)
    .filter((step) => isCreate(step, operations) && !isToBeRefused(step));
  return creating.reduce((sum, { each, atOnce = 1 }) => sum + (each?.atMost ?? atOnce), 0);
}

function isCreate(step: Step, operations: Run['contract']['operations']): boolean {
  const method = step.request?.method ?? operations.find(({ id }) => id === step.operationId)?.method ?? 'GET';
  return sendsPost(step, operations) && method.toUpperCase() === 'POST';
}
