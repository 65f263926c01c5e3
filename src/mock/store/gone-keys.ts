import type { Key } from './keys.js';

const MOST = 1000;

/** The keys of records that were removed, of very many the last. */
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

  /** A record with this key is there again. */
  forget(key: Key): void {
    if (this.#keys.size > 0) this.#keys.delete(key);
  }

  clear(): void {
    this.#keys.clear();
  }
}
