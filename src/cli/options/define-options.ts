import { PetstoreMockError, formatPlace } from '../../errors.js';
import { findProblem, type Rule, type ListRule } from '../../options/rule.js';
import { distance } from 'fastest-levenshtein';
import { isWebUrl } from '../../contract/remote/read-remote.js';
import { dirname, isAbsolute, join } from 'node:path';
import { escapePointer, type SourceDocument } from '../../contract/document/document.js';
import { suggest } from '../../suggest.js';

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

export interface Program {
  name: string;
  description: string;
  usage: string;
  /** The prefix of its variables. */
  prefix: string;
  options: Options;
  /** Separates the values of a list in a variable. Default: a variable has one value. */
  listSeparator?: string;
  commands: Readonly<Record<string, string>>;
  /** The options that `--help` shows; `--help all` shows every option. */
  usual: readonly string[];
  shortNotes: string;
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

export const bad = (message: string): PetstoreMockError => new PetstoreMockError('bad-option', message);

/** Keeps each option's own type, from which the type of its value is derived. */
export const defineOptions = <const Declared extends Options>(options: Declared): Declared => options;

export const listFrom = (options: Options, origin: Origin): [name: string, option: OptionDeclaration][] =>
  Object.entries(options).filter(([, { from }]) => from === undefined || from.includes(origin));

/** A switch is off by default. */
export const defaultOf = ({ rule, default: declared }: OptionDeclaration): unknown =>
  declared ?? (rule.accepts(false) ? false : undefined);

export const variableOf = ({ prefix, options }: Program, name: string): string =>
  options[name]?.variable ?? prefix + toVariable(name);

export const toVariable = (name: string): string => name.toUpperCase().replaceAll('-', '_');

/** The value of an option as text. If an option with one value is given several times, the last one counts. */
export function readTexts({ rule }: OptionDeclaration, texts: readonly string[]): unknown {
  const values = texts.map((text) => rule.read?.(text) ?? text);
  return rule.isList === true ? values : values.at(-1);
}

/** Throws a `PetstoreMockError` for an invalid value. */
export function checkGiven({ rule }: OptionDeclaration, given: GivenValue): GivenValue {
  const problem = findProblem(rule, given.value);
  if (problem !== undefined) throw bad(`${given.where} ${problem}`);
  return given;
}

type CamelCase<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

type ValueOf<Option> = Option extends { rule: ListRule<infer Item> }
  ? Item[]
  : Option extends { rule: Rule<infer Value> }
    ? Value
    : never;

/** The resulting values by the options' names in camel case. Only options without a default may be missing, and no switch. */
export type Values<Declared extends Options> = {
  [Name in keyof Declared & string as CamelCase<Name>]:
    | ValueOf<Declared[Name]>
    | (Declared[Name] extends { default: unknown } | { rule: Rule<boolean> } ? never : undefined);
};

/** The options of a program: the value of each, and its source. */
export interface ResolvedOptions<Declared extends Options> {
  values: Values<Declared>;
  given: (name: keyof Declared & string) => GivenValue | undefined;
}

export function resolveOptions<Declared extends Options>(
  options: Declared,
  sources: readonly Source[],
): ResolvedOptions<Declared> {
  const given = (name: string): GivenValue | undefined => sources.find((source) => source.has(name))?.get(name);
  const entries = Object.entries(options).map(([name, option]) => {
    const value = given(name)?.value ?? defaultOf(option);
    const isList = option.rule.isList === true && value !== undefined;
    const inCamelCase = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    return [inCamelCase, isList ? [value].flat() : value];
  });
  return { values: Object.fromEntries(entries) as Values<Declared>, given };
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The options in the environment. An empty variable counts as absent. */
export function readEnvironment(program: Program, env: Environment): Source {
  refuseMistyped(program, env);
  const found = listFrom(program.options, 'environment').flatMap(([name, option]) => {
    const where = [variableOf(program, name), option.otherVariable ?? ''].find((variable) => {
      const text = env[variable] ?? '';
      return text !== '' && option.ignoredText?.test(text) !== true;
    });
    if (where === undefined) return [];
    const text = env[where] ?? '';
    const separator = option.separator ?? program.listSeparator;
    const isSplit = option.rule.isList === true && separator !== undefined;
    const parts = isSplit ? text.split(separator).map((part) => part.trim()) : [text];
    // What a form or a script writes on several lines ends with one that is empty.
    const value = readTexts(option, separator === '\n' ? parts.filter((part) => part !== '') : parts);
    return [[name, checkGiven(option, { value, from: 'environment', where })] as const];
  });
  return new Map(found);
}

/** A variable that differs from one of ours by one slip is a mistake; any other belongs to somebody else. */
function refuseMistyped(program: Program, env: Environment): void {
  const { prefix, options } = program;
  const declared = listFrom(options, 'environment');
  const known = declared.map(([name]) => variableOf(program, name));
  // Names that people guess from the other variables, each with the right one.
  const misnomers = new Map<string, string>();
  for (const [name, { misnomers: guessed = [], isNegated }] of declared) {
    const variable = variableOf(program, name);
    for (const guess of [toVariable(name), ...guessed]) misnomers.set(prefix + guess, variable);
    if (isNegated === true) misnomers.set(`${prefix}NO_${toVariable(name)}`, `${variable}=false`);
  }
  for (const variable of Object.keys(env)) {
    if (!variable.startsWith(prefix) || known.includes(variable)) continue;
    const meant = misnomers.get(variable) ?? known.find((name) => distance(name, variable) <= 2);
    if (meant !== undefined) throw bad(`there is no variable ${variable}; did you mean ${meant}?`);
  }
}

/** The options in a config file, or in a part of it. Throws with file and line for an unknown option. */
export function readConfigOptions(
  document: SourceDocument,
  options: Options,
  { pointer = '', passOver = [] }: { pointer?: string; passOver?: readonly string[] } = {},
): Source {
  const part = document.at(pointer);
  if (part === null || part === undefined) return new Map();
  const unusable = (at: string, message: string): PetstoreMockError =>
    new PetstoreMockError('unusable-config', message, document.placeOf(at));
  if (typeof part !== 'object' || Array.isArray(part))
    throw unusable(pointer, 'a config file must be a mapping of options, such as `port: 4011`.');
  const inFile = new Map(listFrom(options, 'file'));
  const names = [...inFile.keys()];
  const keys = Object.keys(part).filter((key) => key !== '$schema' && !passOver.includes(key));
  const entries = keys.map((key): [string, GivenValue] => {
    const at = `${pointer}/${escapePointer(key)}`;
    const option = inFile.get(key);
    if (option === undefined)
      throw unusable(at, `there is no option ${key}${suggest(key, names)} The options are ${names.join(', ')}.`);
    const { rule } = option;
    const written = document.at(at);
    const read = rule.isTextInFile === true && typeof written === 'string' ? rule.read?.(written) : written;
    const problem = findProblem(rule, read);
    if (problem !== undefined) throw unusable(at, `${key} ${problem}`);
    const value = resolvePaths(option, read, dirname(document.file));
    return [key, { value, from: 'file', where: `${formatPlace(document.placeOf(at))}: ${key}` }];
  });
  return new Map(entries);
}

function resolvePaths({ rule, resolvePath }: OptionDeclaration, value: unknown, folder: string): unknown {
  if (rule.isPath !== true) return value;
  const resolveOne = (path: string): string =>
    resolvePath?.(path, folder) ?? (isAbsolute(path) || isWebUrl(path) ? path : join(folder, path));
  return Array.isArray(value) ? value.map((path) => resolveOne(String(path))) : resolveOne(String(value));
}

/** The JSON Schema of the options that a config file may contain. */
export const describeOptions = (options: Options): Record<string, object> =>
  Object.fromEntries(listFrom(options, 'file').map(([name, option]) => [name, describeOption(option)]));

export function describeOption(option: OptionDeclaration): object {
  const { help, details, value = '', rule, examples } = option;
  const otherwise = option.otherwise ?? defaultOf(option);
  const text = (details ?? help).replace(/\.$/, '');
  const relative = rule.isPath === true ? '; relative to this file' : '';
  // `<seconds>` is a unit, so the help shows it.
  const isUnit = details === undefined && /^<(seconds|percent|MiB)>$/.test(value);
  const unit = isUnit ? ` In ${value.slice(1, -1)}.` : '';
  const told = option.otherwise ?? option.default;
  const inWords = rule.accepts(otherwise) || told === undefined ? '' : ` Default: ${told}.`;
  return {
    description: `${text.charAt(0).toUpperCase()}${text.slice(1)}${relative}.${unit}${inWords}`,
    ...rule.schema,
    ...(rule.accepts(otherwise) ? { default: otherwise } : {}),
    ...(examples === undefined ? {} : { examples }),
  };
}
