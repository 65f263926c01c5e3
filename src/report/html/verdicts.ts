import type { Verdict } from '../../conformance/result.js';

/** In the order in which a page tells them. */
export const VERDICTS: readonly Verdict[] = ['deviated', 'known', 'passed', 'observed', 'inconclusive', 'skipped'];

/** So that no verdict is told by its colour alone. */
export const SIGNS: Readonly<Record<Verdict, string>> = {
  deviated: '✗',
  known: '~',
  passed: '✓',
  observed: '◆',
  inconclusive: '?',
  skipped: '–',
};

/** Told only when there are some. */
export const RARE: readonly Verdict[] = ['known', 'skipped'];
