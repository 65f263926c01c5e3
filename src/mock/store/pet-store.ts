import type { Int64 } from '../../contract/document/json.js';
import type { NewPet, StoredPet } from './pet.js';

export interface ListQuery {
  /** Only pets with this status. Default: all, those without a status too. */
  status?: string | undefined;
  /** At most this many. Default: no bound. */
  limit?: number | undefined;
  order: ListOrder;
}

export type ListOrder = 'newest-first' | 'oldest-first';

/** The collection of pets behind the mock. */
export interface PetStore {
  /** The cost depends on the page, not on the collection. Until a pet changes, the same page is the same array. */
  list(query: ListQuery): readonly StoredPet[];
  /** Stores a pet under a new id; `undefined` when the store is full, and {@link describeFull} says of what. */
  add(newPet: NewPet): StoredPet | undefined;
  /** Why nothing is added any more, a sentence without a full stop. */
  describeFull(): string;
  /** Whether there is room for a state in place of what it holds. */
  fits(state: StoreState): boolean;
  get(id: Int64): StoredPet | undefined;
  /** Puts these pets, oldest first, in place of all, if there is room for them. Ids assigned later rise on. */
  replace(pets: readonly SeedPet[]): boolean;
  /** Goes back to the pets and to the ids of the start. */
  reset(): void;
  /** Takes another state for its start, and goes there. */
  begin(state: StoreState): void;
  /** What it holds now, to go back to. */
  state(): StoreState;
  /** Goes back to a state, its ids included. */
  restore(state: StoreState): void;
  /** Whether any pet has this category. */
  hasCategory(categoryId: Int64): boolean;
  readonly size: number;
  /** How many pets it began with. */
  readonly startSize: number;
  /** Gives its room back, when its world is dropped. */
  release(): void;
  /** The most pets it takes. */
  readonly capacity: number;
}

/** A pet to begin with: its id may be given. */
export type SeedPet = NewPet & { id?: Int64 };

/** All that a store holds. Pets are frozen, so states and stores share them. */
export interface StoreState {
  /** Oldest first. */
  readonly pets: readonly StoredPet[];
  /** The id that comes next, if it is not taken. */
  readonly nextId: Int64;
  /** What they take, in bytes, those left out that the store began with. */
  readonly weight: number;
}
