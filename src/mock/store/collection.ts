import { type Pool, createMemory, MIB } from '../world/journal.js';
import type { Int64 } from '../../contract/document/json.js';
import type { Key, KeyRule, Fields, KeySource } from './kept.js';
import { StoredRecord, createKeySource, firstFreePlace, integerKeys, keyOf, nameRecord, weigh } from './kept.js';

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

export interface CollectionState {
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
  start?: CollectionState | undefined;
  /** The largest number of records it accepts. Default: 1,000,000. */
  capacity?: number | undefined;
  /** The pool of memory that it shares with others. Default: unlimited. */
  pool?: Pool | undefined;
}

export const DEFAULT_CAPACITY = 1_000_000;

/** The records that a world keeps for a resource, or for one parent if the resource has a parent. It lives as long as the process. */
export class Collection {
  readonly noun: string;
  readonly key: KeyRule;
  readonly capacity: number;
  #all: StoredRecord[] = [];
  readonly #byKey = new Map<Key, StoredRecord>();
  readonly #index = new RecordIndex(() => this.#all);
  readonly #pages = new Pages();
  readonly #keys: KeySource;
  readonly #gone = new Set<Key>();
  #lacksKeys = false;
  readonly #room: Room;
  readonly #select = (where: ListQuery['where']): readonly StoredRecord[] =>
    where === undefined ? this.#all : this.#index.find(where.property, where.value);
  start: CollectionState;
  #startByKey: ReadonlyMap<Key, StoredRecord> | undefined;

  constructor({ noun = 'records', key = integerKeys('id'), capacity = DEFAULT_CAPACITY, ...given }: StoreOptions = {}) {
    this.noun = noun;
    this.key = key;
    this.capacity = capacity;
    this.#keys = createKeySource(key, (one) => this.#byKey.has(one));
    this.#room = new Room(given.pool ?? createMemory(Infinity).records);
    this.start = { ...(given.start ?? prepareState(given.records ?? [], { key, nextKey: given.nextKey })), weight: 0 };
    this.reset();
  }

  list(query: ListQuery): readonly StoredRecord[] {
    return this.#pages.take(query, this.#select);
  }

  count(where?: ListQuery['where']): number {
    return this.#select(where).length;
  }

