import { keyOfJson } from '../../contract/document/same-json.js';
import type { CheckOutcome } from './check.js';
import type { TargetMemory } from './target-memory.js';

/** Drops findings about the status of pets whose status is known to change by itself. */
export function withoutMoved<T extends CheckOutcome>(outcomes: readonly T[], memory: Pick<TargetMemory, 'moved'>): T[] {
  return outcomes.filter((outcome) => {
    const doubt = 'needs' in outcome ? undefined : outcome.doubt;
    if (doubt?.kind !== 'status' && doubt?.kind !== 'absent') return true;
    const restsOnStatus = doubt.kind === 'status' || doubt.status !== undefined;
    return !restsOnStatus || !memory.moved.has(keyOfJson(doubt.id));
  });
}
