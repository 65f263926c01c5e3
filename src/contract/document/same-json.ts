import { compareNumbers, digitsOf, isJsonNumber, isWhole, nameDigits, type JsonNumber } from '../numbers/decimal.js';
import { INT64_MAX, INT64_MIN } from './json.js';

/**
 * Whether two JSON values are the same: numbers are compared by value in any notation (`1e300` is `1e+300`), objects
 * without regard to the order of their fields.
 */
export function sameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  return (
    mayBeWrittenOtherwise(one) && mayBeWrittenOtherwise(other) && writeCanonically(one) === writeCanonically(other)
  );
}

/**
 * Whether two values are the same to the precision that programs may expect of each other: all digits of an int64, and for
 * any other number those of a `double` (RFC 8259 section 6).
 */
export function sameToADouble(one: unknown, other: unknown): boolean {
  if (sameJson(one, other)) return true;
  if (!isJsonNumber(one) || !isJsonNumber(other)) return false;
  if (isInt64(one) && isInt64(other)) return false;
  return Number.isFinite(Number(one)) && Number(one) === Number(other);
}

function isInt64(value: JsonNumber): boolean {
  return isWhole(value) && compareNumbers(value, INT64_MIN) >= 0 && compareNumbers(value, INT64_MAX) <= 0;
}

/** The key of a JSON value in a `Map` or a `Set`: equal for equal values. */
export function keyOfJson(value: unknown): unknown {
  return mayBeWrittenOtherwise(value) ? `${NO_TEXT_OF_JSON}${writeCanonically(value)}` : value;
}

/** Keeps a text from being equal to the JSON of an object. */
const NO_TEXT_OF_JSON = '\0json ';

/** Objects, and numbers so large that our own code may have a `double` where JSON has a `bigint`. */
function mayBeWrittenOtherwise(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  return isComposed(value) || typeof value === 'bigint';
}

function isComposed(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function writeCanonically(value: unknown): string {
  if (isJsonNumber(value)) return nameDigits(digitsOf(value));
  if (Array.isArray(value)) return `[${value.map(writeCanonically).join()}]`;
  if (!isComposed(value)) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${writeCanonically(field)}`).join()}}`;
}
