import type { SourcePlace } from '../../errors.js';
import type { KnownAs } from './problem-parts.js';

/** One thing that is wrong with the target, told once, however many scenarios and answers show it. */
export interface Problem {
  /** The same from run to run, for the same cause. */
  id: string;
  /** What is wrong, in words: a sentence without a full stop. */
  headline: string;
  cause: ProblemCause;
  /** The operations that show it, in the order in which they did; empty for requests that the contract does not have. */
  operations: string[];
  /** How many answers show it. */
  answers: number;
  /** The ids of the scenarios that show it: first the one that is about the rule. */
  scenarios: string[];
  /** The example to show. */
  shown: ShownFinding;
  /** What the example should have been, and what it was: never alike. */
  expected: string;
  actual: string;
  /** Where the contract states the rule, with the first of its lines when its file can be read. */
  contract?: SourcePlace & { pointer: string; excerpt?: string };
  /** Said when causes cannot be told apart: a sentence without a full stop. */
  uncertain?: string;
  /** Set when the baseline has it, wherever it shows. */
  baseline?: KnownAs;
}

/** What tells one problem from another. Nothing in it depends on what happens to be stored at the target. */
export interface ProblemCause {
  check: string;
  rule: string;
  /** The part of a message: `body/id`, `header/content-type`. */
  place?: string;
  /** Set where it is one operation's alone. */
  operation?: string;
  expected?: string;
  actual?: string;
}

/** A finding by where it stands in the result: `scenarios` by id, `steps` by id, then by index. */
export interface ShownFinding {
  scenario: string;
  step: string;
  exchange: number;
  finding: number;
}
