import type { RunResult } from '../../conformance/result.js';

/** An open point of the contract, with what was seen there. */
export interface GapSeen {
  id: string;
  choices: { choice: string; evidence: string; scenarios: number }[];
}

/** The open points that scenarios observed, in the order of the scenarios; each choice once, with its first evidence. */
export function listGapsSeen({ scenarios }: Pick<RunResult, 'scenarios'>): GapSeen[] {
  const gaps = new Map<string, GapSeen>();
  for (const { gap } of scenarios) {
    if (gap === undefined) continue;
    const seen = gaps.get(gap.id) ?? { id: gap.id, choices: [] };
    gaps.set(gap.id, seen);
    const known = seen.choices.find(({ choice }) => choice === gap.choice);
    if (known === undefined) seen.choices.push({ choice: gap.choice, evidence: gap.evidence, scenarios: 1 });
    else known.scenarios += 1;
  }
  return [...gaps.values()];
}
