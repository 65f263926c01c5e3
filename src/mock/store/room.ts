import { MIB, type Pool } from '../world/memory.js';

/** What a record takes in a collection's indexes, also one that collections share. */
export const INDEX_BYTES = 64;

/** What one collection takes of the memory that many share. */
export class Room {
  readonly #pool: Pool;
  /** What it takes by now. */
  held = 0;
  #isOpen = true;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Whether it may take this much beside what it has. */
  allowsMore(bytes: number): boolean {
    return this.#pool.used + bytes <= this.#pool.most;
  }

  /** Takes this much in all. */
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
