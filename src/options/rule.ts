import { suggest } from '../suggest.js';

/** Which values an option accepts, whether from a call, a flag, a variable or a config file. */
export interface Rule<Value = unknown> {
  /** Reads after "must be": `a whole number from 0`. */
  expected: string;
  accepts: (value: unknown) => value is Value;
  /** The same for the editor of a config file: JSON Schema. */
  schema: object;
  /** Parses the text of a flag or a variable. A text that cannot be parsed stays a text, and is then not accepted. Default: the text. */
  read?: (text: string) => unknown;
  /** A config file may also contain it as a text, which is parsed like that of a flag. */
  isTextInFile?: boolean;
  /** A better explanation of why a value is not accepted; follows the option's name. */
  explain?: (value: unknown) => string | undefined;
  /** The accepted words, for suggestions. */
  known?: readonly string[];
  /** A list of values is accepted too: the option may be given several times, and every value counts. */
  isList?: true;
  /** The value names a file or a folder. */
  isPath?: boolean;
  /** Its value is never shown. */
  isSecret?: boolean;
  /** Default: `must be`. */
  verb?: 'takes';
}

export type ListRule<Item> = Rule<Item | readonly Item[]> & { isList: true };

/** What is wrong with a value: the rest of a sentence after the option's name; `undefined` if nothing is. */
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
  // A number in quotes looks right but is a text.
  if (typeof value === 'string' && /^\d{1,15}$/.test(value)) return `the text "${value}"`;
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN - 1)}…`;
}
