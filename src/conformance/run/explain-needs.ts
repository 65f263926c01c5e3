import type { Need } from '../judge/check.js';
import { countWanted, type Creating } from './guest/count-wanted.js';
import { countCreatesFor } from '../judge/lacking-pets.js';
import { readContractValues } from '../wire/request/contract-values.js';
import type { Run } from './run.js';

/** Why a scenario reached no conclusion. If the run must not create pets, a scenario that needs more pets counts as left out on purpose. */
export function explainNeeds(
  needs: readonly Need[],
  run: Creating & Pick<Run, 'readOnly' | 'leftOutFilling'>,
): { verdict: 'inconclusive' | 'skipped'; reason: string } {
  const texts = [...new Set(needs.map((need) => describeNeed(need, run)))];
  const reason = texts.join('; ');
  if (!run.readOnly || !needs.every(({ lacks }) => lacks !== undefined)) return { verdict: 'inconclusive', reason };
  return { verdict: 'skipped', reason: `${reason}, and this run creates none (--read-only)` };
}

/** What would help, if anything would: of two reasons, the one that applies to this run. */
function describeNeed({ needs, lacks }: Need, run: Parameters<typeof explainNeeds>[1]): string {
  const { contract, creates, memory, readOnly, leftOutFilling } = run;
  if (lacks === undefined || lacks === 'pets' || readOnly) return needs;
  if (leftOutFilling !== undefined) return `${needs}: ${leftOutFilling}`;
  const wanted = countCreatesFor(memory, readContractValues(contract), lacks);
  const isAllowed = wanted - memory.creations <= creates.left();
  return isAllowed
    ? `${needs}, though the run may create as many`
    : `${needs}: allow --max-creates ${Math.max(wanted, countWanted(run))}`;
}
