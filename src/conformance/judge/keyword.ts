import type { Check } from './check.js';

/**
 * A keyword of `expect` and `assume`: which values its check can judge, and
 * for which answers. The reader of scenario files refuses other values, and a run
 * that still gets one concludes nothing.
 */
export interface Keyword {
  check: Check;
  /** The part of an answer that the check examines; not every answer has a `body`. */
  looksAt: 'answer' | 'body';
  /** What is wrong with a value; `undefined` if the check can judge it. */
  findMistake(value: unknown, given: Given): Mistake | undefined;
}

/** What is wrong with a part of a scenario file. */
export interface Mistake {
  /** JSON Pointer from the value or the step in question. */
  at: string;
  /** A sentence with its full stop or question mark. */
  message: string;
}

/** The context in which a value is judged. */
export interface Given {
  /** An empty list in the file is a mistake; in a run, the check says what it needs. */
  stage: 'file' | 'run';
  /** Whether it is a reference whose value only the run knows. */
  isOpen: (value: unknown) => boolean;
  /** The kind of value that the schema of a body describes; `undefined` if the contract does not say. */
  bodyKind: 'list' | 'object' | undefined;
}

/** The same mistake with its place relative to a parent. */
export function within(at: string, mistake: Mistake | undefined): Mistake | undefined {
  return mistake === undefined ? undefined : { ...mistake, at: `${at}${mistake.at}` };
}
