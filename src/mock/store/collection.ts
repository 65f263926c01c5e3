import type { Pool } from '../world/memory.js';
import type { Int64 } from '../../contract/document/json.js';
import type { Key, KeyRule } from './keys.js';
import type { Fields, StoredRecord } from './stored-record.js';

export interface ListQuery {
  /** Only records whose property has this value. Default: all. */
  where?: { property: string; value: unknown } | undefined;
  /** How many to skip. Default: none. */
  offset?: number | undefined;
  /** At most this many. Default: no limit. */
  limit?: number | undefined;
  order: ListOrder;
}

export type ListOrder = 'newest-first' | 'oldest-first';

/** The records that a world keeps for a resource, or for one parent if the resource has a parent. */
export interface Collection {
  /** The plural of what its records are called: `pets`. */
  readonly noun: string;
  readonly key: KeyRule;
  /** The cost depends on the page, not on the collection. Until a record changes, the same page is the same array. */
  list(query: ListQuery): readonly StoredRecord[];
  /** How many records {@link list} chooses from. */
  count(where?: ListQuery['where']): number;
  /**
   * Stores a record, under a new key if it has none. `undefined` if there is no room, of which
   * {@link describeFull} says more, or no free key.
   */
  add(fields: Fields): StoredRecord | undefined;
  /** Replaces the record with the same key; `undefined` if there is none, or no room. */
  change(fields: Fields): StoredRecord | undefined;
  /** Removes a record; returns whether there was one with this key. */
  remove(key: Key): boolean;
  /**
   * Puts a removed record back beside those that stood before it in `order`, which has it, oldest first. Returns whether
   * there was room for it, and no record with its key.
   */
  putBack(stored: StoredRecord, order: readonly StoredRecord[]): boolean;
  /** Why it accepts no more records, a sentence without a full stop. */
  describeFull(): string;
  /** Whether there is room to replace the current records by a state. */
  fits(state: CollectionState): boolean;
  /** How many more bytes a state would take than the current records. */
  growth(state: CollectionState): number;
  get(key: Key): StoredRecord | undefined;
  /** Replaces all records by these, oldest first, if there is room. The sequence of keys continues. */
  replace(records: readonly Fields[]): boolean;
  /** Restores the records and the sequence of keys of the start. */
  reset(): void;
  /** Makes another state its start, and restores it. */
  begin(state: CollectionState): void;
  /** The current state, to restore later. */
  state(): CollectionState;
  /** Restores a state, including the sequence of keys. */
  restore(state: CollectionState): void;
  /** Whether any record has this value in a property. */
  holds(property: string, value: unknown): boolean;
  /** Whether a record with this key existed and was removed; if very many were, the oldest are forgotten. */
  hadOnce(key: Key): boolean;
  /** The record with this key at the start; `undefined` if there was none. */
  atStart(key: Key): StoredRecord | undefined;
  readonly size: number;
  /** How many records it began with. */
  readonly startSize: number;
  /** Returns its memory to the pool when its world is dropped. */
  release(): void;
  /** The largest number of records it accepts. */
  readonly capacity: number;
}

/** Single steps of changes, without a check for room: what repeats a change that was made elsewhere, or takes one back, needs these. */
export interface OpenedCollection extends Collection {
  /** The current state, with the keys of removed records. */
  whole(): CollectionState;
  readonly start: CollectionState;
  nextKey: Int64;
  setGone(key: Key, isGone: boolean): void;
  /** Puts a record at a place among the others, which is the end if there are fewer. */
  place(stored: StoredRecord, at: number): void;
  /** Takes a record out and returns its place; `undefined` if there is none. */
  displace(key: Key): number | undefined;
  /** Puts a record in the place of one with the same key. */
  swap(before: StoredRecord, after: StoredRecord): StoredRecord;
}

/** The content of a collection. Records are frozen, so states and collections share them. */
export interface CollectionState {
  /** Oldest first. */
  readonly records: readonly StoredRecord[];
  /** The next place in the sequence of keys; for integers, the next key, if it is not taken. */
  readonly nextKey: Int64;
  /** The size of the records in bytes, without those of the start. */
  readonly weight: number;
  /** The keys of removed records, oldest first. Default: none. */
  readonly gone?: readonly Key[];
}

export interface StoreOptions {
  /** The plural of what its records are called. Default: `records`. */
  noun?: string | undefined;
  /** Default: integers from 1 in `id`. */
  key?: KeyRule | undefined;
  /** Records to begin with, oldest first. Default: none. */
  records?: readonly Fields[];
  /** The first key to assign. Default: one past the highest key that is there. */
  nextKey?: Int64 | undefined;
  /** The same, prepared once for any number of collections. It takes precedence over `records` and `nextKey`. */
  start?: CollectionState | undefined;
  /** The largest number of records it accepts. Default: 1,000,000. */
  capacity?: number | undefined;
  /** The pool of memory that it shares with others. Default: unlimited. */
  pool?: Pool | undefined;
}
