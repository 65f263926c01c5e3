/** Choices by chance, the same for the same seed on every machine. */
export interface Chance {
  /** Of a list. */
  pick<T>(all: readonly T[]): T;
  /** From 0, below a bound. */
  below(bound: number): number;
  /** With a probability. */
  maybe(share?: number): boolean;
}

/** A generator for one table: what is added to another moves nothing here. Mulberry32, with the name mixed into its seed. */
export function createChance(seed: number, name: string): Chance {
  let state = Array.from(name).reduce((sum, letter) => Math.imul(sum ^ letter.charCodeAt(0), 0x01_00_01_93), seed | 0);
  const next = (): number => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_00_00_00_00;
  };
  const below = (bound: number): number => Math.floor(next() * bound);
  return {
    below,
    pick: (all) => {
      const found = all[below(all.length)];
      if (found === undefined) throw new RangeError('nothing to pick from');
      return found;
    },
    maybe: (share = 0.5) => next() < share,
  };
}
