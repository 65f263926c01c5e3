import { NO_DELAY, type DelayRange } from '../../mock/world/delay-range.js';
import type { World } from '../../mock/world/world.js';
import { checkOptions } from '../../options/petstore-options.js';
import { DELAY } from '../../options/rules.js';
import type { WorldDelay } from '../world-time.js';

export function createDelayHandle(find: () => World): WorldDelay {
  const get = async (): Promise<DelayRange> => ({ ...(find().delay ?? NO_DELAY) });
  return {
    get,
    async set(delay) {
      find().delay = toDelay(delay);
      return get();
    },
    async reset() {
      const world = find();
      world.delay = world.startDelay;
      return get();
    },
  };
}

/** Throws a `PetstoreMockError` (`bad-option`) for what is no delay. */
export function toDelay(delay: number | DelayRange): DelayRange {
  checkOptions({ delay }, { delay: DELAY });
  return typeof delay === 'number' ? { from: delay, to: delay } : { from: delay.from, to: delay.to };
}
