import type { DriftResult, GapChange, GapResult } from '../conformance/model/result.js';
import { NOT_OBSERVED, type ProfileAnswer } from '../contract/gaps/profile.js';

/** One line for an answer. */
export function showAnswer(answer: ProfileAnswer): string {
  if (typeof answer !== 'object') return String(answer);
  return answer.length === 0 ? 'none seen' : answer.join(', ');
}

/** The file of a profile, and what it says of itself. */
export function describeProfile({ file, target, date }: DriftResult['profile']): string {
  const origin = [target, date].filter((part) => part !== undefined).join(', ');
  return origin === '' ? file : `${file} (${origin})`;
}

/** `list-order: oldest-first, now newest-first` */
export function describeChange({ id, before, now }: GapChange): string {
  return `${id}: ${showAnswer(before)}, now ${showAnswer(now)}`;
}

/** `In which order ...? list-order: newest-first (what shows it)` */
export function describeGap({ id, question, answer, evidence }: GapResult): string {
  return `${question} ${id}: ${showAnswer(answer)} (${evidence})`;
}

/** Separates the gaps with an answer from those without. */
export function splitGaps(gaps: readonly GapResult[]): { seen: GapResult[]; unseen: GapResult[] } {
  return {
    seen: gaps.filter(({ answer }) => answer !== NOT_OBSERVED),
    unseen: gaps.filter(({ answer }) => answer === NOT_OBSERVED),
  };
}
