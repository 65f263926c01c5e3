import type { SourcePlace } from '../../errors.js';

/**
 * Distinguishes one problem of the target from another: the same in every run for the same rule, broken at the same
 * place of the same operation. Independent of the records that happen to be stored at the target.
 */
export interface ProblemParts {
  /** Absent for a request that the contract does not have. */
  operation?: string | undefined;
  check: string;
  rule: string;
  /** The place in the message, with a star for every index. */
  at: string;
  /** A status identifies the wrong answer only together with the expected one. */
  expected?: string | undefined;
  actual?: string | undefined;
}

/** The baseline's entry for a known deviation. */
export interface KnownAs {
  state: 'known' | 'expired';
  reason: string;
  /** The last day on which it is accepted, `YYYY-MM-DD` in UTC, or `never`. */
  expires: string;
  /** The place of the entry in the baseline. */
  place: SourcePlace;
}
