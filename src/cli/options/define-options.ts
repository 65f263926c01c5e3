import { PetstoreMockError } from '../../errors.js';
import { findProblem, type Rule } from '../../options/rule.js';

/** Where an option may come from. */
export type Origin = 'flag' | 'environment' | 'file';

type Plain = string | number | boolean;

/** Everything about an option. Help, environment, config file, its schema and `docs/options.md` are derived from it. */
export interface OptionDeclaration {
  /** The heading above it and those that follow it, in the help and in `docs/options.md`. */
  heading?: string;
  help: string;
  rule: Rule;
  /** The placeholder for its value in the help: `<number>`. An option without one is a switch. */
  value?: string;
  /** A flag of one letter: `-p`. */
  short?: string;
  /** A longer text than the help, for the schema of the config file. */
  details?: string;
  /** Its value if none is given. */
  default?: Plain;
  /** What applies without it, if the command line does not decide that: a value, or words. */
  otherwise?: Plain;
  examples?: readonly unknown[];
  /** It is true unless the flag `--no-<name>` says otherwise. */
  isNegated?: boolean;
  /** Resolves a path in a config file. Default: it is relative to that file. */
  resolvePath?: (path: string, folder: string) => string;
  /** Why a second value is rejected, and what to do. Default: of several flags, the last counts. */
  once?: string;
  /** Default: from everywhere. */
  from?: readonly Origin[];
  /** The variable's name, if it is not the prefix and the option's name. */
  variable?: string;
  /** Names, without the prefix, that people guess from the other variables. */
  misnomers?: readonly string[];
  /** Separates several values in its variable, if a value may contain the program's own separator. */
  separator?: string;
  /** What other software puts into the variable: it counts as absent. */
  ignoredText?: RegExp;
  /** Another variable, without the prefix, that counts if the first is absent: `PORT`. */
  otherVariable?: string;
}

/** Options by their names in the config file. The flag is `--<name>`, the variable the prefix and the name in capitals. */
export type Options = Readonly<Record<string, OptionDeclaration>>;

/** A program, seen from its options. */
export interface Program {
  name: string;
  description: string;
  usage: string;
  /** The prefix of its variables. */
  prefix: string;
  options: Options;
  /** Separates the values of a list in a variable. Default: a variable has one value. */
  listSeparator?: string;
  /** Its commands, each with what it does. */
  commands: Readonly<Record<string, string>>;
  /** The options that `--help` shows; `--help all` shows every option. */
  usual: readonly string[];
  /** The end of `--help`. */
  shortNotes: string;
  /** The end of `--help all`. */
  notes: string;
  /** The message about a word without a flag that is not shown because it may be a key. */
  hint: string;
  /** What a word without a flag may have meant. */
  guessMeaning: (word: string) => string | undefined;
}

/** A value that was checked where it was given. */
export interface GivenValue {
  value: unknown;
  from: Origin;
  /** `--timeout`, `PETSTORE_CONFORMANCE_TIMEOUT`, `petstore-conformance.yaml:4:1: timeout`. */
  where: string;
}

/** The values from one source, by the option's name. */
export type Source = ReadonlyMap<string, GivenValue>;

/** Keeps each option's own type, from which the type of its value is derived. */
export function defineOptions<const Declared extends Options>(options: Declared): Declared {
  return options;
}

/** The options that may come from a source, each with its name. */
export function listFrom(options: Options, origin: Origin): [name: string, option: OptionDeclaration][] {
  return Object.entries(options).filter(([, { from }]) => from === undefined || from.includes(origin));
}

/** A switch is off by default. */
export function defaultOf({ rule, default: declared }: OptionDeclaration): unknown {
  return declared ?? (rule.accepts(false) ? false : undefined);
}

/** The environment variable of an option. */
export function variableOf({ prefix, options }: Program, name: string): string {
  return options[name]?.variable ?? prefix + toVariable(name);
}

export function toVariable(name: string): string {
  return name.toUpperCase().replaceAll('-', '_');
}

/** The value of an option as text. If an option with one value is given several times, the last one counts. */
export function readTexts({ rule }: OptionDeclaration, texts: readonly string[]): unknown {
  const values = texts.map((text) => rule.read?.(text) ?? text);
  return rule.isList === true ? values : values.at(-1);
}

/** Throws a `PetstoreMockError` for an invalid value. */
export function checkGiven({ rule }: OptionDeclaration, given: GivenValue): GivenValue {
  const problem = findProblem(rule, given.value);
  if (problem !== undefined) throw new PetstoreMockError('bad-option', `${given.where} ${problem}`);
  return given;
}
