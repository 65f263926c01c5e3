import type { Contract } from '../contract/contract.js';
import type { Profile } from '../contract/gaps.js';
import type { KeyRing } from './authenticate.js';
import type { Clock } from './clock.js';
import type { Exchange, Journal } from './journal.js';
import type { Handler } from './operations/handler.js';
import type { PetStore } from './store/pet-store.js';

/** One isolated mock: everything that an answer depends on. */
export interface World {
  name: string;
  contract: Contract;
  profile: Profile;
  store: PetStore;
  clock: Clock;
  journal: Journal;
  keys: KeyRing;
  /** How long requests are held back before they are looked at; `undefined` for not at all. */
  delay: DelayRange | undefined;
  /** A number from 0 up to 1, as `Math.random` gives. */
  random: () => number;
  /** What answers each operation, by `operationId`. */
  handlers: Readonly<Record<string, Handler>>;
  /** Called with every exchange once it is over. */
  onExchange: (exchange: Exchange) => void;
}

/** A time in milliseconds, anew for each request, both ends included. */
export interface DelayRange {
  from: number;
  to: number;
}

/** Brings a world back to its start: its animals, its ids, an empty journal. */
export function resetWorld(world: World): void {
  world.store.reset();
  world.journal.clear();
}

/** How long to hold back the next request, in milliseconds. */
export function pickDelay({ delay, random }: World): number {
  return delay === undefined ? 0 : delay.from + random() * (delay.to - delay.from);
}
