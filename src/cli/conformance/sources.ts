import { distance } from 'fastest-levenshtein';
import { PetstoreMockError } from '../../errors.js';
import type { ConformanceCommandLine } from './command-line.js';
import { OPTIONS, variableOf, type ConformanceOption } from './options.js';
import type { Environment } from '../options/environment.js';

/** An option's value as text, and where it was given, for messages. */
export interface Given {
  texts: string[];
  /** `--timeout`, `PETSTORE_CONFORMANCE_TIMEOUT`, `petstore-conformance.yaml:4:1: timeout`. */
  where: string;
}

/** Options by their name. */
export type Source = ReadonlyMap<string, Given>;

export const CONFIG_VARIABLE = 'PETSTORE_CONFORMANCE_CONFIG';
const PREFIX = 'PETSTORE_CONFORMANCE_';

export function readFlags({ values, config }: ConformanceCommandLine): Source {
  if (config === '') throw refuseEmpty('config');
  const given = [...values].map(([name, texts]) => {
    // `--baseline "$BASELINE"` of a variable that is not set would else do something that nobody asked for.
    if (texts.includes('')) throw refuseEmpty(name);
    return [name, { texts, where: `--${name}` }] as const;
  });
  return new Map(given);
}

function refuseEmpty(name: string): PetstoreMockError {
  return new PetstoreMockError('bad-option', `--${name} was given an empty text; leave it out, or give it a value.`);
}

/** The options that the environment gives; an empty variable counts as none. */
export function readVariables(env: Environment): Source {
  const options = OPTIONS.filter(({ only }) => only === undefined);
  refuseMistyped(env, options);
  const given = options.flatMap((option) => {
    const variable = variableOf(option);
    const text = env[variable] ?? '';
    return text === '' ? [] : [[option.name, { texts: readTexts(option, text), where: variable }] as const];
  });
  return new Map(given);
}

function readTexts({ kind }: ConformanceOption, text: string): string[] {
  if (kind !== 'list') return [text];
  return text.split(',').map((part) => part.trim());
}

/** Names that someone who knows the others would try. */
const MISNOMERS: Readonly<Record<string, string>> = {
  PETSTORE_CONFORMANCE_API_KEY: 'PETSTORE_API_KEY',
  PETSTORE_CONFORMANCE_KEY: 'PETSTORE_API_KEY',
};

function refuseMistyped(env: Environment, options: readonly ConformanceOption[]): void {
  const known = [...options.map(variableOf), CONFIG_VARIABLE];
  for (const variable of Object.keys(env)) {
    if (!variable.startsWith(PREFIX) || known.includes(variable)) continue;
    const meant = MISNOMERS[variable] ?? known.find((name) => distance(name, variable) <= 2);
    if (meant === undefined) continue;
    throw new PetstoreMockError('bad-option', `there is no variable ${variable}; did you mean ${meant}?`);
  }
}
