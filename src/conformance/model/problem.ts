import type { SourcePlace } from '../../errors.js';
import type { KnownAs } from './problem-parts.js';

/** One defect of the target, reported once, however many scenarios and answers show it. */
export interface Problem {
  /** The same in every run for the same cause. */
  id: string;
  /** What is wrong, in words: a sentence without a full stop. */
  headline: string;
  cause: ProblemCause;
  /**
   * The operations that show it, in the order in which they did; empty for requests that the contract does not have.
   */
  operations: string[];
  /** How many answers show it. */
  answers: number;
  /** The ids of the scenarios that show it; the one about the rule comes first. */
  scenarios: string[];
  /** The example to show. */
  shown: ShownFinding;
  /** The expected and the actual value of the example; they never look alike. */
  expected: string;
  actual: string;
  /** Where the contract states the rule, with the first of its lines if its file can be read. */
  contract?: SourcePlace & { pointer: string; excerpt?: string };
  /** Set if it kept others from being seen: a sentence without a full stop on what could not be judged. */
  hides?: string;
  /**
   * Failures that it subsumes, and further ones of its own: the id that each would have by itself, what did not hold, and in how
   * many responses: ``filter `status` of listPets``. Nothing is said of their cause.
   */
  also?: { id: string; what: string; answers: number }[];
  /** Set if the baseline has it, wherever it shows. */
  baseline?: KnownAs;
}

/** Distinguishes one problem from another, independent of the records that happen to be stored at the target. */
export interface ProblemCause {
  check: string;
  rule: string;
  /** The part of a message: `body/id`, `header/content-type`. */
  place?: string;
  /** Set if it belongs to one operation alone. */
  operation?: string;
  expected?: string;
  actual?: string;
}

/** The place of a finding in the result: `scenarios` by id, `steps` by id, then by index. */
export interface ShownFinding {
  scenario: string;
  step: string;
  exchange: number;
  finding: number;
}
