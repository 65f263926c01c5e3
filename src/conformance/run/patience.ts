/** How long scenarios wait for what a target shows late, as a replica or a cache does. */
export interface Patience {
  /** Whether a scenario that began to wait `since` then (`performance.now()`) may wait so many milliseconds more. */
  allows(since: number, pauseMs: number): boolean;
  /** Notes that what a scenario waited for came after so many milliseconds. */
  settled(ms: number): void;
}

const USUAL_MS = 2000;
const MOST_MS = 10_000;

/**
 * How soon others see a new pet is not stated (`#/paths/~1pets/post`), so a
 * run learns it: the first scenarios that wait longer than usual may go on up to
 * the most, once in a run, and twice what a target was seen to need is given to
 * all that follow. A time that the user gave is kept to.
 */
export function createPatience(givenMs: number | undefined): Patience {
  if (givenMs !== undefined) {
    return { allows: (since, pauseMs) => performance.now() + pauseMs < since + givenMs, settled: () => {} };
  }
  let longest = 0;
  let lastChance: number | undefined;
  return {
    allows(since, pauseMs) {
      const next = performance.now() + pauseMs;
      if (next < since + Math.min(Math.max(USUAL_MS, 2 * longest), MOST_MS)) return true;
      lastChance ??= since + MOST_MS;
      return next < lastChance;
    },
    settled: (ms) => {
      longest = Math.max(longest, ms);
    },
  };
}
