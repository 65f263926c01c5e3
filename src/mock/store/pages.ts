import type { ListQuery } from './collection.js';
import type { StoredRecord } from './stored-record.js';

/** The cache key of a page; `undefined` if its filter is neither a text nor a number. */
export function namePage({ where, offset = 0, limit, order }: ListQuery): string | undefined {
  const page = `${order} ${offset} ${limit}`;
  if (where === undefined) return page;
  return typeof where.value === 'object'
    ? undefined
    : `${page} ${where.property} ${typeof where.value} ${where.value as string}`;
}

/** The part of a list that a query selects. */
export function takePage(from: readonly StoredRecord[], { offset = 0, limit, order }: ListQuery): StoredRecord[] {
  const length = Math.max(0, Math.min(limit ?? from.length, from.length - offset));
  if (order === 'oldest-first') return from.slice(offset, offset + length);
  const end = from.length - offset;
  return from.slice(Math.max(0, end - length), Math.max(0, end)).reverse();
}
