import type { Int64 } from '../../contract/document/json.js';
import { createMemory, weigh } from '../world/memory.js';
import type { CollectionState, ListQuery, OpenedCollection, StoreOptions } from './collection.js';
import { GoneKeys } from './gone-keys.js';
import {
  createKeySource,
  firstFreePlace,
  integerKeys,
  keyOf,
  nameRecord,
  type Key,
  type KeyRule,
  type KeySource,
} from './keys.js';
import { Pages } from './pages.js';
import { prepareState } from './prepare-state.js';
import { RecordIndex } from './record-index.js';
import { INDEX_BYTES, Room } from './room.js';
import { StoredRecord, type Fields } from './stored-record.js';

/** The default for the largest number of records in a collection. */
export const DEFAULT_CAPACITY = 1_000_000;

/** A collection that lives as long as the process. */
export function createCollection(options: StoreOptions = {}): OpenedCollection {
  return new MemoryCollection(options);
}

class MemoryCollection implements OpenedCollection {
  readonly noun: string;
  readonly key: KeyRule;
  readonly capacity: number;
  #all: StoredRecord[] = [];
  readonly #byKey = new Map<Key, StoredRecord>();
  readonly #index = new RecordIndex(() => this.#all);
  readonly #pages = new Pages();
  readonly #keys: KeySource;
  readonly #gone = new GoneKeys();
  /** Whether there was no free key for the last record to be added. */
  #lacksKeys = false;
  readonly #room: Room;
  readonly #select = (where: ListQuery['where']): readonly StoredRecord[] =>
    where === undefined ? this.#all : this.#index.find(where.property, where.value);
  /** Other collections share the start. */
  start: CollectionState;
  #startByKey: ReadonlyMap<Key, StoredRecord> | undefined;

  constructor({ noun = 'records', key = integerKeys('id'), capacity = DEFAULT_CAPACITY, ...given }: StoreOptions) {
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
    this.#gone.add(key);
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
      this.#gone.forget(this.#keyFor(stored));
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

  growth({ records, weight }: CollectionState): number {
    return this.#room.needs(records.length, weight) - this.#room.held;
  }

  get(key: Key): StoredRecord | undefined {
    return this.#byKey.get(key);
  }

  replace(records: readonly Fields[]): boolean {
    // A key that was assigned before is never assigned again.
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
    for (const key of gone) this.#gone.add(key);
    this.#keys.goOnAt(nextKey);
    this.#room.grow(weight - this.#room.added, this.#all.length);
  }

  whole(): CollectionState {
    return { ...this.state(), gone: this.#gone.list() };
  }

  get nextKey(): Int64 {
    return this.#keys.upcoming();
  }

  set nextKey(place: Int64) {
    this.#keys.goOnAt(place);
  }

  setGone(key: Key, isGone: boolean): void {
    if (isGone) this.#gone.add(key);
    else this.#gone.forget(key);
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

  #keep(stored: StoredRecord): StoredRecord {
    this.#pages.clear();
    this.#all.push(stored);
    this.#byKey.set(this.#keyFor(stored), stored);
    this.#gone.forget(this.#keyFor(stored));
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
