/** Items with the weight of each, in bytes. Separate arrays, since another field in each item would cost more time than everything else here. */
export interface KeptItems<T> {
  readonly count: number;
  /** Oldest first. */
  list(): T[];
  clear(): void;
}

/** The last `size` items. */
export interface LastItems<T> extends KeptItems<T> {
  add(item: T, weight: number): void;
  /** Forgets the oldest item; returns its weight. */
  dropOldest(): number;
}

export function keepLast<T>(size: number): LastItems<T> {
  /** In a circle; the oldest stands at `start`. */
  let ring: (T | undefined)[] = [];
  let weights: number[] = [];
  let start = 0;
  let count = 0;
  return {
    get count() {
      return count;
    },
    add(item, weight) {
      const place = (start + count) % size;
      ring[place] = item;
      weights[place] = weight;
      count += 1;
    },
    dropOldest() {
      const weight = weights[start] ?? 0;
      ring[start] = undefined;
      start = (start + 1) % size;
      count -= 1;
      return weight;
    },
    list: () => Array.from({ length: count }, (_, index) => ring[(start + index) % size] as T),
    clear() {
      [ring, weights, start, count] = [[], [], 0, 0];
    },
  };
}

/** The first `size` items. */
export interface FirstItems<T> extends KeptItems<T> {
  /** Whether there was room. */
  add(item: T, weight: number): boolean;
  /** Forgets the newest item; returns its weight, `undefined` when there is none. */
  dropNewest(): number | undefined;
}

export function keepFirst<T>(size: number): FirstItems<T> {
  let items: T[] = [];
  let weights: number[] = [];
  return {
    get count() {
      return items.length;
    },
    add(item, weight) {
      if (items.length >= size) return false;
      items.push(item);
      weights.push(weight);
      return true;
    },
    dropNewest() {
      items.pop();
      return weights.pop();
    },
    list: () => [...items],
    clear() {
      [items, weights] = [[], []];
    },
  };
}
