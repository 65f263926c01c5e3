import { INT64_MAX, normalizeInteger, type Int64 } from '../../contract/document/json.js';
import { createMemory, MIB, weigh, type Pool } from '../world/memory.js';
import { StoredPet, type NewPet } from './pet.js';
import type { ListQuery, PetStore, SeedPet, StoreState } from './pet-store.js';

export interface MemoryStoreOptions {
  /** Pets to begin with, oldest first. Default: none. */
  pets?: readonly SeedPet[];
  /** The first id to assign. Default: one past the highest id that is there. */
  nextId?: Int64 | undefined;
  /** The same, prepared once for any number of stores. It counts before `pets` and `nextId`. */
  start?: StoreState | undefined;
  /** The most pets it takes. Default: 1,000,000. */
  capacity?: number | undefined;
  /** What it may take of memory, with others that share the pool. Default: what there is. */
  pool?: Pool | undefined;
}

/** The most pets that a store takes where nobody says otherwise. */
export const DEFAULT_CAPACITY = 1_000_000;
const MAX_PAGES = 100;
/** What a pet takes in a store's indexes, also one that stores share. */
export const INDEX_BYTES = 64;

/** A {@link PetStore} that lives as long as the process. */
export function createMemoryStore(options: MemoryStoreOptions = {}): PetStore {
  const capacity = options.capacity ?? DEFAULT_CAPACITY;
  let all: StoredPet[] = [];
  const byStatus = new Map<string | undefined, StoredPet[]>();
  const byId = new Map<Int64, StoredPet>();
  const categories = new Set<Int64>();
  /** What was listed since a pet changed. */
  const pages = new Map<string, readonly StoredPet[]>();
  const ids = createIdSource((id) => byId.has(id));
  // What it begins with is shared with others.
  let start = { ...(options.start ?? prepareState(options.pets ?? [], options.nextId)), weight: 0 };
  const pool = options.pool ?? createMemory(Infinity).records;
  /** What is added to the start, and all that the store takes of the pool. */
  let added = 0;
  let held = 0;
  const needs = (pets: number, bytes: number): number => start.weight + bytes + INDEX_BYTES * pets;
  const hasRoom = (needed: number): boolean => pool.used - held + needed <= pool.most;
  const fits = ({ pets, weight }: StoreState): boolean =>
    pets.length <= capacity && hasRoom(needs(pets.length, weight));
  let isOpen = true;
  const settle = (): void => {
    if (!isOpen) return;
    const now = needs(all.length, added);
    pool.used += now - held;
    held = now;
  };

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

  const restore = ({ pets, nextId, weight }: StoreState): void => {
    all = [];
    for (const index of [byStatus, byId, categories, pages]) index.clear();
    for (const stored of pets) keep(stored);
    ids.goOnAt(nextId);
    added = weight;
    settle();
  };
  const reset = (): void => restore({ ...start, weight: 0 });

  reset();

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
      const weight = weigh(newPet);
      if (!hasRoom(held + weight + INDEX_BYTES)) return undefined;
      const stored = keep(new StoredPet({ id: ids.next(), ...newPet }));
      added += weight;
      settle();
      return stored;
    },
    describeFull: () =>
      all.length >= capacity
        ? `the store is full: it holds ${capacity} pets`
        : `the stores are full: they hold ${Math.round(pool.most / MIB)} MiB, half of what max-memory allows`,
    fits,
    get: (id) => byId.get(id),
    replace(pets) {
      // An id that was handed out before is not handed out again.
      const firstFree = firstFreeId(pets);
      const state = prepareState(pets, firstFree > ids.upcoming() ? firstFree : ids.upcoming());
      if (!fits(state)) return false;
      restore(state);
      return true;
    },
    reset,
    begin(state) {
      start = state;
      reset();
    },
    state: () => ({ pets: [...all], nextId: ids.upcoming(), weight: added }),
    restore,
    hasCategory: (categoryId) => categories.has(categoryId),
    get size() {
      return all.length;
    },
    get startSize() {
      return start.pets.length;
    },
    release() {
      pool.used -= held;
      held = 0;
      isOpen = false;
    },
    capacity,
  };
}

/** Gives pets without an id one, from `nextId` on (default: one past the highest id that is there). */
export function prepareState(pets: readonly SeedPet[], nextId: Int64 = firstFreeId(pets)): StoreState {
  const given = new Set(pets.map(({ id }) => id));
  const ids = createIdSource((id) => given.has(id));
  ids.goOnAt(nextId);
  const stored = pets.map(({ id, ...newPet }) => new StoredPet({ id: id ?? ids.next(), ...newPet }));
  const weight = pets.reduce((sum, pet) => sum + weigh(pet), 0);
  return { pets: stored, nextId: ids.upcoming(), weight };
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

function firstFreeId(pets: readonly SeedPet[]): Int64 {
  let highest: Int64 = 0;
  for (const { id } of pets) if (id !== undefined && id > highest) highest = id;
  return normalizeInteger(BigInt(highest) + 1n);
}
