import type { DelayRange } from '../mock/world/delay-range.js';

/** A date: a `Date`, a text such as `'2030-12-05T00:00:00Z'`, or milliseconds since 1970. */
export type DateLike = Date | string | number;

/** The date of the world. Every method resolves to the resulting date, and rejects with `bad-date` for an invalid one. */
export interface WorldClock {
  now(): Promise<Date>;
  /** Sets the date. A running clock continues from there; a frozen one stays frozen. */
  set(date: DateLike): Promise<Date>;
  /** Moves the date by milliseconds, even if it is frozen. */
  advance(ms: number): Promise<Date>;
  /** Stops the clock. Default: at its current date. */
  freeze(date?: DateLike): Promise<Date>;
  /** Restores the date of the start, and runs. */
  reset(): Promise<Date>;
  isFrozen(): Promise<boolean>;
}

/** How long the world holds back each request before handling it; `{ from: 0, to: 0 }` means not at all. */
export interface WorldDelay {
  get(): Promise<DelayRange>;
  /**
   * Holds back each request for this many milliseconds, or for a random time from a range. Rejects with `bad-option` for an
   * invalid delay.
   * @example await mock.delay.set({ from: 100, to: 800 });
   */
  set(delay: number | DelayRange): Promise<DelayRange>;
  /** Restores the delay of the start. */
  reset(): Promise<DelayRange>;
}
