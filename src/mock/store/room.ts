import { MIB, type Pool } from '../world/memory.js';

/** The size of a record's entries in a collection's indexes, for shared records too. */
export const INDEX_BYTES = 64;

/** One collection's share of a common pool of memory. */
export class Room {
  readonly #pool: Pool;
  /** Its current size. */
  held = 0;
  #isOpen = true;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Whether it may grow by this much. */
  allowsMore(bytes: number): boolean {
    return this.#pool.used + bytes <= this.#pool.most;
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
