import { writeFixtures } from '../fixtures/fixtures.js';
import type { Pool } from '../world/memory.js';
import { belongsTo } from './belonging.js';
import { writeState, type WorldChanges } from '../world/changes.js';
import type { Collection, CollectionState, OpenedCollection } from './collection.js';
import type { Collections, CollectionsState, OpenCollection, Starts } from './collections.js';
import { keyOf, type Key } from './keys.js';
import type { KeyRules } from './make-keys.js';
import { keyAt, type Turn } from './foresee-key.js';
import { toKey, type Kept } from './kept.js';
import { createCollection, DEFAULT_CAPACITY } from './memory-collection.js';
import { findOpen, nameOpen } from './open-names.js';
import { trackCollection } from './tracked-collection.js';

export interface CollectionsOptions {
  kept: readonly Kept[];
  keyRule: KeyRules;
  starts: Starts;
  capacity: number | undefined;
  pool: Pool;
  /** Notes what changes. Default: nothing is noted. */
  changes?: WorldChanges | undefined;
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

  openAs(kept: Kept, within: readonly Key[], start: CollectionState): OpenedCollection {
    this.close(nameOpen(kept, within));
    const collection = this.#create(kept, within, undefined);
    collection.begin(start);
    return this.#keep(nameOpen(kept, within), { kept, within, collection }).collection;
  }

  at(name: string): OpenedCollection | undefined {
    return this.#open.get(name)?.collection;
  }

  close(name: string): void {
    const open = this.#open.get(name);
    if (open !== undefined) this.#drop(open);
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
    const before = this.starts;
    this.#options.changes?.note({ do: 'start', fixtures: writeFixtures(starts.fixtures) }, () => {
      this.starts = before;
    });
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
    const isShared = within.length === 0 && this.starts === this.#options.starts;
    const collection = this.#create(kept, within, isShared ? state : undefined);
    // Worlds share neither the collections of one parent nor later starts.
    if (!isShared && state !== undefined && collection.fits(state)) collection.begin(state);
    return this.#keep(id, { kept, within, collection });
  }

  #create(kept: Kept, within: readonly Key[], start: CollectionState | undefined): OpenedCollection {
    const { pool, keyRule } = this.#options;
    const { capacity } = this;
    const noun = kept.name.slice(kept.name.lastIndexOf('.') + 1);
    return createCollection({ noun, key: keyRule(kept, within), capacity, pool, start });
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

  #keep(id: string, open: OpenCollection): OpenCollection {
    const { kept, within, collection } = open;
    const { changes } = this.#options;
    this.#open.set(id, open);
    if (changes === undefined) return open;
    changes.note({ do: 'open', in: id, of: kept.name, within, start: writeState(collection.start) }, () => {
      this.#open.delete(id);
      collection.release();
    });
    trackCollection(collection, id, changes);
    return open;
  }

  #drop({ kept, within, collection }: OpenCollection): void {
    const { changes } = this.#options;
    const id = nameOpen(kept, within);
    const before = changes === undefined ? [] : [...this.#open];
    this.#open.delete(id);
    if (changes === undefined) return collection.release();
    changes.afterwards(() => collection.release());
    changes.note({ do: 'close', in: id }, () => {
      this.#open.clear();
      for (const [name, each] of before) this.#open.set(name, each);
    });
  }
}
