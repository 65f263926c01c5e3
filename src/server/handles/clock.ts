import { PetstoreMockError } from '../../errors.js';
import type { World } from '../../mock/world/world.js';
import { readDate } from '../../options/rules.js';
import type { DateLike, WorldClock } from '../world-time.js';

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
      // A `Date` cannot represent later times.
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

/** Milliseconds since 1970-01-01T00:00:00Z. Throws a {@link PetstoreMockError} (`bad-date`) for an invalid date. */
export function toTime(date: DateLike): number {
  const time = readDate(date);
  if (time !== undefined) return time;
  throw new PetstoreMockError(
    'bad-date',
    `${String(date)} is not a date; write it as 2030-12-05 or 2030-12-05T00:00:00Z.`,
  );
}

function checkNumber(ms: number): number {
  if (typeof ms === 'number' && Number.isFinite(ms)) return ms;
  throw new PetstoreMockError('bad-date', `a clock advances by milliseconds, not by ${String(ms)}.`);
}
