import { createMemory, weigh } from '../world/memory.js';
import type { Collection, CollectionState, ListQuery, StoreOptions } from './collection.js';
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
import { namePage, takePage } from './pages.js';
import { prepareState } from './prepare-state.js';
import { RecordIndex } from './record-index.js';
import { INDEX_BYTES, Room } from './room.js';
import { StoredRecord, type Fields } from './stored-record.js';

/** The default for the largest number of records in a collection. */
export const DEFAULT_CAPACITY = 1_000_000;
const MAX_PAGES = 100;

/** A {@link Collection} that lives as long as the process. */
export function createCollection(options: StoreOptions = {}): Collection {
  return new MemoryCollection(options);
}

class MemoryCollection implements Collection {
  readonly noun: string;
  readonly key: KeyRule;
  readonly capacity: number;
  #all: StoredRecord[] = [];
  readonly #byKey = new Map<Key, StoredRecord>();
  readonly #index = new RecordIndex(() => this.#all);
  /** The pages listed since the last change of a record. */
  readonly #pages = new Map<string, readonly StoredRecord[]>();
  readonly #keys: KeySource;
  readonly #gone = new GoneKeys();
  /** Whether there was no free key for the last record to be added. */
  #lacksKeys = false;
  readonly #room: Room;
  /** Other collections share the start. */
  #start: CollectionState;
  #startByKey: ReadonlyMap<Key, StoredRecord> | undefined;
  /** The size of everything beyond the start, in bytes. */
  #added = 0;

  constructor({ noun = 'records', key = integerKeys('id'), capacity = DEFAULT_CAPACITY, ...given }: StoreOptions) {
    this.noun = noun;
    this.key = key;
    this.capacity = capacity;
    this.#keys = createKeySource(key, (one) => this.#byKey.has(one));
    this.#room = new Room(given.pool ?? createMemory(Infinity).records);
    this.#start = { ...(given.start ?? prepareState(given.records ?? [], { key, nextKey: given.nextKey })), weight: 0 };
    this.reset();
  }

  list(query: ListQuery): readonly StoredRecord[] {
    const name = namePage(query);
    const known = name === undefined ? undefined : this.#pages.get(name);
    if (known !== undefined) return known;
    const page = takePage(this.#select(query.where), query);
    if (name === undefined) return page;
    // A client may filter by any number of texts that no record has.
    if (this.#pages.size >= MAX_PAGES) this.#pages.clear();
    this.#pages.set(name, page);
    return page;
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
    this.#added += weight;
    this.#settle();
    return stored;
  }

  change(fields: Fields): StoredRecord | undefined {
    const key = keyOf(fields, this.key);
    const before = key === undefined ? undefined : this.#byKey.get(key);
    if (key === undefined || before === undefined) return undefined;
    const growth = weigh(fields) - this.#weightOf(before);
    if (!this.#room.allowsMore(growth)) return undefined;
    const after = new StoredRecord(fields);
    this.#pages.clear();
    this.#all[this.#all.lastIndexOf(before)] = after;
    this.#byKey.set(key, after);
    this.#index.change(before, after);
    this.#added += growth;
    this.#settle();
    return after;
  }

  remove(key: Key): boolean {
    const stored = this.#byKey.get(key);
    if (stored === undefined) return false;
    this.#pages.clear();
    this.#byKey.delete(key);
    this.#all.splice(this.#all.lastIndexOf(stored), 1);
    this.#index.remove(stored);
    this.#gone.add(key);
    this.#added -= this.#weightOf(stored);
    this.#settle();
    return true;
  }

  putBack(stored: StoredRecord, order: readonly StoredRecord[]): boolean {
    const keyFor = ({ record }: StoredRecord): Key => keyOf(record, this.key) as Key;
    const weight = this.#weightOf(stored);
    if (this.#byKey.has(keyFor(stored)) || !this.#allows(weight)) return false;
    const before = order.slice(0, order.indexOf(stored)).findLast((each) => this.#byKey.has(keyFor(each)));
    const at = before === undefined ? 0 : this.#all.indexOf(this.#byKey.get(keyFor(before)) as StoredRecord) + 1;
    this.#index.clear();
    for (const each of [stored, ...this.#all.splice(at)]) this.#keep(each);
    this.#added += weight;
    this.#settle();
    return true;
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
    return this.#needs(records.length, weight) - this.#room.held;
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
    this.restore({ ...this.#start, weight: 0 });
  }

  begin(state: CollectionState): void {
    this.#start = state;
    this.#startByKey = undefined;
    this.reset();
  }

  state(): CollectionState {
    return { records: [...this.#all], nextKey: this.#keys.upcoming(), weight: this.#added };
  }

  restore({ records, nextKey, weight }: CollectionState): void {
    this.#all = [];
    for (const index of [this.#index, this.#byKey, this.#pages, this.#gone]) index.clear();
    for (const stored of records) this.#keep(stored);
    this.#keys.goOnAt(nextKey);
    this.#added = weight;
    this.#settle();
  }

  holds(property: string, value: unknown): boolean {
    return this.#index.find(property, value).length > 0;
  }

  hadOnce(key: Key): boolean {
    return this.#gone.has(key);
  }

  atStart(key: Key): StoredRecord | undefined {
    this.#startByKey ??= new Map(this.#start.records.map((each) => [keyOf(each.record, this.key) as Key, each]));
    return this.#startByKey.get(key);
  }

  get size(): number {
    return this.#all.length;
  }

  get startSize(): number {
    return this.#start.records.length;
  }

  release(): void {
    this.#room.release();
  }

  #select(where: ListQuery['where']): readonly StoredRecord[] {
    return where === undefined ? this.#all : this.#index.find(where.property, where.value);
  }

  #keep(stored: StoredRecord): StoredRecord {
    if (this.#pages.size > 0) this.#pages.clear();
    this.#all.push(stored);
    const key = keyOf(stored.record, this.key) as Key;
    this.#byKey.set(key, stored);
    this.#gone.forget(key);
    this.#index.add(stored);
    return stored;
  }

  #allows(weight: number): boolean {
    return this.#all.length < this.capacity && this.#room.allowsMore(weight + INDEX_BYTES);
  }

  #needs(records: number, bytes: number): number {
    return this.#start.weight + bytes + INDEX_BYTES * records;
  }

  /** The records of the start are counted once, where they are shared. */
  #weightOf(stored: StoredRecord): number {
    return this.#start.records.includes(stored) ? 0 : weigh(stored.record);
  }

  #settle(): void {
    this.#room.take(this.#needs(this.#all.length, this.#added));
  }
}
