import type { Pool } from '../world/memory.js';
import { belongsTo } from './belonging.js';
import type { Collection, CollectionState } from './collection.js';
import { keyOf, type Key, type KeyRule } from './keys.js';
import { keyAt, type Turn } from './foresee-key.js';
import { toKey, type Kept } from './kept.js';
import { createCollection, DEFAULT_CAPACITY } from './memory-collection.js';
import { findOpen, nameOpen } from './open-names.js';

/** All collections of a world. Each is made, with the records it begins with, when it is first used. */
export interface Collections {
  /** Everything that can have a collection. */
  readonly kept: readonly Kept[];
  /** The largest number of records that each accepts. */
  readonly capacity: number;
  /** Whether every collection that there can be is open. */
  readonly isComplete: boolean;
  /** The collection of a resource; `within` are the keys of its parents, outermost first. */
  open(kept: Kept, within?: readonly Key[]): Collection;
  isOpen(kept: Kept, within: readonly Key[]): boolean;
  /** The key of a record; of a collection that is not open, the one that it will have, without making it. */
  foresee(kept: Kept, within: readonly Key[], turn: Turn): Key | undefined;
  /** Makes the records that a collection begins with while the process serves others. {@link open} makes them without a break. */
  prepare(kept: Kept, within: readonly Key[]): Promise<void>;
  /** Removes a record together with the collections that belong to it. Returns whether there was one. */
  remove(kept: Kept, within: readonly Key[], key: Key): boolean;
  /**
   * Puts a record that was removed since `state` back to its place, together with the collections that belonged to it.
   * Returns whether the state has it, there is room, and nothing has its key.
   */
  putBack(state: CollectionsState, kept: Kept, within: readonly Key[], key: Key): boolean;
  /** All collections in use, in the order of their first use. */
  list(): readonly OpenCollection[];
  /** Restores the start. */
  reset(): void;
  readonly starts: Starts;
  /** Makes other records the start, by resource, and restores it. */
  begin(starts: Starts): void;
  /** Their current state, to restore later. */
  state(): CollectionsState;
  /** Whether there is room to replace the current records by a state. */
  fits(state: CollectionsState): boolean;
  restore(state: CollectionsState): void;
  /** How many records the collections in use began with. */
  readonly startSize: number;
  release(): void;
}

export interface OpenCollection {
  kept: Kept;
  within: readonly Key[];
  collection: Collection;
}

/** The content of the collections that were in use at some time. */
export type CollectionsState = readonly { kept: Kept; within: readonly Key[]; state: CollectionState }[];

/** The records that collections begin with, by resource. */
export interface Starts {
  /** Records that are available at once, such as those of a fixture pack. */
  readonly ready: CollectionsState;
  /** The key that a record of any other collection will have; `undefined` if there will be none. */
  foresee(kept: Kept, turn: Turn): Key | undefined;
  /** Makes the records of any other collection; without a parent they are made once, for all worlds. */
  make(kept: Kept, within: readonly Key[]): CollectionState;
  /** The same, while the process serves others. */
  makeInTurns(kept: Kept, within: readonly Key[]): Promise<CollectionState>;
}

export interface CollectionsOptions {
  kept: readonly Kept[];
  keyRule: (kept: Kept) => KeyRule;
  starts: Starts;
  capacity: number | undefined;
  pool: Pool;
}

export function createCollections(options: CollectionsOptions): Collections {
  return new WorldCollections(options);
}

const NOWHERE: readonly never[] = Object.freeze([]);

class WorldCollections implements Collections {
  readonly kept: readonly Kept[];
  readonly capacity: number;
  readonly #options: CollectionsOptions;
  readonly #open = new Map<string, OpenCollection>();
  readonly #isFlat: boolean;
  starts: Starts;

  constructor(options: CollectionsOptions) {
    this.#options = options;
    this.#isFlat = options.kept.every(({ scope }) => scope.length === 0);
    this.kept = options.kept;
    this.capacity = options.capacity ?? DEFAULT_CAPACITY;
    this.starts = options.starts;
    this.#openReady();
  }

