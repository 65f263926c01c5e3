import { LosslessNumber } from 'lossless-json';
import { splitLiteral } from './json.js';

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

/** The key of a JSON value in a `Map` or a `Set`: equal for equal values. */
export function keyOfJson(value: unknown): unknown {
  return mayBeWrittenOtherwise(value) ? `${NO_TEXT_OF_JSON}${writeCanonically(value)}` : value;
}

/** Keeps a text from being equal to the JSON of an object. */
const NO_TEXT_OF_JSON = '\0json ';

/** Objects, and numbers so large that a `double`, a `bigint` and a `LosslessNumber` may represent the same one. */
function mayBeWrittenOtherwise(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  return isComposed(value) || typeof value === 'bigint';
}

function isComposed(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function writeCanonically(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint') return writeNumber(String(value));
  if (value instanceof LosslessNumber) return writeNumber(value.toString());
  if (Array.isArray(value)) return `[${value.map(writeCanonically).join()}]`;
  if (!isComposed(value)) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${writeCanonically(field)}`).join()}}`;
}

function writeNumber(literal: string): string {
  const { significant, zeros } = splitLiteral(literal);
  if (significant === '') return '0';
  return `${literal.startsWith('-') ? '-' : ''}${significant}e${zeros}`;
}
