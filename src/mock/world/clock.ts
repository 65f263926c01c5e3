/** The source of time. It is passed in, so that tests control it. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z, as this world sees the date. */
  now(): number;
  /** Milliseconds from some fixed point, with fractions; only differences mean something. */
  elapsed(): number;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
};
