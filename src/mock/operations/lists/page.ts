import type { StoredRecord } from '../../store/stored-record.js';

/** Which of the matching records an answer has, and in what order. */
export interface Page {
  /** How many to skip. */
  offset: number;
  /** At most this many; `undefined` for all. */
  limit: number | undefined;
  /** The key of the record before the page; `undefined` if an offset says where it begins. */
  after: string | undefined;
  sort: readonly SortTerm[];
}

export interface SortTerm {
  property: readonly string[];
  /** 1 for the smallest first, -1 for the largest. */
  sign: 1 | -1;
}

/** A page of records and its place in the list. */
export interface Chosen {
  records: readonly StoredRecord[];
  /** How many records match, on all pages. */
  total: () => number;
  /** How many are on the pages before. */
  offset: number;
}
