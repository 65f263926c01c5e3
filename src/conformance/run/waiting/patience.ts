/** How long scenarios wait for changes that a target shows late, because of a replica or a cache. */
export interface Patience {
  /** Whether a scenario that has waited since `since` (`performance.now()`) may wait this many milliseconds more. */
  allows(since: number, pauseMs: number): boolean;
  /** Whether a target that was seen to need time may need this many milliseconds more. */
  mayNeed(since: number, pauseMs: number): boolean;
  /** The longest that the target may need, by what it was seen to need. */
  mayNeedMs(): number;
  /** Records that a scenario's wait succeeded after this many milliseconds. */
  settled(ms: number): void;
}

const USUAL_MS = 2000;
const MOST_MS = 10_000;

/**
 * The contract does not state how soon others see a new pet (`#/paths/~1pets/post`), so a
 * run learns it: the first scenarios that need longer than usual may wait up to
 * the maximum, once in a run, and all later ones may wait twice what the target
 * proved to need. A time given by the user is never exceeded.
 */
export function createPatience(givenMs: number | undefined): Patience {
  let longest = 0;
  const mayNeed = (since: number, pauseMs: number): boolean =>
    performance.now() + pauseMs < since + Math.min(2 * longest, givenMs ?? MOST_MS);
  const settled = (ms: number): void => {
    longest = Math.max(longest, ms);
  };
  const mayNeedMs = (): number => givenMs ?? Math.min(Math.max(USUAL_MS, 2 * longest), MOST_MS);
  if (givenMs !== undefined)
    return { allows: (since, pauseMs) => performance.now() + pauseMs < since + givenMs, mayNeed, mayNeedMs, settled };
  let lastChance: number | undefined;
  return {
    allows(since, pauseMs) {
      const next = performance.now() + pauseMs;
      if (next < since + mayNeedMs()) return true;
      lastChance ??= since + MOST_MS;
      return next < lastChance;
    },
    mayNeed,
    mayNeedMs,
    settled,
  };
}
