import { PLACEHOLDER } from './redactor.js';

type Change = (text: string) => string;

interface Rules {
  own: ReadonlySet<string>;
  names: boolean;
  /** Whether to look at numbers too; one that would change is removed. */
  numbers: boolean;
}

const NONE: ReadonlySet<string> = new Set();

/** Changes every text within a value, except in properties with `own` names. Unchanged parts are not copied. */
export function mapTexts<T>(value: T, change: Change, own: ReadonlySet<string> = NONE): T {
  return mapValue(value, change, { own, names: false, numbers: false }) as T;
}

/** {@link mapTexts}, of the names of properties too. */
export function mapAllTexts<T>(value: T, change: Change): T {
  return mapValue(value, change, { own: NONE, names: true, numbers: false }) as T;
}

/** Removes the secrets from a value that somebody sent: in texts, names of properties and numbers. */
export function redactAll<T>(value: T, redact: Change): T {
  return mapValue(value, redact, { own: NONE, names: true, numbers: true }) as T;
}

/** A number of many digits is `typeof 'function'` (`Decimal`), and no value that is sent is a function. */
const NUMBERS: ReadonlySet<string> = new Set(['number', 'bigint', 'function']);

function mapValue(value: unknown, change: Change, rules: Rules): unknown {
  if (typeof value === 'string') return change(value);
  if (rules.numbers && NUMBERS.has(typeof value)) return change(String(value)) === String(value) ? value : PLACEHOLDER;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => mapValue(item, change, rules));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  return mapEntries(value, change, rules);
}

function mapEntries(value: object, change: Change, rules: Rules): object {
  let isSame = true;
  const entries = Object.entries(value).map(([name, item]): [string, unknown] => {
    if (rules.own.has(name)) return [name, item];
    const mapped: [string, unknown] = [rules.names ? change(name) : name, mapValue(item, change, rules)];
    isSame &&= mapped[0] === name && mapped[1] === item;
    return mapped;
  });
  return isSame ? value : Object.fromEntries(entries);
}
