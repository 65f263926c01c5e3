import { INT64_MAX, normalizeInteger, type Int64 } from '../../contract/document/json.js';
import { StoredPet, type NewPet } from '../pet.js';
import type { ListQuery, PetStore, SeedPet, StoreState } from './pet-store.js';

export interface MemoryStoreOptions {
  /** Animals to begin with, oldest first. Default: none. */
  animals?: readonly SeedPet[];
  /** The first id to assign. Default: one past the highest id that is there. */
  nextId?: Int64 | undefined;
  /** The same, prepared once for any number of stores. It counts before `animals` and `nextId`. */
  start?: StoreState | undefined;
  /** The most animals it takes. Default: 1,000,000. */
  capacity?: number | undefined;
}

/** The most animals that a store takes where nobody says otherwise. */
export const DEFAULT_CAPACITY = 1_000_000;
const MAX_PAGES = 100;

/** A {@link PetStore} that lives as long as the process. */
export function createMemoryStore(options: MemoryStoreOptions = {}): PetStore {
  const capacity = options.capacity ?? DEFAULT_CAPACITY;
  let all: StoredPet[] = [];
  const byStatus = new Map<string | undefined, StoredPet[]>();
  const byId = new Map<Int64, StoredPet>();
  const categories = new Set<Int64>();
  /** What was listed since an animal changed. */
  const pages = new Map<string, readonly StoredPet[]>();
  const ids = createIdSource((id) => byId.has(id));
  let start = options.start ?? prepareState(options.animals ?? [], options.nextId);

  const keep = (stored: StoredPet): StoredPet => {
    if (pages.size > 0) pages.clear();
    all.push(stored);
    byId.set(stored.pet.id, stored);
    categories.add(stored.pet.categoryId);
    const peers = byStatus.get(stored.pet.status);
    if (peers === undefined) byStatus.set(stored.pet.status, [stored]);
    else peers.push(stored);
    return stored;
  };

  const restore = ({ animals, nextId }: StoreState): void => {
    all = [];
    for (const index of [byStatus, byId, categories, pages]) index.clear();
    for (const stored of animals) keep(stored);
    ids.goOnAt(nextId);
  };

  restore(start);

  return {
    list(query) {
      const { status, limit, order } = query;
      const key = `${order} ${limit}${status === undefined ? '' : ` ${status}`}`;
      const known = pages.get(key);
      if (known !== undefined) return known;
      const page = takePage(status === undefined ? all : (byStatus.get(status) ?? []), query);
      // There are more texts than statuses, and a client may ask for each.
      if (pages.size >= MAX_PAGES) pages.clear();
      pages.set(key, page);
      return page;
    },
    add(newPet: NewPet) {
      if (all.length >= capacity) return undefined;
      return keep(new StoredPet({ id: ids.next(), ...newPet }));
    },
    get: (id) => byId.get(id),
    replace(animals) {
      // An id that was handed out before is not handed out again.
      const firstFree = firstFreeId(animals);
      restore(prepareState(animals, firstFree > ids.upcoming() ? firstFree : ids.upcoming()));
    },
    reset: () => restore(start),
    begin(state) {
      start = state;
      restore(start);
    },
    state: () => ({ animals: [...all], nextId: ids.upcoming() }),
    restore,
    hasCategory: (categoryId) => categories.has(categoryId),
    get size() {
      return all.length;
    },
    capacity,
  };
}

/** Gives animals without an id one, from `nextId` on (default: one past the highest id that is there). */
export function prepareState(animals: readonly SeedPet[], nextId: Int64 = firstFreeId(animals)): StoreState {
  const given = new Set(animals.map(({ id }) => id));
  const ids = createIdSource((id) => given.has(id));
  ids.goOnAt(nextId);
  const stored = animals.map(({ id, ...newPet }) => new StoredPet({ id: id ?? ids.next(), ...newPet }));
  return { animals: stored, nextId: ids.upcoming() };
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
