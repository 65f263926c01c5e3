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

/** A clock that can be set. Times are milliseconds since 1970-01-01T00:00:00Z. */
export interface SettableClock extends Clock {
  /** Sets the date; a running clock continues from there. */
  set(time: number): void;
  /** Moves the date, even of a stopped clock; backwards if `ms` is negative. */
  advance(ms: number): void;
  /** Stops at this date. */
  freeze(time: number): void;
  /** Restores the date of the start, and runs. */
  reset(): void;
  readonly isFrozen: boolean;
  /** How far it is from the machine's clock, and at which date it stands still. */
  setting: ClockSetting;
  /** The date of the start; `undefined` for today. */
  readonly start: number | undefined;
}

interface ClockSetting {
  shift: number;
  frozen?: number | undefined;
}

/** A clock driven by another one, with its own date: that of `start`, or today's. */
export function createWorldClock(base: Clock, start?: number): SettableClock {
  const startShift = (): number => (start === undefined ? 0 : start - base.now());
  let shift = startShift();
  let frozen: number | undefined;
  const now = (): number => frozen ?? base.now() + shift;
  return {
    now,
    start,
    elapsed: () => base.elapsed(),
    set(time) {
      if (frozen === undefined) shift = time - base.now();
      else frozen = time;
    },
    advance(ms) {
      if (frozen === undefined) shift += ms;
      else frozen += ms;
    },
    freeze(time) {
      frozen = time;
    },
    reset() {
      shift = startShift();
      frozen = undefined;
    },
    get setting() {
      return { shift, frozen };
    },
    set setting(given) {
      ({ shift, frozen } = given);
    },
    get isFrozen() {
      return frozen !== undefined;
    },
  };
}

/** A random time in milliseconds for each request; both ends are included. */
export interface DelayRange {
  from: number;
  to: number;
}

/** Not at all. */
export const NO_DELAY: DelayRange = { from: 0, to: 0 };

/** The longest time of Node's timers, some 24.8 days. */
const MAX_DELAY_MS = 86_400_000;

/** Whether a value is a delay: milliseconds, or a range of them. */
export function isDelay(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return isTime(value);
  const { from, to, ...others } = value as Record<string, unknown>;
  return isTime(from) && isTime(to) && from <= to && Object.keys(others).length === 0;
}

/** What is wrong with a range whose ends are swapped; continues a sentence that begins with its name. */
export function findReversed(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { from, to } = value as Record<string, unknown>;
  if (!isTime(from) || !isTime(to) || from <= to) return undefined;
  return `is a reversed range, ${from}-${to}; write ${to}-${from}`;
}

function isTime(ms: unknown): ms is number {
  return typeof ms === 'number' && ms >= 0 && ms <= MAX_DELAY_MS;
}

/**
 * Numbers from 0 up to 1 that look random and are the same for the same seed
 * (Mulberry32). Not for secrets.
 */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
