import type { Pool } from '../world/memory.js';
import type { Collection, CollectionState } from './collection.js';
import type { Key, KeyRule } from './keys.js';
import { toKey, type Kept } from './kept.js';
import { createCollection, DEFAULT_CAPACITY } from './memory-collection.js';

/** All collections of a world. Each is made, with the records it begins with, when it is first used. */
export interface Collections {
  /** Everything that can have a collection. */
  readonly kept: readonly Kept[];
  /** The largest number of records that each accepts. */
  readonly capacity: number;
  /** The collection of a resource; `within` are the keys of its parents, outermost first. */
  open(kept: Kept, within?: readonly Key[]): Collection;
  /** Removes a record together with the collections that belong to it. Returns whether there was one. */
  remove(kept: Kept, within: readonly Key[], key: Key): boolean;
  /** All collections in use, in the order of their first use. */
  list(): readonly OpenCollection[];
  /** Restores the start. */
  reset(): void;
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
  /** Makes the records of any other collection; without a parent they are made once, for all worlds. */
  make(kept: Kept, within: readonly Key[]): CollectionState;
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
  #starts: Starts;

  constructor(options: CollectionsOptions) {
    this.#options = options;
    this.kept = options.kept;
    this.capacity = options.capacity ?? DEFAULT_CAPACITY;
    this.#starts = options.starts;
    this.#openReady();
  }

  open(kept: Kept, within: readonly Key[] = NOWHERE): Collection {
    const id = nameOpen(kept, within);
    return (this.#open.get(id) ?? this.#make(id, kept, within)).collection;
  }

  remove(kept: Kept, within: readonly Key[], key: Key): boolean {
    if (!this.open(kept, within).remove(key)) return false;
    const path = [...within, key];
    for (const each of this.#open.values()) if (belongsTo(each, kept, path, this.kept)) this.#drop(each);
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
    this.#starts = starts;
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
    for (const { kept, within } of this.#starts.ready) {
      if (within.length === 0) this.open(kept);
    }
  }

  #make(id: string, kept: Kept, within: readonly Key[]): OpenCollection {
    const { pool, keyRule } = this.#options;
    const { capacity } = this;
    const key = keyRule(kept);
    const isShared = within.length === 0 && this.#starts === this.#options.starts;
    const state = this.#startOf(kept, within);
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
    const id = nameOpen(kept, within);
    const ready = this.#starts.ready.find((each) => nameOpen(each.kept, each.within) === id);
    if (ready !== undefined) return ready.state;
    const parent = this.kept.find(({ name }) => name === kept.parent?.resource);
    if (parent === undefined) return this.#starts.make(kept, within);
    const key = toKey(within.at(-1), parent.key);
    const isOfStart = key !== undefined && this.open(parent, within.slice(0, -1)).atStart(key) !== undefined;
    return isOfStart ? this.#starts.make(kept, within) : undefined;
  }

  #drop({ kept, within, collection }: OpenCollection): void {
    collection.release();
    this.#open.delete(nameOpen(kept, within));
  }
}

/** The name of a collection, from its resource and its parents: `orders(7)`. */
export function nameOpen({ name }: Kept, within: readonly Key[]): string {
  return within.length === 0 ? name : `${name}(${within.map((key) => encodeURIComponent(String(key))).join(',')})`;
}

/** Whether a collection belongs to the record at a path, directly or through other records. */
function belongsTo({ kept, within }: OpenCollection, owner: Kept, path: readonly Key[], all: readonly Kept[]): boolean {
  if (within.length < path.length || !path.every((key, index) => String(within[index]) === String(key))) return false;
  for (let at: Kept | undefined = kept; at?.parent !== undefined;) {
    const above: string = at.parent.resource;
    if (above === owner.name) return true;
    at = all.find(({ name }) => name === above);
  }
  return false;
}

/** The collection with such a name; `undefined` if the contract has none. */
export function readOpenName(name: string, all: readonly Kept[]): Pick<OpenCollection, 'kept' | 'within'> | undefined {
  const [, head = name, inside] = /^(.*?)\(([^()]*)\)$/.exec(name) ?? [];
  const kept = all.find((each) => each.name === head);
  const within = inside === undefined ? [] : readKeys(inside);
  return kept === undefined || within === undefined || within.length !== kept.scope.length
    ? undefined
    : { kept, within };
}

function readKeys(text: string): Key[] | undefined {
  try {
    return text.split(',').map((key) => decodeURIComponent(key.trim()));
  } catch {
    return undefined;
  }
}
