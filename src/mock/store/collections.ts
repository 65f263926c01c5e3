import type { Fixtures } from '../fixtures/fixtures.js';
import type { Collection, CollectionState, OpenedCollection } from './collection.js';
import type { Key } from './keys.js';
import type { Turn } from './foresee-key.js';
import type { Kept } from './kept.js';

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
  /** Opens a collection that begins with these records, in place of an open one, and without a check for room. */
  openAs(kept: Kept, within: readonly Key[], start: CollectionState): OpenedCollection;
  /** An open collection by its name, such as `orders(7)`. */
  at(name: string): OpenedCollection | undefined;
  /** Drops an open collection; its records are then those of the start. */
  close(name: string): void;
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
  starts: Starts;
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
  collection: OpenedCollection;
}

/** The content of the collections that were in use at some time. */
export type CollectionsState = readonly { kept: Kept; within: readonly Key[]; state: CollectionState }[];

/** The records that collections begin with, by resource. */
export interface Starts {
  readonly fixtures: Fixtures;
  /** Records that are available at once, such as those of a fixture pack. */
  readonly ready: CollectionsState;
  /** The key that a record of any other collection will have; `undefined` if there will be none. */
  foresee(kept: Kept, turn: Turn): Key | undefined;
  /** Makes the records of any other collection; without a parent they are made once, for all worlds. */
  make(kept: Kept, within: readonly Key[]): CollectionState;
  /** The same, while the process serves others. */
  makeInTurns(kept: Kept, within: readonly Key[]): Promise<CollectionState>;
}
