import type { Key } from './keys.js';

const MOST = 1000;

/** The keys of removed records: the most recent ones if there are very many. */
export class GoneKeys {
  readonly #keys = new Set<Key>();

  has(key: Key): boolean {
    return this.#keys.has(key);
  }

  add(key: Key): void {
    const [first] = this.#keys;
    if (first !== undefined && this.#keys.size >= MOST) this.#keys.delete(first);
    this.#keys.add(key);
  }

  /** Called when a record with this key exists again. */
  forget(key: Key): void {
    if (this.#keys.size > 0) this.#keys.delete(key);
  }

  /** The oldest first. */
  list(): Key[] {
    return [...this.#keys];
  }

  clear(): void {
    this.#keys.clear();
  }
}
