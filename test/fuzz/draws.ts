import { createRandom } from '../../src/mock/world/clock.js';

/** Choices that look random and are the same for the same seed. */
export interface Draws {
  /** From 0 up to, and without, `end`. */
  below(end: number): number;
  /** Whether something that happens so often, from 0 to 1, happens now. */
  chance(share: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** Some of the items, in their order. */
  some<Item>(items: readonly Item[], share?: number): Item[];
  /** So many items, each made by itself. */
  times<Item>(count: number, make: (index: number) => Item): Item[];
}

export function createDraws(seed: number): Draws {
  const random = createRandom(seed);
  const below = (end: number): number => Math.floor(random() * end);
  const chance = (share: number): boolean => random() < share;
  return {
    below,
    chance,
    pick: (items) => {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
    some: (items, share = 0.5) => items.filter(() => chance(share)),
    times: (count, make) => Array.from({ length: count }, (_, index) => make(index)),
  };
}

/** What is drawn is the same in every run, as in property tests; another seed draws something else. */
export const FUZZ_SEED = Number(process.env['PETSTORE_TESTS_SEED'] ?? 1);

/** How many contracts, and hostile targets, are drawn; what CI draws takes a minute or two. */
export const FUZZ_ROUNDS = Number(process.env['FUZZ_ROUNDS'] ?? 5);
