import { getHeapStatistics } from 'node:v8';

/** Room for one kind of what clients send, in bytes as they were estimated. */
export interface Pool {
  readonly most: number;
  used: number;
}

/** Whoever keeps what can be let go of when its pool is full. */
export interface Sheddable {
  /** What it holds of the pool. */
  readonly held: number;
  /** Lets go of its oldest; whether there was anything. */
  shed(): boolean;
}

/** How much a mock keeps of what clients send, over all its worlds. */
export interface Memory {
  /** Pets, snapshots and the worlds themselves: what does not fit is refused. */
  records: Pool;
  /** Journals: what does not fit drives the oldest out. */
  journals: Pool & { members: Set<Sheddable> };
  /** Bodies that are still coming in: what does not fit is refused. */
  bodies: Pool;
}

export const MIB: number = 1024 * 1024;
const DEFAULT_MIB = 1024;

/** Half of Node's own limit leaves room for what the pools do not count. */
export function defaultMaxMemory(): number {
  return Math.min(DEFAULT_MIB, Math.floor(getHeapStatistics().heap_size_limit / 2 / MIB));
}

/** Shares `maxMemory`, in MiB, out: half to records, a quarter each to journals and to bodies. */
export function createMemory(maxMemory: number = defaultMaxMemory()): Memory {
  const whole = maxMemory * MIB;
  return {
    records: { most: whole / 2, used: 0 },
    journals: { most: whole / 4, used: 0, members: new Set() },
    bodies: { most: whole / 4, used: 0 },
  };
}

/** So that not every further record has to look for room. */
const TARGET = 0.95;

/** Has the largest holders let go of their oldest until there is room again. */
export function makeRoom(pool: Memory['journals']): void {
  while (pool.used > pool.most * TARGET) {
    const largest = [...pool.members].reduce((one, other) => (other.held > one.held ? other : one));
    const enough = Math.max(largest.held / 2, largest.held - (pool.used - pool.most * TARGET));
    if (!largest.shed()) return;
    while (largest.held > enough && largest.shed());
  }
}

/** An object with a few fields, and its place in an index. */
const OBJECT_BYTES = 64;
/** Twice its length: the text of a pet that is listed is kept beside it. */
const CHARACTER_BYTES = 2;

/** What a value from JSON takes, in bytes, roughly and rather more than less. */
export function weigh(value: unknown): number {
  if (typeof value === 'string') return CHARACTER_BYTES * value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let bytes = OBJECT_BYTES;
  for (const name in value) bytes += 8 + weigh((value as Record<string, unknown>)[name]);
  return bytes;
}
