export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z, as this world sees the date. */
  now(): number;
  /** Milliseconds from some fixed point, with fractions; only differences mean something. */
  elapsed(): number;
}

export const systemClock: Clock = { now: () => Date.now(), elapsed: () => performance.now() };

export type ClockSetting = { shift: number; frozen?: number | undefined };

/** A clock that can be set. Times are milliseconds since 1970-01-01T00:00:00Z. */
export class SettableClock implements Clock {
  readonly #base: Clock;
  readonly start: number | undefined;
  setting: ClockSetting;

  constructor(base: Clock, start?: number) {
    this.#base = base;
    this.start = start;
    this.setting = this.#atStart();
  }

  now(): number {
    return this.setting.frozen ?? this.#base.now() + this.setting.shift;
  }

  elapsed(): number {
    return this.#base.elapsed();
  }

  set(time: number): void {
    const { shift, frozen } = this.setting;
    this.setting = frozen === undefined ? { shift: time - this.#base.now(), frozen } : { shift, frozen: time };
  }

  advance(ms: number): void {
    const { shift, frozen } = this.setting;
    this.setting = frozen === undefined ? { shift: shift + ms, frozen } : { shift, frozen: frozen + ms };
  }

  freeze(time: number): void {
    this.setting = { shift: this.setting.shift, frozen: time };
  }

  reset(): void {
    this.setting = this.#atStart();
  }

  get isFrozen(): boolean {
    return this.setting.frozen !== undefined;
  }

  #atStart(): ClockSetting {
    return { shift: this.start === undefined ? 0 : this.start - this.#base.now(), frozen: undefined };
  }
}

/** A random time in milliseconds for each request; both ends are included. */
export type DelayRange = { from: number; to: number };

export const NO_DELAY: DelayRange = { from: 0, to: 0 };

/** The longest time of Node's timers, some 24.8 days. */
const MAX_DELAY_MS = 86_400_000;

/** Whether a value is a delay: milliseconds, or a range of them. */
export function isDelay(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return isTime(value);
  const { from, to, ...others } = value as Record<string, unknown>;
  return isTime(from) && isTime(to) && from <= to && Object.keys(others).length === 0;
}

export function findReversed(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { from, to } = value as Record<string, unknown>;
  if (!isTime(from) || !isTime(to) || from <= to) return undefined;
  return `is a reversed range, ${from}-${to}; write ${to}-${from}`;
}

const isTime = (ms: unknown): ms is number => typeof ms === 'number' && ms >= 0 && ms <= MAX_DELAY_MS;

/** Numbers from 0 up to 1 that look random and are the same for the same seed (Mulberry32). Not for secrets. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
