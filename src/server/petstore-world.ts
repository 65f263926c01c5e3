import type { CoverageKind } from '../contract/coverage-items.js';
import type { Int64 } from '../contract/document/json.js';
import type { ContractPlace } from '../contract/schemas/violation.js';
import type { DeprecatedCaller } from '../mock/world/callers.js';
import type { Fault, PlantedFault } from '../mock/faults/fault.js';
import type { RecordedExchange } from '../mock/world/journal.js';
import type { WithCollections } from './records.js';

// The types alone, apart from what implements them: in process, by `fetch` and over the admin API they are the same.

/** The statuses of the petstore's contract. */
export type PetStatus = 'available' | 'pending' | 'sold';

/** A pet before the service has given it an id. */
export interface NewPet {
  name: string;
  /** An int64: a `bigint` past 2^53. */
  categoryId: Int64;
  /** A pet may have none. */
  status?: PetStatus;
}

/** A pet as the service returns it. */
export interface Pet extends NewPet {
  /** An int64: a `bigint` past 2^53. */
  id: Int64;
}

/**
 * The pets behind the mock, reached directly and not by HTTP: nothing here
 * needs a key, is delayed or shows up among the requests.
 */
export interface Pets {
  /** All pets, in the order in which the API lists them, or those with a status. */
  list(filter?: { status?: PetStatus }): Promise<Readonly<Pet>[]>;
  /** One pet; `undefined` when there is none with this id. */
  get(id: Int64): Promise<Readonly<Pet> | undefined>;
  /** Adds a pet. Rejects with `bad-pet` for one that breaks the contract, `store-full` when there is no room. */
  add(pet: NewPet): Promise<Readonly<Pet>>;
  /** Puts these pets, oldest first, in place of all. Those without an id get one. Rejects as `add` does, and changes nothing then. */
  replace(pets: readonly (NewPet & { id?: Int64 })[]): Promise<Readonly<Pet>[]>;
  /** Takes every pet out. */
  clear(): Promise<void>;
  /** How many pets there are. */
  count(): Promise<number>;
}

/** What an exchange came to: a side is at fault, or nobody is. */
export type ExchangeVerdict = 'ok' | 'client' | 'mock';

/** One half of an exchange. */
export interface RecordedMessage {
  /** Header fields by their name in lower case. What carries credentials is `[redacted]`. */
  headers: Readonly<Record<string, string>>;
  /** JSON as a value, int64 exact, anything else as text; `undefined` when there was none, or it was not kept. */
  body: unknown;
  /** Whether there was a body that is too long to be kept: over 64 KiB. */
  bodyOmitted: boolean;
}

/** One request with its response. */
export interface Exchange extends RecordedExchange {
  verdict: ExchangeVerdict;
  /** Whether the operation is deprecated. */
  deprecated: boolean;
  /** Where the contract has the operation; `undefined` where it has none. */
  contract: ContractPlace | undefined;
  request: RecordedMessage;
  response: RecordedMessage;
}

/** Which requests are meant; one that has all that is named. */
export interface RequestFilter {
  /** The contract's name of the operation, such as `'createPet'`. */
  operationId?: string;
  method?: string;
  /** The path as the client sent it, without its query: `/v1/pets`. */
  path?: string;
  /** The status of the answer; 0 for a connection that a fault has reset. */
  status?: number;
  /** Whose fault it is: `'client'`, `'mock'`, or `'ok'` when it is nobody's. */
  verdict?: ExchangeVerdict;
  /** Whether the operation is deprecated. */
  deprecated?: boolean;
  /** The id of a fault that struck. */
  fault?: string;
}

/** What {@link Requests.waitFor} waits for. */
export interface WaitOptions {
  /** How many such requests. Default: 1. */
  count?: number;
  /** For how long, in milliseconds. Default: 5,000. */
  timeout?: number;
  /** Gives up when it aborts, and rejects with its reason. */
  signal?: AbortSignal;
}

/** What was sent to the API, oldest first: the last 1,000 exchanges. */
export interface Requests {
  list(filter?: RequestFilter): Promise<Exchange[]>;
  count(filter?: RequestFilter): Promise<number>;
  /**
   * Resolves to such exchanges once there are enough; those that are over count too.
   * Rejects with `wait-timeout`, and says what was there instead.
   * @example const [request] = await mock.requests.waitFor({ operationId: 'createPet' });
   */
  waitFor(filter?: RequestFilter, options?: WaitOptions): Promise<Exchange[]>;
  /** Forgets them, and with them the violations. */
  clear(): Promise<void>;
}

/** Rules that break or delay answers on purpose. */
export interface Faults {
  /**
   * Plants a fault. Rejects with `bad-fault` for one that can never strike, with all that is wrong with it.
   * @example await mock.faults.add({ operationId: 'createPet', at: 'after', times: 1, effect: { status: 500 } });
   */
  add(fault: Fault): Promise<PlantedFault & { remove: () => Promise<void> }>;
  /** In the order in which they were planted, spent ones too. */
  list(): Promise<PlantedFault[]>;
  /** Whether there was one. */
  remove(id: string): Promise<boolean>;
  clear(): Promise<void>;
}

/** A date: a `Date`, a text such as `'2030-12-05T00:00:00Z'`, or milliseconds since 1970. */
export type DateLike = Date | string | number;

