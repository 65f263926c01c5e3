import type { StoredRecord } from '../../store/stored-record.js';

/** Which of the records that are chosen an answer has, and in what order. */
export interface Page {
  /** How many to pass over. */
  offset: number;
  /** At most this many; `undefined` for all. */
  limit: number | undefined;
  /** The key of the record behind which the page begins; `undefined` where an offset says. */
  after: string | undefined;
  sort: readonly SortTerm[];
}

export interface SortTerm {
  property: readonly string[];
  /** 1 for the smallest first, -1 for the largest. */
  sign: 1 | -1;
}

/** A page of records, and what there is to say of where it stands. */
export interface Chosen {
  records: readonly StoredRecord[];
  /** How many there are, pages aside. */
  total: () => number;
  /** How many stand before the page. */
  offset: number;
}
