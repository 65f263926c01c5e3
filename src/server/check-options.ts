import { PetstoreMockError } from '../errors.js';
import { suggest } from '../suggest.js';
import { findReversed, isDelay } from '../mock/delay-range.js';
import { findKeyProblem } from './check-key.js';
import { readTime } from './handles/clock.js';
import type { ListeningOptions } from './options.js';

/** What the value of an option has to be. */
interface OptionRule {
  /** Reads after "must be": `a whole number from 0`. */
  expected: string;
  accepts: (value: unknown) => boolean;
  /** Says more of a value that is not accepted, where there is more to say: reads after the name, without a full stop. */
  explain?: (value: unknown) => string | undefined;
  /** Its value is never shown. */
  secret?: boolean;
}

const WHOLE_NUMBER = { expected: 'a whole number from 0', accepts: isWholeNumber };

/** One rule an option, for the library and the program alike. */
const RULES: Readonly<Record<keyof ListeningOptions, OptionRule>> = {
  spec: { expected: 'the path of an OpenAPI document', accepts: isText },
  allowOutsideRefs: { expected: 'true or false', accepts: (value) => typeof value === 'boolean' },
  fixtures: { expected: 'the name of a fixture pack, or its path', accepts: isText },
  profile: {
    expected: 'the path of a profile, or one in memory',
    accepts: (value) => isText(value) || (typeof value === 'object' && value !== null),
  },
  count: WHOLE_NUMBER,
  seed: WHOLE_NUMBER,
  maxPets: WHOLE_NUMBER,
  apiKey: {
    expected: 'a key, or several',
    accepts: (value) => [value].flat().length > 0 && [value].flat().every(isKey),
    explain: (value) =>
      [value]
        .flat()
        .map(findKeyProblem)
        .find((problem) => problem !== undefined),
    secret: true,
  },
  delay: {
    expected: 'a number of milliseconds such as 200, or a range such as 100-800, a day at most',
    accepts: isDelay,
    explain: findReversed,
  },
  cors: { expected: 'true or false', accepts: (value) => typeof value === 'boolean' },
  faults: { expected: 'a list of faults', accepts: Array.isArray },
  now: { expected: 'a date such as 2030-12-05 or 2030-12-05T00:00:00Z', accepts: isDate },
  adminToken: {
    expected: 'a token',
    accepts: isKey,
    explain: findKeyProblem,
    secret: true,
  },
  admin: { expected: 'true or false', accepts: (value) => typeof value === 'boolean' },
  maxWorlds: { expected: 'a whole number from 1', accepts: (value) => isWholeNumber(value) && value >= 1 },
  maxMemory: { expected: 'a whole number of MiB from 1', accepts: (value) => isWholeNumber(value) && value >= 1 },
  port: { expected: 'a whole number from 0 to 65535', accepts: (value) => isWholeNumber(value) && value <= 65_535 },
  drain: { expected: 'a number of seconds, a day at most', accepts: isDrain },
  host: { expected: 'an address of this machine, such as 127.0.0.1', accepts: isText },
};

export type OptionName = keyof typeof RULES;

/** What is wrong with an option's value, a sentence that begins with its name; `undefined` when nothing is. */
export function findProblem(name: OptionName, value: unknown): string | undefined {
  const { accepts, expected, secret, explain } = RULES[name];
  if (accepts(value)) return undefined;
  const problem = explain?.(value);
  if (problem !== undefined) return `${problem}.`;
  return secret === true ? `must be ${expected}.` : `must be ${expected}, not ${show(value)}.`;
}

/** Throws a {@link PetstoreMockError} (`bad-option`) for an option that there is not, or a value that it cannot have. */
export function checkOptions(options: object, known: readonly OptionName[]): void {
  for (const [name, value] of Object.entries(options)) {
    if (!isOneOf(name, known)) {
      throw new PetstoreMockError('bad-option', `there is no option ${name}${suggest(name, known)}`);
    }
    const problem = value === undefined ? undefined : findProblem(name, value);
    if (problem !== undefined) throw new PetstoreMockError('bad-option', `the option ${name} ${problem}`);
  }
}

function isOneOf(name: string, known: readonly OptionName[]): name is OptionName {
  return known.some((each) => each === name);
}

function isWholeNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isDate(value: unknown): boolean {
  if (typeof value !== 'string' && typeof value !== 'number' && !(value instanceof Date)) return false;
  return readTime(value) !== undefined;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function isKey(value: unknown): boolean {
  return findKeyProblem(value) === undefined;
}

/** A day: Node's timers end at some 24.8. */
const MAX_DRAIN_SECONDS = 86_400;

function isDrain(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= MAX_DRAIN_SECONDS;
}

const MAX_SHOWN = 60;

function show(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  if (text === '') return 'an empty text';
  // A number in quotes looks right, and is a text.
  if (typeof value === 'string' && /^\d{1,15}$/.test(value)) return `the text "${value}"`;
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN - 1)}…`;
}
