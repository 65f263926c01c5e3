// How two values of a property compare, for ranges and orders.
import { compareNumbers, isJsonNumber, type JsonNumber } from '../numbers/decimal.js';
import { parseNumberLiteral, printJson } from '../document/json.js';

/** Compares numbers by size, dates by time, and everything else as text. */
export function orderOf(one: unknown, other: unknown): number {
  const [a, b] = [rank(one), rank(other)];
  if (typeof a !== 'string' && typeof b !== 'string') return compareNumbers(a, b);
  if (typeof a === typeof b) return a < b ? -1 : a > b ? 1 : 0;
  const [text, ofOther] = [textOf(one), textOf(other)];
  return text < ofOther ? -1 : text > ofOther ? 1 : 0;
}

const DATE = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?$/;

function rank(value: unknown): JsonNumber | string {
  if (isJsonNumber(value)) return value;
  if (typeof value === 'boolean') return Number(value);
  if (typeof value !== 'string') return '';
  const time = DATE.test(value) ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  if (value === '' || Number.isNaN(Number(value))) return value;
  return parseNumberLiteral(value) ?? (Number.isFinite(Number(value)) ? Number(value) : value);
}

/** A value as the text that it is written as. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  // Of nothing, it is no text.
  return value === undefined ? '' : printJson(value);
}
