import { isDelay, findReversed } from '../mock/world/delay-range.js';
import type { DelayRange } from '../mock/world/delay-range.js';
import { findKeyProblem } from './find-key-problem.js';
import { DATE, readDate } from './read-date.js';
import type { ListRule, Rule } from './rule.js';

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
  ['yes', true],
  ['no', false],
  ['on', true],
  ['off', false],
]);

export const BOOLEAN: Rule<boolean> = {
  expected: 'true or false',
  accepts: (value) => typeof value === 'boolean',
  schema: { type: 'boolean' },
  read: (word) => BOOLEANS.get(word.toLowerCase()) ?? word,
};

export function text(expected: string): Rule<string> {
  return { expected, accepts: isText, schema: { type: 'string', pattern: String.raw`\S` } };
}

export function path(expected: string): Rule<string> {
  return { ...text(expected), isPath: true };
}

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

export function oneOf<const Word extends string>(known: readonly Word[]): Rule<Word> {
  const last = known.at(-1) ?? '';
  return {
    expected: known.length === 1 ? last : `${known.slice(0, -1).join(', ')} or ${last}`,
    accepts: (value): value is Word => known.some((word) => word === value),
    schema: { enum: known },
    known,
  };
}

export function wholeNumber({ from = 0, to = Number.MAX_SAFE_INTEGER, of = '' } = {}): Rule<number> {
  return {
    expected: `a whole number${of} from ${from}${to === Number.MAX_SAFE_INTEGER ? '' : ` to ${to}`}`,
    accepts: (value): value is number =>
      Number.isSafeInteger(value) && (value as number) >= from && (value as number) <= to,
    schema: { type: 'integer', minimum: from, maximum: to },
    read: (digits) => (/^\d{1,15}$/.test(digits) ? Number(digits) : digits),
  };
}

/** Node's timers end at some 24.8 days. */
const DAY_SECONDS = 86_400;

export const SECONDS: Rule<number> = {
  expected: 'a number of seconds, a day at most',
  accepts: (value): value is number => typeof value === 'number' && value >= 0 && value <= DAY_SECONDS,
  schema: { type: 'number', minimum: 0, maximum: DAY_SECONDS },
  read: (digits) => (/^\d{1,15}(?:\.\d{1,3})?$/.test(digits) ? Number(digits) : digits),
};

export const DELAY: Rule<number | DelayRange> = {
  expected: 'a number of milliseconds such as 200, or a range such as 100-800, a day at most',
  accepts: (value): value is number | DelayRange => isDelay(value),
  explain: findReversed,
  schema: {
    anyOf: [
      { type: 'number', minimum: 0, maximum: 1000 * DAY_SECONDS },
      { type: 'string', pattern: String.raw`^\d{1,8}(-\d{1,8})?$` },
    ],
  },
  read: readDelay,
  isTextInFile: true,
};

/** `100-800` or `200`; what is neither stays a text. */
export function readDelay(written: string): unknown {
  const [, from, to] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(written) ?? [];
  if (from === undefined) return written;
  return to === undefined ? Number(from) : { from: Number(from), to: Number(to) };
}

export const KEY: Rule<string> = {
  expected: 'a token',
  accepts: (value): value is string => findKeyProblem(value) === undefined,
  explain: findKeyProblem,
  schema: { type: 'string', pattern: String.raw`^[^\s\u0000-\u001F\u007F-\u009F]+$` },
  isSecret: true,
};

export const DATE_TEXT: Rule<string> = {
  expected: 'a date such as 2030-12-05 or 2030-12-05T00:00:00Z',
  accepts: (value): value is string => typeof value === 'string' && readDate(value) !== undefined,
  schema: { type: 'string', pattern: DATE.source },
};

/** One value, or a list of them. */
export function several<Value>(each: Rule<Value>, expected: string, { least = 1 } = {}): ListRule<Value> {
  return {
    ...each,
    isList: true,
    expected,
    accepts: (value): value is Value | readonly Value[] =>
      [value].flat().length >= least && [value].flat().every(each.accepts),
    explain: (value) => {
      const wrong = [value].flat().filter((item) => !each.accepts(item));
      return wrong.length === 0 ? undefined : each.explain?.(wrong[0]);
    },
    schema: {
      anyOf: [each.schema, { type: 'array', ...(least === 0 ? {} : { minItems: least }), items: each.schema }],
    },
  };
}
