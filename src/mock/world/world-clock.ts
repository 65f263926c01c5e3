import type { Clock } from './clock.js';

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

export interface ClockSetting {
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
