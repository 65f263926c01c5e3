import { INT64_MAX, normalizeInteger, type Int64 } from '../../contract/json.js';
import { storePet, type NewPet, type StoredPet } from '../pet.js';
import type { ListQuery, PetStore, SeedPet } from './pet-store.js';

export interface MemoryStoreOptions {
  /** Animals to begin with, oldest first. Default: none. */
  animals?: readonly SeedPet[];
  /** The first id to assign. Default: one past the highest id that is there. */
  nextId?: Int64 | undefined;
  /** The most animals it takes. Default: 1,000,000. */
  capacity?: number | undefined;
}

const DEFAULT_CAPACITY = 1_000_000;

/** A {@link PetStore} that lives as long as the process. */
export function createMemoryStore(options: MemoryStoreOptions = {}): PetStore {
  const capacity = options.capacity ?? DEFAULT_CAPACITY;
  let all: StoredPet[] = [];
  const byStatus = new Map<string | undefined, StoredPet[]>();
  const byId = new Map<Int64, StoredPet>();
  const categories = new Set<Int64>();
  /** Ids that animals still to be stored come with. */
  const reserved = new Set<Int64 | undefined>();
  const ids = createIdSource((id) => byId.has(id) || reserved.has(id));

  const keep = (stored: StoredPet): StoredPet => {
    all.push(stored);
    byId.set(stored.pet.id, stored);
    categories.add(stored.pet.categoryId);
    const peers = byStatus.get(stored.pet.status);
    if (peers === undefined) byStatus.set(stored.pet.status, [stored]);
    else peers.push(stored);
    return stored;
  };

  const fill = (animals: readonly SeedPet[], nextId: Int64): void => {
    all = [];
    for (const index of [byStatus, byId, categories]) index.clear();
    ids.goOnAt(nextId);
    for (const { id } of animals) reserved.add(id);
    for (const { id, ...newPet } of animals) keep(storePet({ id: id ?? ids.next(), ...newPet }));
    reserved.clear();
  };

  const reset = (): void => {
    const animals = options.animals ?? [];
    fill(animals, options.nextId ?? firstFreeId(animals));
  };

  reset();

  return {
    list(query) {
      const from = query.status === undefined ? all : (byStatus.get(query.status) ?? []);
      return takePage(from, query);
    },
    add(newPet: NewPet) {
      if (all.length >= capacity) return undefined;
      return keep(storePet({ id: ids.next(), ...newPet }));
    },
    get: (id) => byId.get(id),
    replace(animals) {
      // An id that was handed out before is not handed out again.
      const firstFree = firstFreeId(animals);
      fill(animals, firstFree > ids.upcoming() ? firstFree : ids.upcoming());
    },
    reset,
    hasCategory: (categoryId) => categories.has(categoryId),
    get size() {
      return all.length;
    },
    capacity,
  };
}

function takePage(from: readonly StoredPet[], { limit, order }: ListQuery): StoredPet[] {
  const length = Math.min(limit ?? from.length, from.length);
  if (order === 'oldest-first') return from.slice(0, length);
  return from.slice(from.length - length).reverse();
}

interface IdSource {
  next(): Int64;
  /** The id that comes next, if it is not taken. */
  upcoming(): Int64;
  goOnAt(id: Int64): void;
}

/** Ids rise and are never reused; past the last int64 they go on at 1, over those taken. */
function createIdSource(isTaken: (id: Int64) => boolean): IdSource {
  let upcoming = 1n;
  return {
    next() {
      for (;;) {
        if (upcoming > INT64_MAX) upcoming = 1n;
        const id = normalizeInteger(upcoming);
        upcoming += 1n;
        if (!isTaken(id)) return id;
      }
    },
    upcoming: () => normalizeInteger(upcoming),
    goOnAt(id) {
      upcoming = BigInt(id);
    },
  };
}

function firstFreeId(animals: readonly SeedPet[]): Int64 {
  let highest: Int64 = 0;
  for (const { id } of animals) if (id !== undefined && id > highest) highest = id;
  return normalizeInteger(BigInt(highest) + 1n);
}
