import { suggest } from '../suggest.js';

/** What the value of an option may be, wherever it is given: by a call, a flag, a variable or a config file. */
export interface Rule<Value = unknown> {
  /** Reads after "must be": `a whole number from 0`. */
  expected: string;
  accepts: (value: unknown) => value is Value;
  /** The same for the editor of a config file: JSON Schema. */
  schema: object;
  /** Reads the text of a flag or a variable. What cannot be read stays a text, which is then not accepted. Default: the text. */
  read?: (text: string) => unknown;
  /** A config file may have it as a text too, which is read like that of a flag. */
  isTextInFile?: boolean;
  /** Says more of a value that is not accepted, where there is more to say: reads after the option's name. */
  explain?: (value: unknown) => string | undefined;
  /** The words that are accepted, from which the one that was meant is suggested. */
  known?: readonly string[];
  /** A list of values is accepted too: the option may be given several times, and all of them count. */
  isList?: true;
  /** The value names a file or a folder. */
  isPath?: boolean;
  /** Its value is never shown. */
  isSecret?: boolean;
  /** Default: `must be`. */
  verb?: 'takes';
}

export type ListRule<Item> = Rule<Item | readonly Item[]> & { isList: true };

/** What is wrong with a value: a sentence that goes on after the option's name; `undefined` when nothing is. */
export function findProblem(rule: Rule, value: unknown): string | undefined {
  if (rule.accepts(value)) return undefined;
  const problem = rule.explain?.(value);
  if (problem !== undefined) return /[.?]$/.test(problem) ? problem : `${problem}.`;
  const expected = `${rule.verb ?? 'must be'} ${rule.expected}`;
  if (rule.isSecret === true) return `${expected}.`;
  return `${expected}, not ${show(value)}${typeof value === 'string' ? suggest(value, rule.known ?? []) : '.'}`;
}

const MAX_SHOWN = 60;

export function show(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  if (text === '') return 'an empty text';
  // A number in quotes looks right, and is a text.
  if (typeof value === 'string' && /^\d{1,15}$/.test(value)) return `the text "${value}"`;
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN - 1)}…`;
}
