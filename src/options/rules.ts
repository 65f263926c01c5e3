import { isDelay, findReversed, type DelayRange } from '../mock/world/clock.js';
import type { ListRule, Rule } from './rule.js';

const ON = /^(?:true|1|yes|on)$/i;
const OFF = /^(?:false|0|no|off)$/i;

export const BOOLEAN: Rule<boolean> = {
  expected: 'true or false',
  accepts: (value) => typeof value === 'boolean',
  schema: { type: 'boolean' },
  read: (word) => ON.test(word) || (OFF.test(word) ? false : word),
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

/** `100-800` or `200`; anything else stays a text. */
export function readDelay(written: string): unknown {
  const [, from, to] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(written) ?? [];
  if (from === undefined) return written;
  return to === undefined ? Number(from) : { from: Number(from), to: Number(to) };
}

/**
 * What is wrong with a key, which is never shown: reads after its name, without
 * a full stop. `undefined` when it can stand in the `Authorization` field
 * (RFC 9110 sections 5.5 and 11.4).
 */
function findKeyProblem(key: unknown): string | undefined {
  if (typeof key !== 'string') return 'must be a text; put a number in quotes';
  if (key === '') return 'must not be empty';
  if (/^bearer\s/i.test(key)) return 'begins with the word Bearer, which is not part of a key; leave that out';
  if (key.includes('\uFFFD')) return 'has bytes that are not UTF-8';
  const place = Array.from(key).findIndex((character) => /[\s\p{Cc}]/u.test(character));
  if (place < 0) return undefined;
  const character = Array.from(key)[place] ?? '';
  if (character === ' ')
    return `has a space, as character ${place + 1}; a space ends a key in the Authorization header`;
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `has U+${code}, as character ${place + 1}, which a key in a header cannot have`;
}

export const KEY: Rule<string> = {
  expected: 'a token',
  accepts: (value): value is string => findKeyProblem(value) === undefined,
  explain: findKeyProblem,
  schema: { type: 'string', pattern: String.raw`^[^\s\u0000-\u001F\u007F-\u009F]+$` },
  isSecret: true,
};

/** Where an engine is that replicas share; its reader says what is wrong without showing it. */
export const ENGINE_URL: Rule<string> = {
  expected: 'the URL of an engine, such as redis://host:6379/0',
  accepts: (value): value is string => isText(value) && /^rediss?:\/\//i.test(value),
  schema: { type: 'string', pattern: String.raw`^rediss?://` },
  isSecret: true,
};

/** A key, or `user:password`, that a header field can carry (RFC 9110 section 5.5). */
function isCredential(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && !/[\p{Cc}\uFFFD]/u.test(value);
}

/** Keys by the security scheme that accepts them. */
export const CREDENTIALS: Rule<Readonly<Record<string, string | readonly string[]>>> = {
  expected: 'an object with a key or user:password, or a list of them, for each security scheme',
  accepts: (value): value is Record<string, string | string[]> =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((each) => [each].flat().length > 0 && [each].flat().every(isCredential)),
  schema: { type: 'object' },
  isSecret: true,
};

/** A scope may contain `=`. */
const CREDENTIAL_LINE = /^([^=[]+(?:\[[^\]]*\])?)=(.+)$/;

/** The same, one at a time, as in a flag or a variable. */
export const CREDENTIAL: Rule<string> = {
  expected:
    '<scheme>=<key>, <scheme>=<user>:<password>, or <scheme>[<scopes>]=<token>, with the name of a security scheme of the contract',
  accepts: (value): value is string => isCredential(value) && CREDENTIAL_LINE.test(value),
  schema: { type: 'string', pattern: CREDENTIAL_LINE.source },
  isSecret: true,
};

/** `<scheme>=<key>` of each, by the scheme, with the scopes of a token that has not all of them. */
export function readCredentials(list: readonly string[]): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const each of list) {
    const [, name = '', value = ''] = CREDENTIAL_LINE.exec(each) ?? [];
    found[name] = [...(found[name] ?? []), value];
  }
  return found;
}

const DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/;

/** Milliseconds since 1970-01-01T00:00:00Z; `undefined` if the text is not a date. */
export function readDate(date: Date | string | number): number | undefined {
  const time = typeof date === 'string' ? readDateText(date) : new Date(date).getTime();
  return Number.isNaN(time) ? undefined : time;
}

/** ISO 8601 with a time zone; any other form would mean something else on another machine. 30 February is not a date. */
function readDateText(written: string): number {
  const day = Date.parse(`${written.slice(0, 10)}T00:00:00Z`);
  const exists = !Number.isNaN(day) && new Date(day).toISOString().startsWith(written.slice(0, 10));
  return DATE.test(written) && exists ? Date.parse(written) : Number.NaN;
}

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
