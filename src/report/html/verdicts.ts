import type { Verdict } from '../../conformance/model/result.js';

/** In the order of the page. */
export const VERDICTS: readonly Verdict[] = ['deviated', 'known', 'passed', 'observed', 'inconclusive', 'skipped'];

/** So that colour alone does not convey a verdict. */
export const SIGNS: Readonly<Record<Verdict, string>> = {
  deviated: '✗',
  known: '~',
  passed: '✓',
  observed: '◆',
  inconclusive: '?',
  skipped: '–',
};

/** Shown only if there are any. */
export const RARE: readonly Verdict[] = ['known', 'skipped'];
