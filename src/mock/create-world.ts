import type { Contract } from '../contract/contract.js';
import type { Profile } from '../contract/gaps.js';
import { createKeyRing } from './authenticate.js';
import { systemClock, type Clock } from './clock.js';
import type { Fixtures } from './fixtures/load-fixtures.js';
import { createJournal, type Exchange } from './journal.js';
import type { Handler } from './operations/handler.js';
import { handlers as shippedHandlers } from './operations/index.js';
import { createMemoryStore } from './store/memory-store.js';
import type { DelayRange, World } from './world.js';

export interface WorldOptions {
  name?: string;
  contract: Contract;
  profile: Profile;
  fixtures: Fixtures;
  /** The keys it accepts. */
  apiKeys: readonly string[];
  /** The most animals it holds. Default: 1,000,000. */
  maxPets?: number | undefined;
  /** How long requests are held back. Default: not at all. */
  delay?: DelayRange | undefined;
  clock?: Clock | undefined;
  /** Default: `Math.random`. */
  random?: (() => number) | undefined;
  handlers?: Readonly<Record<string, Handler>> | undefined;
  onExchange?: ((exchange: Exchange) => void) | undefined;
}

/** Puts one isolated mock together. */
export function createWorld(options: WorldOptions): World {
  const { animals, nextId } = options.fixtures;
  return {
    name: options.name ?? 'default',
    contract: options.contract,
    profile: options.profile,
    store: createMemoryStore({ animals, nextId, capacity: options.maxPets }),
    clock: options.clock ?? systemClock,
    journal: createJournal(),
    keys: createKeyRing(options.apiKeys),
    delay: options.delay,
    random: options.random ?? Math.random,
    handlers: options.handlers ?? shippedHandlers,
    onExchange: options.onExchange ?? (() => {}),
  };
}
