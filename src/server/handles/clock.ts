import { PetstoreMockError } from '../../errors.js';
import type { World } from '../../mock/world.js';
import type { DateLike, WorldClock } from '../petstore-world.js';

export function createClockHandle(find: () => World): WorldClock {
  const now = async (): Promise<Date> => new Date(find().clock.now());
  return {
    now,
    async set(date) {
      find().clock.set(toTime(date));
      return now();
    },
    async advance(ms) {
      const { clock } = find();
      // A date past the end of dates is none.
      toTime(clock.now() + checkNumber(ms));
      clock.advance(ms);
      return now();
    },
    async freeze(date) {
      const { clock } = find();
      clock.freeze(date === undefined ? clock.now() : toTime(date));
      return now();
    },
    async reset() {
      find().clock.reset();
      return now();
    },
    isFrozen: async () => find().clock.isFrozen,
  };
}

/** Milliseconds since 1970-01-01T00:00:00Z. Throws a {@link PetstoreMockError} (`bad-date`) for what is no date. */
export function toTime(date: DateLike): number {
  const time = readTime(date);
  if (time !== undefined) return time;
  throw new PetstoreMockError(
    'bad-date',
    `${String(date)} is no date; write it as 2030-12-05 or 2030-12-05T00:00:00Z.`,
  );
}

/** {@link toTime} that gives `undefined` for what is no date. */
export function readTime(date: DateLike): number | undefined {
  const time = typeof date === 'string' ? readText(date) : new Date(date).getTime();
  return Number.isNaN(time) ? undefined : time;
}

const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** ISO 8601 with a time zone; anything else would be read otherwise on another machine. 30 February is none. */
function readText(text: string): number {
  const day = Date.parse(`${text.slice(0, 10)}T00:00:00Z`);
  const exists = !Number.isNaN(day) && new Date(day).toISOString().startsWith(text.slice(0, 10));
  return DATE.test(text) && exists ? Date.parse(text) : Number.NaN;
}

function checkNumber(ms: number): number {
  if (typeof ms === 'number' && Number.isFinite(ms)) return ms;
  throw new PetstoreMockError('bad-date', `a clock is moved by milliseconds, not by ${String(ms)}.`);
}