  add(fields: Fields): StoredRecord | undefined {
    const weight = weigh(fields);
    if (!this.#allows(weight)) return undefined;
    const named = nameRecord(fields, this.key, this.#keys);
    this.#lacksKeys = named === undefined;
    if (named === undefined) return undefined;
    const stored = this.#keep(new StoredRecord(named));
    this.#room.grow(weight, this.#all.length);
    return stored;
  }

  change(fields: Fields): StoredRecord | undefined {
    const key = keyOf(fields, this.key);
    const before = key === undefined ? undefined : this.#byKey.get(key);
    if (key === undefined || before === undefined) return undefined;
    const growth = weigh(fields) - this.#weightOf(before);
    return this.#room.allowsMore(growth) ? this.swap(before, new StoredRecord(fields), growth) : undefined;
  }

  swap(before: StoredRecord, after: StoredRecord, growth?: number): StoredRecord {
    this.#pages.clear();
    this.#all[this.#all.lastIndexOf(before)] = after;
    this.#byKey.set(this.#keyFor(after), after);
    this.#index.change(before, after);
    this.#room.grow(growth ?? this.#weightOf(after) - this.#weightOf(before), this.#all.length);
    return after;
  }

  remove(key: Key): boolean {
    if (this.displace(key) === undefined) return false;
    this.setGone(key, true);
    return true;
  }

  displace(key: Key): number | undefined {
    const stored = this.#byKey.get(key);
    if (stored === undefined) return undefined;
    const place = this.#all.lastIndexOf(stored);
    this.#pages.clear();
    this.#byKey.delete(key);
    this.#all.splice(place, 1);
    this.#index.remove(stored);
    this.#room.grow(-this.#weightOf(stored), this.#all.length);
    return place;
  }

  /** Puts a removed record back at its place in `order`. Returns whether there was room, and no record with its key. */
  putBack(stored: StoredRecord, order: readonly StoredRecord[]): boolean {
    if (this.#byKey.has(this.#keyFor(stored)) || !this.#allows(this.#weightOf(stored))) return false;
    const before = order.slice(0, order.indexOf(stored)).findLast((each) => this.#byKey.has(this.#keyFor(each)));
    const above = before === undefined ? undefined : this.#byKey.get(this.#keyFor(before));
    this.place(stored, above === undefined ? 0 : this.#all.indexOf(above) + 1);
    return true;
  }

  place(stored: StoredRecord, at: number): void {
    if (at >= this.#all.length) this.#keep(stored);
    else {
      this.#pages.clear();
      this.#index.clear();
      this.#all.splice(at, 0, stored);
      this.#byKey.set(this.#keyFor(stored), stored);
      this.#forget(this.#keyFor(stored));
    }
    this.#room.grow(this.#weightOf(stored), this.#all.length);
  }

  describeFull(): string {
    if (this.#lacksKeys)
      return `no ${this.key.property} is free: the contract allows too few of them for more ${this.noun}`;
    if (this.#all.length < this.capacity) return this.#room.describeFull();
    return `the store is full: it holds ${this.capacity} ${this.noun}`;
  }

  fits(state: CollectionState): boolean {
    return state.records.length <= this.capacity && this.#room.allowsMore(this.growth(state));
  }

  /** How many more bytes a state would take than the current records. */
  growth({ records, weight }: CollectionState): number {
    return this.#room.needs(records.length, weight) - this.#room.held;
  }

  get(key: Key): StoredRecord | undefined {
    return this.#byKey.get(key);
  }

  replace(records: readonly Fields[]): boolean {
    const [firstFree, upcoming] = [firstFreePlace(records, this.key), this.#keys.upcoming()];
    const state = prepareState(records, { key: this.key, nextKey: firstFree > upcoming ? firstFree : upcoming });
    if (!this.fits(state)) return false;
    this.restore(state);
    return true;
  }

  reset(): void {
    this.restore({ ...this.start, weight: 0 });
  }

  begin(state: CollectionState): void {
    this.start = state;
    this.#room.ofStart = state.weight;
    this.#startByKey = undefined;
    this.reset();
  }

  state(): CollectionState {
    return { records: [...this.#all], nextKey: this.#keys.upcoming(), weight: this.#room.added };
  }

  restore({ records, nextKey, weight, gone = [] }: CollectionState): void {
    this.#all = [];
    for (const index of [this.#index, this.#byKey, this.#pages, this.#gone]) index.clear();
    for (const stored of records) this.#keep(stored);
    for (const key of gone) this.setGone(key, true);
    this.#keys.goOnAt(nextKey);
    this.#room.grow(weight - this.#room.added, this.#all.length);
  }

  whole(): CollectionState {
    return { ...this.state(), gone: [...this.#gone] };
  }

  get nextKey(): Int64 {
    return this.#keys.upcoming();
  }

  set nextKey(place: Int64) {
    this.#keys.goOnAt(place);
  }

  setGone(key: Key, isGone: boolean): void {
    if (!isGone) return this.#forget(key);
    const [first] = this.#gone;
    if (first !== undefined && this.#gone.size >= MOST_GONE) this.#gone.delete(first);
    this.#gone.add(key);
  }

  holds(property: string, value: unknown): boolean {
    return this.#index.find(property, value).length > 0;
  }

  hadOnce(key: Key): boolean {
    return this.#gone.has(key);
  }

  atStart(key: Key): StoredRecord | undefined {
    this.#startByKey ??= new Map(this.start.records.map((each) => [keyOf(each.record, this.key) as Key, each]));
    return this.#startByKey.get(key);
  }

  get size(): number {
    return this.#all.length;
  }

  get startSize(): number {
    return this.start.records.length;
  }

  release(): void {
    this.#room.release();
  }

  #keyFor({ record }: StoredRecord): Key {
    return keyOf(record, this.key) as Key;
  }

  #forget(key: Key): void {
    if (this.#gone.size > 0) this.#gone.delete(key);
  }

  #keep(stored: StoredRecord): StoredRecord {
    this.#pages.clear();
    this.#all.push(stored);
    this.#byKey.set(this.#keyFor(stored), stored);
    this.#forget(this.#keyFor(stored));
    this.#index.add(stored);
    return stored;
  }

  #allows(weight: number): boolean {
    return this.#all.length < this.capacity && this.#room.allowsMore(weight + INDEX_BYTES);
  }

  /** The records of the start are counted once, where they are shared. */
  #weightOf(stored: StoredRecord): number {
    return this.start.records.includes(stored) ? 0 : weigh(stored.record);
  }
}

/** Gives a key to each record without one, from `nextKey` on (default: one past the highest key). */
export function prepareState(
  records: readonly Fields[],
  { key, nextKey }: { key: KeyRule; nextKey?: Int64 | undefined },
): CollectionState {
  const given = new Set(records.map((record) => keyOf(record, key)));
  const keys = createKeySource(key, (one) => given.has(one));
  keys.goOnAt(nextKey ?? firstFreePlace(records, key));
  const named = records.map((record) => nameRecord(record, key, keys)).filter((record) => record !== undefined);
  const weight = records.reduce((sum, record) => sum + weigh(record), 0);
  return { records: named.map((record) => new StoredRecord(record)), nextKey: keys.upcoming(), weight };
}

const MAX_PAGES = 100;

export class Pages {
  readonly #pages = new Map<string, readonly StoredRecord[]>();

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

function namePage({ where, offset = 0, limit, order }: ListQuery): string | undefined {
  const page = `${order} ${offset} ${limit}`;
  if (where === undefined) return page;
  return typeof where.value === 'object'
    ? undefined
    : `${page} ${where.property} ${typeof where.value} ${where.value as string}`;
}

function takePage(from: readonly StoredRecord[], { offset = 0, limit, order }: ListQuery): StoredRecord[] {
  const length = Math.max(0, Math.min(limit ?? from.length, from.length - offset));
  if (order === 'oldest-first') return from.slice(offset, offset + length);
  const end = from.length - offset;
  return from.slice(Math.max(0, end - length), Math.max(0, end)).reverse();
}

type ByValue = Map<unknown, StoredRecord[]>;

const NONE: readonly never[] = Object.freeze([]);

/** Records by the values of their properties. The first use of an index builds it; from then on it is maintained. */
export class RecordIndex {
  readonly #all: () => readonly StoredRecord[];
  readonly #byProperty = new Map<string, ByValue>();

  constructor(all: () => readonly StoredRecord[]) {
    this.#all = all;
  }

  find(property: string, value: unknown): readonly StoredRecord[] {
    return this.#indexOf(property).get(value) ?? NONE;
  }

  add(stored: StoredRecord): void {
    for (const [property, index] of this.#byProperty) push(index, stored.record[property], stored);
  }

  remove(stored: StoredRecord): void {
    for (const [property, index] of this.#byProperty) {
      const value = stored.record[property];
      const peers = index.get(value) ?? [];
      peers.splice(peers.lastIndexOf(stored), 1);
      if (peers.length === 0) index.delete(value);
    }
  }

  change(before: StoredRecord, after: StoredRecord): void {
    for (const [property, index] of this.#byProperty) {
      const peers = index.get(before.record[property]);
      // Only the whole collection shows its place among the records with its new value.
      if (peers === undefined || before.record[property] !== after.record[property]) this.#byProperty.delete(property);
      else peers[peers.lastIndexOf(before)] = after;
    }
  }

  clear(): void {
    this.#byProperty.clear();
  }

  #indexOf(property: string): ByValue {
    const known = this.#byProperty.get(property);
    if (known !== undefined) return known;
    const made: ByValue = new Map();
    for (const stored of this.#all()) push(made, stored.record[property], stored);
    this.#byProperty.set(property, made);
    return made;
  }
}

function push(index: ByValue, value: unknown, stored: StoredRecord): void {
  if (value === undefined) return;
  const peers = index.get(value);
  if (peers === undefined) index.set(value, [stored]);
  else peers.push(stored);
}

const MOST_GONE = 1000;
export const INDEX_BYTES = 64;

class Room {
  readonly #pool: Pool;
  held = 0;
  ofStart = 0;
  added = 0;
  #isOpen = true;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  allowsMore(bytes: number): boolean {
    return this.#pool.used + bytes <= this.#pool.most;
  }

  /** The size of so many records that have so many bytes beyond the start. */
  needs(records: number, bytes: number): number {
    return this.ofStart + bytes + INDEX_BYTES * records;
  }

  grow(bytes: number, records: number): void {
    this.added += bytes;
    this.take(this.needs(records, this.added));
  }

  take(bytes: number): void {
    if (!this.#isOpen) return;
    this.#pool.used += bytes - this.held;
    this.held = bytes;
  }

  release(): void {
    this.take(0);
    this.#isOpen = false;
  }

  describeFull(): string {
    return `the stores are full: they hold ${Math.round(this.#pool.most / MIB)} MiB, half of what max-memory allows`;
  }
}
