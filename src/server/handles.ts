import { normalizeInteger, type Int64 } from '../contract/json.js';
import { PetstoreMockError } from '../errors.js';
import { actOn } from '../contract/gaps.js';
import { findViolations } from '../mock/fixtures/pack.js';
import type { Exchange } from '../mock/journal.js';
import { listOrder } from '../mock/operations/list-pets.js';
import type { PetStore, SeedPet } from '../mock/store/pet-store.js';
import { resetWorld, type World } from '../mock/world.js';

/** The statuses of the petstore's contract. */
export type PetStatus = 'available' | 'pending' | 'sold';

/** An animal before the service has given it an id. */
export interface NewPet {
  name: string;
  /** An int64: a `bigint` past 2^53. */
  categoryId: Int64;
  /** An animal may have none. */
  status?: PetStatus;
}

/** An animal as the service returns it. */
export interface Pet extends NewPet {
  /** An int64: a `bigint` past 2^53. */
  id: Int64;
}

/**
 * The animals behind the mock, reached directly and not by HTTP: nothing here
 * needs a key, is delayed or shows up among the requests.
 */
export interface Pets {
  /** All animals, in the order in which the API lists them, or those with a status. */
  list(filter?: { status?: PetStatus }): Promise<Readonly<Pet>[]>;
  /** One animal; `undefined` when there is none with this id. */
  get(id: Int64): Promise<Readonly<Pet> | undefined>;
  /** Adds an animal. Rejects with `bad-pet` for one that breaks the contract, `store-full` when there is no room. */
  add(pet: NewPet): Promise<Readonly<Pet>>;
  /** Puts these animals, oldest first, in place of all. Those without an id get one. Rejects as `add` does, and changes nothing then. */
  replace(pets: readonly (NewPet & { id?: Int64 })[]): Promise<Readonly<Pet>[]>;
  /** Takes every animal out. */
  clear(): Promise<void>;
  /** How many animals there are. */
  count(): Promise<number>;
}

/** Which requests are meant; one that has all that is named. */
export interface RequestFilter {
  /** The contract's name of the operation, such as `'createPet'`. */
  operationId?: string;
  method?: string;
  status?: number;
}

/** What was sent to the API, oldest first: the last 1,000 exchanges. */
export interface Requests {
  list(filter?: RequestFilter): Promise<Exchange[]>;
  count(filter?: RequestFilter): Promise<number>;
  clear(): Promise<void>;
}

/** What a test holds in its hands. */
export interface PetstoreHandles {
  readonly pets: Pets;
  readonly requests: Requests;
  /** Goes back to the start: the same animals, the same ids, no requests. */
  reset(): Promise<void>;
}

// Everything is async, so that a mock in another process can be reached by the same methods.
export function createHandles(world: World): PetstoreHandles {
  return {
    pets: createPets(world),
    requests: createRequests(world),
    reset: async () => resetWorld(world),
  };
}

function createPets({ store, contract, profile }: World): Pets {
  const list: Pets['list'] = async (filter = {}) =>
    store.list({ status: filter.status, order: actOn(profile, 'list-order', listOrder) }).map(({ pet }) => pet as Pet);
  const check = (pet: object): void => {
    const violations = findViolations(pet, contract);
    if (violations.length === 0) return;
    const reasons = violations.map(({ message }) => message.replace(/^body\/?/, ''));
    throw new PetstoreMockError('bad-pet', `this animal breaks the contract: ${reasons.join('; ')}.`);
  };
  return {
    list,
    get: async (id) => store.get(toInt64(id))?.pet as Pet | undefined,
    async add(pet) {
      check(pet);
      const stored = store.add({ ...pet });
      if (stored === undefined) throw storeFull(store);
      return stored.pet as Pet;
    },
    async replace(pets) {
      for (const pet of pets) check(pet);
      if (pets.length > store.capacity) throw storeFull(store);
      const ids = pets.flatMap(({ id }) => (id === undefined ? [] : [toInt64(id)]));
      const twice = ids.find((id, index) => ids.indexOf(id) !== index);
      if (twice !== undefined) throw new PetstoreMockError('bad-pet', `two of these animals have the id ${twice}.`);
      store.replace(pets.map(toSeed));
      return list();
    },
    clear: async () => store.replace([]),
    count: async () => store.size,
  };
}

function createRequests({ journal }: World): Requests {
  const list = (filter: RequestFilter = {}): Exchange[] =>
    journal
      .entries()
      .filter((exchange) =>
        Object.entries(filter).every(
          ([name, value]) => value === undefined || exchange[name as keyof RequestFilter] === value,
        ),
      );
  return {
    list: async (filter) => list(filter),
    count: async (filter) => list(filter).length,
    clear: async () => journal.clear(),
  };
}

function toSeed({ id, ...pet }: NewPet & { id?: Int64 }): SeedPet {
  return id === undefined ? pet : { id: toInt64(id), ...pet };
}

/** 5n and 5 are the same id. */
function toInt64(id: Int64): Int64 {
  return typeof id === 'bigint' ? normalizeInteger(id) : id;
}

function storeFull(store: PetStore): PetstoreMockError {
  return new PetstoreMockError('store-full', `the store is full: it holds ${store.capacity} animals.`);
}
