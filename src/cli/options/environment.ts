import { distance } from 'fastest-levenshtein';
import { PetstoreMockError } from '../../errors.js';
import {
  checkGiven,
  listFrom,
  readTexts,
  toVariable,
  variableOf,
  type Program,
  type Source,
} from './define-options.js';

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
    const listSeparator = option.separator ?? program.listSeparator;
    const isSplit = option.rule.isList === true && listSeparator !== undefined;
    const value = readTexts(option, isSplit ? splitList(text, listSeparator) : [text]);
    return [[name, checkGiven(option, { value, from: 'environment', where })] as const];
  });
  return new Map(found);
}

/** What a form or a script writes on several lines ends with one that is empty. */
function splitList(text: string, separator: string): string[] {
  const parts = text.split(separator).map((part) => part.trim());
  return separator === '\n' ? parts.filter((part) => part !== '') : parts;
}

/** A variable that differs from one of ours by one slip is a mistake; any other belongs to somebody else. */
function refuseMistyped(program: Program, env: Environment): void {
  const known = listFrom(program.options, 'environment').map(([name]) => variableOf(program, name));
  const misnomers = listMisnomers(program);
  for (const variable of Object.keys(env)) {
    if (!variable.startsWith(program.prefix) || known.includes(variable)) continue;
    const meant = misnomers.get(variable) ?? known.find((name) => distance(name, variable) <= 2);
    if (meant === undefined) continue;
    throw new PetstoreMockError('bad-option', `there is no variable ${variable}; did you mean ${meant}?`);
  }
}

/** Names that people guess from the other variables, each with the right one. */
function listMisnomers(program: Program): ReadonlyMap<string, string> {
  const { prefix, options } = program;
  const found = new Map<string, string>();
  for (const [name, { misnomers = [], isNegated }] of listFrom(options, 'environment')) {
    const variable = variableOf(program, name);
    for (const misnomer of [toVariable(name), ...misnomers]) found.set(prefix + misnomer, variable);
    if (isNegated === true) found.set(`${prefix}NO_${toVariable(name)}`, `${variable}=false`);
  }
  return found;
}
