import { getHeapStatistics } from 'node:v8';

/** Memory for one kind of data from clients, in estimated bytes. */
export type Pool = { readonly most: number; used: number };

export interface Sheddable {
  readonly held: number;
  /** Drops its oldest item; returns whether there was one. */
  shed(): boolean;
}

export interface Memory {
  /** Records, snapshots and the worlds themselves; what does not fit is refused. */
  records: Pool;
  /** Journals, which drop their oldest exchanges when the pool is full. */
  journals: Pool & { members: Set<Sheddable> };
  /** Bodies that are being received; what does not fit is refused. */
  bodies: Pool;
}

export const MIB: number = 1024 * 1024;
const DEFAULT_MIB = 1024;

/** Half of Node's own limit leaves room for what the pools do not count. */
export function defaultMaxMemory(): number {
  return Math.min(DEFAULT_MIB, Math.floor(getHeapStatistics().heap_size_limit / 2 / MIB));
}

/** Divides `maxMemory`, in MiB: half for records, a quarter each for journals and bodies. */
export function createMemory(maxMemory: number = defaultMaxMemory()): Memory {
  const whole = maxMemory * MIB;
  return {
    records: { most: whole / 2, used: 0 },
    journals: { most: whole / 4, used: 0, members: new Set() },
    bodies: { most: whole / 4, used: 0 },
  };
}

const TARGET = 0.95;

export function makeRoom(pool: Memory['journals']): void {
  while (pool.used > pool.most * TARGET) {
    const largest = [...pool.members].reduce((one, other) => (other.held > one.held ? other : one));
    const enough = Math.max(largest.held / 2, largest.held - (pool.used - pool.most * TARGET));
    if (!largest.shed()) return;
    while (largest.held > enough && largest.shed());
  }
}
