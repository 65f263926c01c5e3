import type { SourcePlace } from '../../errors.js';

/**
 * What tells a problem of the target from another: the same for the same rule, broken at the same place of the same
 * operation, in every run. Nothing in it depends on what happens to be stored at the target.
 */
export interface ProblemParts {
  /** Absent for a request that the contract does not have. */
  operation?: string | undefined;
  check: string;
  rule: string;
  /** Where in the message, with a star for every index. */
  at: string;
  /** A status says which answer is wrong only together with the one that was expected. */
  expected?: string | undefined;
  actual?: string | undefined;
}

/** What a baseline says of a deviation that it has. */
export interface KnownAs {
  state: 'known' | 'expired';
  reason: string;
  /** The last day on which it is accepted, `YYYY-MM-DD` in UTC, or `never`. */
  expires: string;
  /** Where the baseline has it. */
  place: SourcePlace;
}
