import type { Check } from './check.js';

/**
 * A keyword of `expect` and `assume`: which values its check can look at, and
 * on which answers. The reader of scenario files refuses the rest, and a run
 * that comes upon it all the same concludes nothing.
 */
export interface Keyword {
  check: Check;
  /** What of an answer the check looks at: a `list`, an `object`, a `body` at all are not in every one. */
  looksAt: 'answer' | 'body' | 'object' | 'list';
  /** What is wrong with a value; `undefined` when the check can judge it. */
  findMistake(value: unknown, given: Given): Mistake | undefined;
}

/** What is wrong with a part of a scenario file. */
export interface Mistake {
  /** JSON Pointer from the value, or the step, that was asked about. */
  at: string;
  /** A sentence with its full stop or question mark. */
  message: string;
}

/** What is known where a value is judged. */
export interface Given {
  /** In the file a list that is empty can be told; in a run, the check says what it needs. */
  stage: 'file' | 'run';
  /** Whether it is a reference whose value the run alone knows. */
  isOpen: (value: unknown) => boolean;
  /** The statuses that the contract lets be filtered by; empty when it names none. */
  statuses: readonly unknown[];
  /** What kind of value the schema of a body is about; `undefined` where the contract does not say. */
  bodyKind: 'list' | 'object' | undefined;
}

/** The same mistake, seen from further up. */
export function within(at: string, mistake: Mistake | undefined): Mistake | undefined {
  return mistake === undefined ? undefined : { ...mistake, at: `${at}${mistake.at}` };
}
