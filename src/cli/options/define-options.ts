import { PetstoreMockError } from '../../errors.js';
import { findProblem, type Rule } from '../../options/rule.js';

/** Where an option may come from. */
export type Origin = 'flag' | 'environment' | 'file';

type Plain = string | number | boolean;

/** All that there is to say of an option. Help, environment, config file, its schema and `docs/options.md` follow from it. */
export interface OptionDeclaration {
  help: string;
  rule: Rule;
  /** What stands for its value in the help: `<number>`. Without one it is a switch. */
  value?: string;
  /** A flag of one letter: `-p`. */
  short?: string;
  /** What the schema of the config file says in place of the help, where there is more to say. */
  details?: string;
  /** Its value where nobody gives one. */
  default?: Plain;
  /** What happens without it, where that is not for the command line to decide: a value, or words. */
  otherwise?: Plain;
  examples?: readonly unknown[];
  /** It is true unless a flag, `--no-` and its name, says otherwise. */
  isNegated?: boolean;
  /** What a path of a config file comes to. Default: it is relative to that file. */
  resolvePath?: (path: string, folder: string) => string;
  /** Default: from everywhere. */
  from?: readonly Origin[];
  /** The variable's name where it is not the prefix and the option's name. */
  variable?: string;
  /** Names of variables, without the prefix, that someone who knows the others would try. */
  misnomers?: readonly string[];
  /** What parts several values in its variable, where the program's own separator may stand in one. */
  separator?: string;
  /** What others may put into the variable: it counts as none. */
  ignoredText?: RegExp;
}

/** Options by their name: as in the config file; the flag is `--` and this, the variable the prefix and this in capitals. */
export type Options = Readonly<Record<string, OptionDeclaration>>;

/** A program, as far as its options go. */
export interface Program {
  name: string;
  description: string;
  usage: string;
  /** What the names of its variables begin with. */
  prefix: string;
  options: Options;
  /** What parts the values of a list in a variable. Default: a variable has one. */
  listSeparator?: string;
  /** What the help ends with. */
  notes: string;
  /** Said of a word without a flag that is not shown, since it may be a key. */
  hint: string;
  /** What someone may have meant by a word without a flag. */
  guessMeaning: (word: string) => string | undefined;
}

/** A value that was found good where it was given. */
export interface Given {
  value: unknown;
  from: Origin;
  /** `--timeout`, `PETSTORE_CONFORMANCE_TIMEOUT`, `petstore-conformance.yaml:4:1: timeout`. */
  where: string;
}

/** What one place gives, by the option's name. */
export type Source = ReadonlyMap<string, Given>;

/** Keeps each option's own type, from which the type of its value follows. */
export function defineOptions<const Declared extends Options>(options: Declared): Declared {
  return options;
}

/** The options that may come from somewhere, each with its name. */
export function listFrom(options: Options, origin: Origin): [name: string, option: OptionDeclaration][] {
  return Object.entries(options).filter(([, { from }]) => from === undefined || from.includes(origin));
}

/** A switch that nobody turns is off. */
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

/** The value of an option as text. Of one that takes one value and is given several times the last counts. */
export function readTexts({ rule }: OptionDeclaration, texts: readonly string[]): unknown {
  const values = texts.map((text) => rule.read?.(text) ?? text);
  return rule.isList === true ? values : values.at(-1);
}

/** Throws a `PetstoreMockError` for a value that the option cannot have. */
export function checkGiven({ rule }: OptionDeclaration, given: Given): Given {
  const problem = findProblem(rule, given.value);
  if (problem !== undefined) throw new PetstoreMockError('bad-option', `${given.where} ${problem}`);
  return given;
}
