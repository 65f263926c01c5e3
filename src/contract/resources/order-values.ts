// How two values of a property compare, for ranges and orders.
/** Compares numbers by size, dates by time, and everything else as text. */
export function orderOf(one: unknown, other: unknown): number {
  const [a, b] = [rank(one), rank(other)];
  if (typeof a === typeof b || (typeof a !== 'string' && typeof b !== 'string')) return a < b ? -1 : a > b ? 1 : 0;
  const [text, ofOther] = [textOf(one), textOf(other)];
  return text < ofOther ? -1 : text > ofOther ? 1 : 0;
}

const DATE = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?$/;

function rank(value: unknown): number | bigint | string {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return Number(value);
  if (typeof value !== 'string') return '';
  const time = DATE.test(value) ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  return value !== '' && Number.isFinite(Number(value)) ? Number(value) : value;
}

/** A value as the text that it is written as. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  return JSON.stringify(value) ?? '';
}
