import { MIB, type Pool } from '../world/memory.js';

/** The size of a record's entries in a collection's indexes, for shared records too. */
export const INDEX_BYTES = 64;

/** One collection's share of a common pool of memory. */
export class Room {
  readonly #pool: Pool;
  /** Its current size. */
  held = 0;
  /** The size of the records that it began with, where they are its own. */
  ofStart = 0;
  /** The size of everything beyond the start. */
  added = 0;
  #isOpen = true;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Whether it may grow by this much. */
  allowsMore(bytes: number): boolean {
    return this.#pool.used + bytes <= this.#pool.most;
  }

  /** The size of so many records that have so many bytes beyond the start. */
  needs(records: number, bytes: number): number {
    return this.ofStart + bytes + INDEX_BYTES * records;
  }

  /** Takes so much more; `records` is how many there are now. */
  grow(bytes: number, records: number): void {
    this.added += bytes;
    this.take(this.needs(records, this.added));
  }

  /** Sets its size. */
  take(bytes: number): void {
    if (!this.#isOpen) return;
    this.#pool.used += bytes - this.held;
    this.held = bytes;
  }

  release(): void {
    this.take(0);
    this.#isOpen = false;
  }

  describeFull(): string {
    return `the stores are full: they hold ${Math.round(this.#pool.most / MIB)} MiB, half of what max-memory allows`;
  }
}
