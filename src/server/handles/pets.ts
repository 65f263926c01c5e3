import { actOn } from '../../contract/gaps/gaps.js';
import { normalizeInteger, type Int64 } from '../../contract/document/json.js';
import { PetstoreMockError } from '../../errors.js';
import { findViolations } from '../../mock/fixtures/pack.js';
import { listOrder } from '../../mock/operations/list-pets.js';
import type { PetStore, SeedPet } from '../../mock/store/pet-store.js';
import type { World } from '../../mock/world/world.js';
import type { NewPet, Pet, Pets } from '../petstore-world.js';

// Everything is async, so that a mock in another process can be reached by the same methods.
export function createPets(find: () => World): Pets {
  const list: Pets['list'] = async (filter = {}) => {
    const { store, profile } = find();
    const order = actOn(profile, 'list-order', listOrder);
    return store.list({ status: filter.status, order }).map(({ pet }) => pet as Pet);
  };
  const check = (pet: object): void => {
    const violations = findViolations(pet, find().contract);
    if (violations.length === 0) return;
    const reasons = violations.map(({ message }) => message.replace(/^body\/?/, ''));
    throw new PetstoreMockError('bad-pet', `this pet breaks the contract: ${reasons.join('; ')}.`);
  };
  return {
    list,
    get: async (id) => find().store.get(toInt64(id))?.pet as Pet | undefined,
    async add(pet) {
      check(pet);
      const { store } = find();
      const stored = store.add({ ...pet });
      if (stored === undefined) throw storeFull(store);
      return stored.pet as Pet;
    },
    async replace(pets) {
      const { store } = find();
      for (const pet of pets) check(pet);
      if (pets.length > store.capacity) throw storeFull(store, pets.length);
      const seeds = pets.map(toSeed);
      const twice = findTwice(seeds);
      if (twice !== undefined) throw new PetstoreMockError('bad-pet', `two of these pets have the id ${twice}.`);
      if (!store.replace(seeds)) throw storeFull(store, pets.length);
      return list();
    },
    clear: async () => void find().store.replace([]),
    count: async () => find().store.size,
  };
}

function findTwice(seeds: readonly SeedPet[]): Int64 | undefined {
  const seen = new Set<Int64>();
  for (const { id } of seeds) {
    if (id === undefined) continue;
    if (seen.has(id)) return id;
    seen.add(id);
  }
  return undefined;
}

function toSeed({ id, ...pet }: NewPet & { id?: Int64 }): SeedPet {
  return id === undefined ? pet : { id: toInt64(id), ...pet };
}

/** 5n and 5 are the same id. */
function toInt64(id: Int64): Int64 {
  return typeof id === 'bigint' ? normalizeInteger(id) : id;
}

/** What a store says when there is no room for so many pets. */
export function storeFull(store: PetStore, pets: number = store.size): PetstoreMockError {
  const why = pets > store.capacity ? `the store is full: it holds ${store.capacity} pets` : store.describeFull();
  return new PetstoreMockError('store-full', `${why}.`);
}
