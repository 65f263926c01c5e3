import type { Pool } from './memory.js';
import type { CollectionsState } from '../store/collections.js';

/** Saved states of a world's collections, by name. */
export interface SnapshotList {
  /** Whether there was room for it. */
  save(name: string, state: CollectionsState): boolean;
  get(name: string): CollectionsState | undefined;
  has(name: string): boolean;
  names(): string[];
  /** Whether there was one. */
  remove(name: string): boolean;
  /** Returns their memory to the pool when their world is dropped. */
  release(): void;
}

/** The size of a record's entry in a list. */
const PLACE_BYTES = 8;

export function createSnapshotList(pool: Pool): SnapshotList {
  const states = new Map<string, CollectionsState>();
  const weighState = (state: CollectionsState = []): number =>
    state.reduce((sum, { state: one }) => sum + PLACE_BYTES * one.records.length + one.weight, 0);
  const remove = (name: string): boolean => {
    pool.used -= weighState(states.get(name));
    return states.delete(name);
  };
  return {
    save(name, state) {
      const growth = weighState(state) - weighState(states.get(name));
      if (pool.used + growth > pool.most) return false;
      pool.used += growth;
      states.set(name, state);
      return true;
    },
    get: (name) => states.get(name),
    has: (name) => states.has(name),
    names: () => [...states.keys()],
    remove,
    release() {
      for (const name of states.keys()) remove(name);
    },
  };
}
