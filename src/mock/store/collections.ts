import { type Fixtures, writeFixtures } from '../fixtures/fixtures.js';
import { Collection, type CollectionState, DEFAULT_CAPACITY } from './collection.js';
import { type Key, type Kept, keyOf, toKey, type Fields, type KeyRules } from './kept.js';
import type { Pool } from '../world/journal.js';
import { writeState, type WorldChanges } from '../persistence/changes.js';

export type OpenCollection = { kept: Kept; within: readonly Key[]; collection: Collection };
export type CollectionsState = readonly { kept: Kept; within: readonly Key[]; state: CollectionState }[];

export interface Starts {
  readonly fixtures: Fixtures;
  readonly ready: CollectionsState;
  foresee(kept: Kept, turn: Turn): Key | undefined;
  make(kept: Kept, within: readonly Key[]): CollectionState;
  makeInTurns(kept: Kept, within: readonly Key[]): Promise<CollectionState>;
}

interface CollectionsOptions {
  kept: readonly Kept[];
  keyRule: KeyRules;
  starts: Starts;
  capacity: number | undefined;
  pool: Pool;
  changes?: WorldChanges | undefined;
}

const NOWHERE: readonly never[] = Object.freeze([]);

export class Collections {
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

  openAs(kept: Kept, within: readonly Key[], start: CollectionState): Collection {
    this.close(nameOpen(kept, within));
    const collection = this.#create(kept, within, undefined);
    collection.begin(start);
    return this.#keep(nameOpen(kept, within), { kept, within, collection }).collection;
  }

  at(name: string): Collection | undefined {
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

  /** Makes the records that a collection begins with while the process serves others. {@link open} makes them without a break. */
  async prepare(kept: Kept, within: readonly Key[]): Promise<void> {
    if (this.isOpen(kept, within)) return;
    const starts = this.starts;
    const parent = this.#parentOf(kept);
    if (parent !== undefined) await this.prepare(parent, within.slice(0, -1));
    if (!this.#isSeeded(kept, within)) return;
    const state = await starts.makeInTurns(kept, within);
    // Meanwhile the start may have been replaced, the parent removed, or the collection opened.
    const id = nameOpen(kept, within);
    if (starts === this.starts && !this.#open.has(id) && this.#isSeeded(kept, within))
      this.#make(id, kept, within, state);
  }

  #make(
    id: string,
    kept: Kept,
    within: readonly Key[],
    state: CollectionState | undefined = this.#startOf(kept, within),
  ): OpenCollection {
    const isShared = within.length === 0 && this.starts === this.#options.starts;
    const collection = this.#create(kept, within, isShared ? state : undefined);
    if (!isShared && state !== undefined && collection.fits(state)) collection.begin(state);
    return this.#keep(id, { kept, within, collection });
  }

  #create(kept: Kept, within: readonly Key[], start: CollectionState | undefined): Collection {
    const { pool, keyRule } = this.#options;
    const { capacity } = this;
    const noun = kept.name.slice(kept.name.lastIndexOf('.') + 1);
    return new Collection({ noun, key: keyRule(kept, within), capacity, pool, start });
  }

  #startOf(kept: Kept, within: readonly Key[]): CollectionState | undefined {
    const ready = findOpen(this.starts.ready, kept, within);
    return ready?.state ?? (this.#isSeeded(kept, within) ? this.starts.make(kept, within) : undefined);
  }

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

function trackCollection(collection: Collection, name: string, changes: WorldChanges): void {
  const inner = {
    add: collection.add.bind(collection),
    change: collection.change.bind(collection),
    restore: collection.restore.bind(collection),
    putBack: collection.putBack.bind(collection),
  };
  const keyIn = (record: Fields): Key => keyOf(record, collection.key) as Key;
  const takeBack = (key: Key, wasGone: boolean): void => {
    collection.displace(key);
    if (wasGone) collection.setGone(key, true);
  };
  const tracked: Partial<Collection> = {
    add(fields) {
      const { nextKey } = collection;
      const given = keyOf(fields, collection.key);
      const wasGone = given !== undefined && collection.hadOnce(given);
      const stored = inner.add(fields);
      // Even what could not be added may have used up keys.
      if (stored === undefined) collection.nextKey = nextKey;
      else {
        const { record } = stored;
        changes.note({ do: 'add', in: name, record, next: collection.nextKey }, () => {
          takeBack(keyIn(record), wasGone);
          collection.nextKey = nextKey;
        });
      }
      return stored;
    },
    change(fields) {
      const before = collection.get(keyIn(fields));
      const after = inner.change(fields);
      if (before === undefined || after === undefined) return undefined;
      changes.note({ do: 'change', in: name, record: after.record }, () => void collection.swap(after, before));
      return after;
    },
    remove(key) {
      const before = collection.get(key);
      const at = collection.displace(key);
      if (before === undefined || at === undefined) return false;
      collection.setGone(key, true);
      changes.note({ do: 'remove', in: name, key }, () => collection.place(before, at));
      return true;
    },
    putBack(stored, order) {
      const key = keyIn(stored.record);
      const wasGone = collection.hadOnce(key);
      if (!inner.putBack(stored, order)) return false;
      const at = collection.state().records.indexOf(stored);
      changes.note({ do: 'place', in: name, record: stored.record, at }, () => takeBack(key, wasGone));
      return true;
    },
    restore(state) {
      const before = collection.whole();
      inner.restore(state);
      changes.note({ do: 'restore', in: name, to: writeState(state) }, () => inner.restore(before));
    },
  };
  Object.assign(collection, tracked);
}

function belongsTo(
  { kept, within }: { kept: Kept; within: readonly Key[] },
  owner: Kept,
  path: readonly Key[],
  all: readonly Kept[],
): boolean {
  if (within.length < path.length || !path.every((key, index) => String(within[index]) === String(key))) return false;
  for (let at: Kept | undefined = kept; at?.parent !== undefined;) {
    const above: string = at.parent.resource;
    if (above === owner.name) return true;
    at = all.find(({ name }) => name === above);
  }
  return false;
}

export const nameOpen = ({ name }: Kept, within: readonly Key[]): string =>
  within.length === 0 ? name : `${name}(${within.map((key) => encodeURIComponent(String(key))).join(',')})`;

function findOpen<Of extends { kept: Kept; within: readonly Key[] }>(
  all: readonly Of[],
  kept: Kept,
  within: readonly Key[],
): Of | undefined {
  const id = nameOpen(kept, within);
  return all.find((each) => nameOpen(each.kept, each.within) === id);
}

export function readOpenName(name: string, all: readonly Kept[]): { kept: Kept; within: readonly Key[] } | undefined {
  const [, head = name, inside] = /^(.*?)\(([^()]*)\)$/.exec(name) ?? [];
  const kept = all.find((each) => each.name === head);
  try {
    const within = inside?.split(',').map((key) => decodeURIComponent(key.trim())) ?? [];
    return kept?.scope.length === within.length ? { kept, within } : undefined;
  } catch {
    return undefined;
  }
}

type Turn = 'first' | 'last' | 'next';

function keyAt(collection: Collection, turn: Turn): Key | undefined {
  const { size, key } = collection;
  if (turn !== 'next') {
    const [found] = collection.list({ limit: 1, order: turn === 'first' ? 'oldest-first' : 'newest-first' });
    return found?.record[key.property ?? ''] as Key | undefined;
  }
  // Of more keys than there are records one is free.
  for (let place = size + 1; place <= 2 * size + 1; place++) {
    const free = key.make(BigInt(place));
    if (collection.get(free) === undefined) return free;
  }
  return undefined;
}
