import type { GapChoice, GapResult } from '../../model/result.js';

/** Choices that the contract literally allows, but that hardly anyone intends: by gap, with what shows them. */
const WORTH_A_LOOK: Readonly<Record<string, { choice: string; evidence: string }>> = {
  'short-pages': { choice: 'shorter', evidence: 'a page had fewer records than its limit while there were more' },
  'status-after-create': {
    choice: 'moves-by-itself',
    evidence: 'a value that the contract lists was changed, in every response',
  },
};

/** Also of a resource: `orders.short-pages`. */
function look(id: string): { choice: string; evidence: string } | undefined {
  return WORTH_A_LOOK[id.slice(id.indexOf('.') + 1)];
}

/** What shows a choice, in words that are the same from run to run. */
export function describeChoice({ id }: GapChoice): string {
  return look(id)?.evidence ?? '';
}

/** A note for each choice that is worth a look; with `--strict`, it is reported as a deviation instead. */
export function noteChoices(gaps: readonly GapResult[], strict: boolean): string[] {
  if (strict) return [];
  return gaps
    .filter(({ id, answer }) => look(id)?.choice === answer)
    .map(
      ({ id, answer, evidence }) =>
        `warning: ${id} is ${String(answer)} (${evidence}); the contract leaves it open; --strict makes it a deviation`,
    );
}