/** The date that the world goes by. Every method resolves to the date that it shows then; one that is none rejects with `bad-date`. */
export interface WorldClock {
  now(): Promise<Date>;
  /** Sets it, and it runs on from there; a frozen one stays frozen. */
  set(date: DateLike): Promise<Date>;
  /** Moves it by milliseconds, a frozen one too. */
  advance(ms: number): Promise<Date>;
  /** Stops it. Default: at the date it shows. */
  freeze(date?: DateLike): Promise<Date>;
  /** The date of the start, running. */
  reset(): Promise<Date>;
  isFrozen(): Promise<boolean>;
}

/** What a world keeps, every collection, to go back to. A name is up to 64 letters, digits, dots, dashes and underscores. */
export interface Snapshots {
  /** Keeps the records of every collection and the keys that come next under a name, in place of what was there. Rejects with `bad-snapshot` for a name that is none, and for the 101st. */
  save(name: string): Promise<void>;
  /** Goes back to them. Rejects with `bad-snapshot` for a name under which there is nothing. */
  restore(name: string): Promise<void>;
  list(): Promise<string[]>;
  /** Whether there was one. */
  remove(name: string): Promise<boolean>;
  /** The records of every collection as the text of a fixture pack, which `load` and `--fixtures` read back exactly. */
  export(): Promise<string>;
  /** Puts a fixture pack's records in place of all; collections that it does not name go back to their start. Rejects with `unusable-fixtures`, with the line, for one that cannot be used. */
  load(pack: string): Promise<void>;
}

/** A choice for each point that the contract leaves open. */
export interface WorldProfile {
  name: string;
  choices: Readonly<Record<string, string>>;
}

/** The profile that the world answers by. */
export interface Profiles {
  get(): Promise<WorldProfile>;
  /** Makes these choices, and leaves the others. Rejects with `unusable-profile` for a gap or a choice that there is not. */
  choose(choices: Readonly<Record<string, string>>): Promise<WorldProfile>;
  /** The choices of the start. */
  reset(): Promise<WorldProfile>;
}

export interface CoverageOptions {
  /** The least share in percent; below it the call rejects with `low-coverage` and says what is missing. Default: none. */
  threshold?: number;
  /** Of all worlds together, dropped ones included. Default: `false`. */
  allWorlds?: boolean;
}

/** Something that the contract states and that no request has exercised. */
export interface NeverExercised {
  /** Stable: `listPets answers 401`, `listPets is sent query/limit = 100`. */
  id: string;
  kind: CoverageKind;
  contract: ContractPlace;
}

/** What the requests have exercised of the contract, since the start. */
export interface CoverageReport {
  total: number;
  covered: number;
  /** Rounded down, so that only all is 100. */
  percent: number;
  /** What was never seen, in the order of the contract. */
  missing: NeverExercised[];
  /** The same for people. */
  text: string;
}

/** One isolated petstore, and all that a test can do with it. */
export interface PetstoreWorld extends WithCollections {
  /** `'default'` for the world of whoever names none. */
  readonly name: string;
  /** Where its API is: `http://127.0.0.1:49152/v1`, `http://127.0.0.1:49152/worlds/w3/v1`. Of an app, which knows no port: the path. */
  readonly url: string;
  readonly pets: Pets;
  readonly requests: Requests;
  readonly faults: Faults;
  readonly clock: WorldClock;
  readonly snapshots: Snapshots;
  readonly profile: Profiles;
  /**
   * Begins with another fixture pack, one that ships by its name or one in a file by its path: its records take
   * the place of all, and `reset` goes back to them. Rejects with `unusable-fixtures` for one that cannot be used.
   * @example await mock.world('empty-shop').useFixtures('empty');
   */
  useFixtures(fixtures: string, options?: { seed?: number; count?: number }): Promise<void>;
  /** Goes back to the start: records, keys, faults and clock, and no requests. Snapshots, profile and coverage stay. */
  reset(): Promise<void>;
  /** The exchanges in which a side is at fault; they are kept when the record of requests wraps. */
  violations(): Promise<Exchange[]>;
  /**
   * Rejects with `violations` when a side was at fault, and says which request
   * broke which line of the contract and how to mend it.
   * `allow` names what a test means to send, such as `{ status: 401 }`.
   */
  assertNoViolations(options?: { allow?: RequestFilter | readonly RequestFilter[] }): Promise<void>;
  /** What the requests have exercised of the contract. Rejects with `low-coverage` below a threshold. */
  coverage(options?: CoverageOptions): Promise<CoverageReport>;
  /** Who calls operations that are going to be removed, the most frequent first. */
  deprecatedCallers(): Promise<DeprecatedCaller[]>;
}

/** A world beside the default one. */
export interface NamedWorld extends PetstoreWorld {
  /** What a request has to carry to reach it, for who does not use its `url`. */
  readonly headers: { readonly 'X-Petstore-World': string };
  /** Forgets it. Whoever names it again enters a new one. */
  drop(): Promise<void>;
}

/** Many isolated petstores in one. */
export interface PetstoreWorlds extends PetstoreWorld {
  /** A world of this name, made when it is first used. Throws `bad-world` for a name that is none. */
  world(name: string): NamedWorld;
  /** The names of the worlds that were used, the default's first. */
  worlds(): Promise<string[]>;
}
