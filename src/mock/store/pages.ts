import type { ListQuery } from './collection.js';
import type { StoredRecord } from './stored-record.js';

const MAX_PAGES = 100;

/** The pages listed since the last change of a record. */
export class Pages {
  readonly #pages = new Map<string, readonly StoredRecord[]>();

  /** Until a record changes, the same page is the same array. */
  take(query: ListQuery, select: (where: ListQuery['where']) => readonly StoredRecord[]): readonly StoredRecord[] {
    const name = namePage(query);
    const known = name === undefined ? undefined : this.#pages.get(name);
    if (known !== undefined) return known;
    const page = takePage(select(query.where), query);
    if (name === undefined) return page;
    // A client may filter by any number of texts that no record has.
    if (this.#pages.size >= MAX_PAGES) this.#pages.clear();
    this.#pages.set(name, page);
    return page;
  }

  clear(): void {
    if (this.#pages.size > 0) this.#pages.clear();
  }
}

/** The cache key of a page; `undefined` if its filter is neither a text nor a number. */
function namePage({ where, offset = 0, limit, order }: ListQuery): string | undefined {
  const page = `${order} ${offset} ${limit}`;
  if (where === undefined) return page;
  return typeof where.value === 'object'
    ? undefined
    : `${page} ${where.property} ${typeof where.value} ${where.value as string}`;
}

/** The part of a list that a query selects. */
function takePage(from: readonly StoredRecord[], { offset = 0, limit, order }: ListQuery): StoredRecord[] {
  const length = Math.max(0, Math.min(limit ?? from.length, from.length - offset));
  if (order === 'oldest-first') return from.slice(offset, offset + length);
  const end = from.length - offset;
  return from.slice(Math.max(0, end - length), Math.max(0, end)).reverse();
}
