import type { Int64 } from '../../contract/document/json.js';
import type { Key, KeyRule } from './keys.js';
import type { Fields, StoredRecord } from './stored-record.js';

export interface ListQuery {
  /** Only records whose property has this value, none that lack it. Default: all. */
  where?: { property: string; value: unknown } | undefined;
  /** How many to pass over. Default: none. */
  offset?: number | undefined;
  /** At most this many. Default: no bound. */
  limit?: number | undefined;
  order: ListOrder;
}

export type ListOrder = 'newest-first' | 'oldest-first';

/** The records that a world keeps for a resource; of one parent, where the resource has a parent. */
export interface Collection {
  /** What its records are called, many of them: `pets`. */
  readonly noun: string;
  readonly key: KeyRule;
  /** The cost depends on the page, not on the collection. Until a record changes, the same page is the same array. */
  list(query: ListQuery): readonly StoredRecord[];
  /** How many records {@link list} chooses from. */
  count(where?: ListQuery['where']): number;
  /**
   * Stores a record, under a new key where it brings none; `undefined` when there is no room, and
   * {@link describeFull} says of what, or no key that is free.
   */
  add(fields: Fields): StoredRecord | undefined;
  /** Puts a record in the place of the one with its key; `undefined` when there is none, or no room. */
  change(fields: Fields): StoredRecord | undefined;
  /** Takes a record out; whether there was one with this key. */
  remove(key: Key): boolean;
  /** Why nothing is added any more, a sentence without a full stop. */
  describeFull(): string;
  /** Whether there is room for a state in place of what it holds. */
  fits(state: CollectionState): boolean;
  /** How many bytes more it would take with a state in place of what it holds. */
  growth(state: CollectionState): number;
  get(key: Key): StoredRecord | undefined;
  /** Puts these records, oldest first, in place of all, if there is room for them. Keys assigned later go on. */
  replace(records: readonly Fields[]): boolean;
  /** Goes back to the records and to the keys of the start. */
  reset(): void;
  /** Takes another state for its start, and goes there. */
  begin(state: CollectionState): void;
  /** What it holds now, to go back to. */
  state(): CollectionState;
  /** Goes back to a state, its keys included. */
  restore(state: CollectionState): void;
  /** Whether any record has this value in a property. */
  holds(property: string, value: unknown): boolean;
  /** Whether a record with this key was there and was removed since; of very many the first are forgotten. */
  hadOnce(key: Key): boolean;
  /** Whether a record with this key was there at the start. */
  beganWith(key: Key): boolean;
  readonly size: number;
  /** How many records it began with. */
  readonly startSize: number;
  /** Gives its room back, when its world is dropped. */
  release(): void;
  /** The most records it takes. */
  readonly capacity: number;
}

/** All that a collection holds. Records are frozen, so states and collections share them. */
export interface CollectionState {
  /** Oldest first. */
  readonly records: readonly StoredRecord[];
  /** The place in the row of keys that comes next: of integers the key itself, if it is not taken. */
  readonly nextKey: Int64;
  /** What they take, in bytes, those left out that the collection began with. */
  readonly weight: number;
}