  open(kept: Kept, within: readonly Key[] = NOWHERE): Collection {
    const id = nameOpen(kept, within);
    return (this.#open.get(id) ?? this.#make(id, kept, within)).collection;
  }

  get isComplete(): boolean {
    return this.#isFlat && this.#open.size === this.kept.length;
  }

  isOpen(kept: Kept, within: readonly Key[]): boolean {
    return this.#open.has(nameOpen(kept, within));
  }

  foresee(kept: Kept, within: readonly Key[], turn: Turn): Key | undefined {
    const isKnown = this.isOpen(kept, within) || findOpen(this.starts.ready, kept, within) !== undefined;
    return isKnown ? keyAt(this.open(kept, within), turn) : this.starts.foresee(kept, turn);
  }

  remove(kept: Kept, within: readonly Key[], key: Key): boolean {
    if (!this.open(kept, within).remove(key)) return false;
    const path = [...within, key];
    for (const each of this.#open.values()) if (belongsTo(each, kept, path, this.kept)) this.#drop(each);
    return true;
  }

  putBack(state: CollectionsState, kept: Kept, within: readonly Key[], key: Key): boolean {
    const collection = this.open(kept, within);
    const { records } = findOpen(state, kept, within)?.state ?? {};
    const stored = records?.find(({ record }) => keyOf(record, collection.key) === key);
    if (records === undefined || stored === undefined || !collection.putBack(stored, records)) return false;
    for (const each of state) {
      if (!belongsTo(each, kept, [...within, key], this.kept)) continue;
      const below = this.open(each.kept, each.within);
      if (below.fits(each.state)) below.restore(each.state);
    }
    return true;
  }

  list(): readonly OpenCollection[] {
    return [...this.#open.values()];
  }

  reset(): void {
    for (const each of this.list()) {
      if (each.within.length > 0) this.#drop(each);
      else each.collection.reset();
    }
  }

  begin(starts: Starts): void {
    this.starts = starts;
    for (const each of this.list()) this.#drop(each);
    this.#openReady();
  }

  state(): CollectionsState {
    return this.list().map(({ kept, within, collection }) => ({ kept, within, state: collection.state() }));
  }

  fits(state: CollectionsState): boolean {
    const { pool } = this.#options;
    const all = state.map(({ kept, within, state: one }) => ({ collection: this.open(kept, within), one }));
    const growth = all.reduce((sum, { collection, one }) => sum + collection.growth(one), 0);
    return (
      all.every(({ collection, one }) => one.records.length <= collection.capacity) && pool.used + growth <= pool.most
    );
  }

  restore(state: CollectionsState): void {
    const saved = new Set(state.map(({ kept, within }) => nameOpen(kept, within)));
    for (const each of this.list()) {
      if (saved.has(nameOpen(each.kept, each.within))) continue;
      // The collection was not in use at the time of the state.
      if (each.within.length > 0) this.#drop(each);
      else each.collection.reset();
    }
    for (const { kept, within, state: one } of state) this.open(kept, within).restore(one);
  }

  get startSize(): number {
    return this.list().reduce((sum, { collection }) => sum + collection.startSize, 0);
  }

  release(): void {
    for (const { collection } of this.list()) collection.release();
  }

  #openReady(): void {
    for (const { kept, within } of this.starts.ready) {
      if (within.length === 0) this.open(kept);
    }
  }

  async prepare(kept: Kept, within: readonly Key[]): Promise<void> {
    if (this.isOpen(kept, within)) return;
    const starts = this.starts;
    const parent = this.#parentOf(kept);
    if (parent !== undefined) await this.prepare(parent, within.slice(0, -1));
    if (!this.#isSeeded(kept, within)) return;
    const state = await starts.makeInTurns(kept, within);
    // Meanwhile the start may have been replaced, the parent removed, or the collection opened.
    const id = nameOpen(kept, within);
    if (starts === this.starts && !this.#open.has(id) && this.#isSeeded(kept, within)) {
      this.#make(id, kept, within, state);
    }
  }

  #make(
    id: string,
    kept: Kept,
    within: readonly Key[],
    state: CollectionState | undefined = this.#startOf(kept, within),
  ): OpenCollection {
    const { pool, keyRule } = this.#options;
    const { capacity } = this;
    const key = keyRule(kept);
    const isShared = within.length === 0 && this.starts === this.#options.starts;
    const noun = kept.name.slice(kept.name.lastIndexOf('.') + 1);
    const collection = createCollection({ noun, key, capacity, pool, ...(isShared && { start: state }) });
    // Worlds share neither the collections of one parent nor later starts.
    if (!isShared && state !== undefined && collection.fits(state)) collection.begin(state);
    const open = { kept, within, collection };
    this.#open.set(id, open);
    return open;
  }

  /** The records that a collection begins with: none if its parent was created later. */
  #startOf(kept: Kept, within: readonly Key[]): CollectionState | undefined {
    const ready = findOpen(this.starts.ready, kept, within);
    return ready?.state ?? (this.#isSeeded(kept, within) ? this.starts.make(kept, within) : undefined);
  }

  /** Whether records are made for a collection: it has none of its own, and no parent that was created later. */
  #isSeeded(kept: Kept, within: readonly Key[]): boolean {
    if (findOpen(this.starts.ready, kept, within) !== undefined) return false;
    const parent = this.#parentOf(kept);
    if (parent === undefined) return true;
    const key = toKey(within.at(-1), parent.key);
    return key !== undefined && this.open(parent, within.slice(0, -1)).atStart(key) !== undefined;
  }

  #parentOf({ parent }: Kept): Kept | undefined {
    return this.kept.find(({ name }) => name === parent?.resource);
  }

  #drop({ kept, within, collection }: OpenCollection): void {
    collection.release();
    this.#open.delete(nameOpen(kept, within));
  }
}
