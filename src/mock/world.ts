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
  /** What answers each operation, by `operationId`. */
  handlers: Readonly<Record<string, Handler>>;
  /** Called with every exchange once it is over. */
  onExchange: (exchange: Exchange) => void;
}
