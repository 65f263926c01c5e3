import type { CoverageKind } from '../contract/coverage.js';
import type { Int64 } from '../contract/document/json.js';
import type { ContractPlace } from '../contract/schemas/violation.js';
import type { DeprecatedCaller, RecordedExchange } from '../mock/world/journal.js';
import type { Fault, FaultEffect, PlantedAnswer, PlantedFault } from '../mock/faults/faults.js';
import type { DelayRange } from '../mock/world/clock.js';

// Types only. Three implementations share them: in process, through `fetch`, and over the admin API.

export type PetStatus = 'available' | 'pending' | 'sold';

/** A pet before the service assigns its id. */
export interface NewPet {
  name: string;
  /** An int64: a `bigint` past 2^53. */
  categoryId: Int64;
  status?: PetStatus;
}

/** A pet as the service returns it. */
export interface Pet extends NewPet {
  /** An int64: a `bigint` past 2^53. */
  id: Int64;
}

/** The mock's pets, without HTTP: nothing here needs a key, is delayed, or appears among the requests. */
export interface Pets {
  list(filter?: { status?: PetStatus }): Promise<Readonly<Pet>[]>;
  get(id: Int64): Promise<Readonly<Pet> | undefined>;
  /** Adds a pet. Rejects with `bad-pet` if it violates the contract, and with `store-full` if there is no room. */
  add(pet: NewPet): Promise<Readonly<Pet>>;
  /** Replaces all pets by these, oldest first. Those without an id get one. Rejects as `add` does, and then changes nothing. */
  replace(pets: readonly (NewPet & { id?: Int64 })[]): Promise<Readonly<Pet>[]>;
  clear(): Promise<void>;
  count(): Promise<number>;
}

/** The judgement of an exchange: which side is at fault, or `'ok'`. */
export type ExchangeVerdict = 'ok' | 'client' | 'mock';

export interface RecordedMessage {
  /** Header fields by lower-case name. Fields with credentials are `[redacted]`. */
  headers: Readonly<Record<string, string>>;
  /** JSON as a value, with exact int64; anything else as text; `undefined` if there was none, or it was not kept. */
  body: unknown;
  /** Whether the body was not kept because it was longer than 64 KiB. */
  bodyOmitted: boolean;
}

/** One request with its response. */
export interface Exchange extends RecordedExchange {
  verdict: ExchangeVerdict;
  deprecated: boolean;
  contract: ContractPlace | undefined;
  request: RecordedMessage;
  response: RecordedMessage;
}

export interface RequestFilter {
  operationId?: string;
  method?: string;
  /** The path as the client sent it, without its query: `/v1/pets`. */
  path?: string;
  /** The status of the answer; 0 if a fault reset the connection. */
  status?: number;
  /** The side at fault: `'client'`, `'mock'`, or `'ok'` for neither. */
  verdict?: ExchangeVerdict;
  deprecated?: boolean;
  fault?: string;
}

export interface WaitOptions {
  /** How many requests. Default: 1. */
  count?: number;
  /** How long to wait, in milliseconds. Default: 5,000. */
  timeout?: number;
  /** Aborts the wait, which then rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** The last 1,000 exchanges of the API, oldest first. */
export interface Requests {
  list(filter?: RequestFilter): Promise<Exchange[]>;
  count(filter?: RequestFilter): Promise<number>;
  /**
   * Resolves to matching exchanges once there are enough; earlier ones count as well.
   * Rejects with `wait-timeout`, and lists the exchanges seen instead.
   * @example const [request] = await mock.requests.waitFor({ operationId: 'createPet' });
   */
  waitFor(filter?: RequestFilter, options?: WaitOptions): Promise<Exchange[]>;
  clear(): Promise<void>;
}

export interface Faults {
  /**
   * Plants a fault. Rejects with `bad-fault` if it could never strike, and lists everything that is wrong with it.
   * @example await mock.faults.add({ operationId: 'createPet', at: 'after', times: 1, effect: { status: 500 } });
   */
  add(fault: Fault): Promise<PlantedFault & { remove: () => Promise<void> }>;
  /** In the order in which they were planted, including spent ones. */
  list(): Promise<PlantedFault[]>;
  remove(id: string): Promise<boolean>;
  clear(): Promise<void>;
}

/** When an answer of one's own is given, as in a {@link Fault}. */
export interface AnswerOptions extends Omit<Fault, 'operationId' | 'effect'>, Pick<FaultEffect, 'delay'> {}

/** Saved states of all collections. A name has up to 64 letters, digits, dots, dashes and underscores. */
export interface Snapshots {
  /** Saves the records and the next keys of every collection under a name, and replaces an earlier snapshot of that name. Rejects with `bad-snapshot` for an invalid name, and for the 101st snapshot. */
  save(name: string): Promise<void>;
  /** Restores a snapshot. Rejects with `bad-snapshot` if there is none of this name. */
  restore(name: string): Promise<void>;
  list(): Promise<string[]>;
  remove(name: string): Promise<boolean>;
  /** The records of every collection as the text of a fixture pack, from which `load` and `--fixtures` restore them exactly. */
  export(): Promise<string>;
  /** Replaces all records by those of a fixture pack; collections that it does not name return to their start. Rejects with `unusable-fixtures` and the line if the pack is unusable. */
  load(pack: string, options?: LoadOptions): Promise<void>;
}

export interface LoadOptions {
  /** What messages call the pack, such as the name of its file. Default: `pack`. */
  name?: string;
  /** Whether the pack also becomes the start, to which `reset` returns. Default: `false`. */
  start?: boolean;
}

/** A choice for each gap of the contract. */
export type WorldProfile = { name: string; choices: Readonly<Record<string, string>> };

export interface Profiles {
  get(): Promise<WorldProfile>;
  /** Changes these choices only. Rejects with `unusable-profile` for an unknown gap or choice. */
  choose(choices: Readonly<Record<string, string>>): Promise<WorldProfile>;
  reset(): Promise<WorldProfile>;
}

export interface CoverageOptions {
  /** The minimum in percent; below it the call rejects with `low-coverage` and says what is missing. Default: none. */
  threshold?: number;
  /** Whether to combine all worlds, including dropped ones. Default: `false`. */
  allWorlds?: boolean;
}

/** A part of the contract that no request exercised. */
export interface NeverExercised {
  /** Stable: `listPets answers 401`, `listPets is sent query/limit = 100`. */
  id: string;
  kind: CoverageKind;
  contract: ContractPlace;
}

/** The part of the contract that requests exercised since the start. */
export interface CoverageReport {
  total: number;
  covered: number;
  /** Rounded down, so that 100 means everything. */
  percent: number;
  missing: NeverExercised[];
  text: string;
}

/** One isolated petstore, with everything that a test can do with it. */
export interface PetstoreWorld extends WithCollections {
  /** `'default'` for the world of requests that name none. */
  readonly name: string;
  /** The URL of its API: `http://127.0.0.1:49152/v1`, `http://127.0.0.1:49152/worlds/w3/v1`. For an app, which has no port, the path. */
  readonly url: string;
  readonly pets: Pets;
  readonly requests: Requests;
  readonly faults: Faults;
  /**
   * Has an operation give this answer until it is removed, or `times` times. Rejects with `bad-fault` if the answer breaks
   * the contract and does not say so (`breaksContract: true`), and lists what it breaks. It is one of the {@link faults}.
   * @example await mock.answer('getPet', { status: 404, body: { code: 'gone', message: 'adopted', status: 404 } }, { times: 1 });
   */
  answer(
    operationId: string,
    answer: PlantedAnswer,
    options?: AnswerOptions,
  ): Promise<PlantedFault & { remove: () => Promise<void> }>;
  readonly delay: WorldDelay;
  readonly clock: WorldClock;
  readonly snapshots: Snapshots;
  readonly profile: Profiles;
  /**
   * Changes the start to another fixture pack, a shipped one by name or a file by path: its records
   * replace all others, and `reset` restores them. Rejects with `unusable-fixtures` for an unusable pack.
   * @example await mock.world('empty-shop').useFixtures('empty');
   */
  useFixtures(fixtures: string, options?: { seed?: number; count?: number }): Promise<void>;
  /** Restores records, keys, faults, delay and clock of the start, and clears the requests. Snapshots, profile and coverage stay. */
  reset(): Promise<void>;
  /** The exchanges with a side at fault; newer requests do not displace them. */
  violations(): Promise<Exchange[]>;
  /** Rejects with `violations` if a side was at fault; `allow` selects intended ones, such as `{ status: 401 }`. */
  assertNoViolations(options?: { allow?: RequestFilter | readonly RequestFilter[] }): Promise<void>;
  /** The part of the contract that requests exercised. Rejects with `low-coverage` below a threshold. */
  coverage(options?: CoverageOptions): Promise<CoverageReport>;
  deprecatedCallers(): Promise<DeprecatedCaller[]>;
}

/** A world beside the default one. */
export interface NamedWorld extends PetstoreWorld {
  /** The header fields with which a request reaches it without its `url`. */
  readonly headers: { readonly 'X-Petstore-World': string };
  /** Drops the world. Its name then stands for a new one. */
  drop(): Promise<void>;
}

/** Many isolated petstores in one. */
export interface PetstoreWorlds extends PetstoreWorld {
  /** The world with this name, created on first use. Throws `bad-world` for an invalid name. */
  world(name: string): NamedWorld;
  /** The names of the worlds in use, the default world's first. */
  worlds(): Promise<string[]>;
}

/** Selects records of a resource. */
export interface CollectionOptions {
  /** The keys of their parents, outermost first: for `/users/{userId}/orders`, the user's key. Default: none. */
  within?: readonly (Int64 | string)[];
}

/** A resource that has collections. */
export interface CollectionFacts {
  /** Its name for `collection`: `orders`, `users.orders`. */
  name: string;
  key: string | undefined;
  /** The parents of its records, outermost first: `userId`. */
  within: readonly string[];
  count: number | undefined;
}

/** A resource's records, without HTTP: nothing here needs a key, is delayed, or appears among the requests. */
export interface Records<Item extends object> {
  list(filter?: Partial<Item>): Promise<Readonly<Item>[]>;
  get(key: Int64 | string): Promise<Readonly<Item> | undefined>;
  /** Adds a record, with a new key if it has none. Rejects with `bad-record` if it violates the contract, and with `store-full` if there is no room. */
  add(record: Partial<Item>): Promise<Readonly<Item>>;
  /** Replaces all records by these, oldest first. Those without a key get one. Rejects as `add` does, and then changes nothing. */
  replace(records: readonly Partial<Item>[]): Promise<Readonly<Item>[]>;
  /** Changes the given properties of a record, and removes those that are `null` (RFC 7396); `undefined` if there is none with this key. */
  update(key: Int64 | string, changes: Readonly<Record<string, unknown>>): Promise<Readonly<Item> | undefined>;
  /** Removes a record and everything that belongs to it. Returns whether there was one. */
  remove(key: Int64 | string): Promise<boolean>;
  clear(): Promise<void>;
  count(): Promise<number>;
}

/** The synchronous {@link Records}, for handlers: they throw where those reject. */
export type RecordsNow<Item extends object> = {
  [Method in keyof Records<Item>]: Records<Item>[Method] extends (...given: infer Given) => Promise<infer Result>
    ? (...given: Given) => Result
    : never;
};

interface WithCollections {
  /**
   * The records of a resource by its name. Rejects with `bad-collection` for an unknown one.
   * @example await mock.collection<Order>('orders').add({ petId: 2, quantity: 9 });
   */
  collection<Item extends object = Record<string, unknown>>(name: string, options?: CollectionOptions): Records<Item>;
  collections(): Promise<CollectionFacts[]>;
}

/** A date: a `Date`, a text such as `'2030-12-05T00:00:00Z'`, or milliseconds since 1970. */
export type DateLike = Date | string | number;

/** The date of the world. Every method resolves to the resulting date, and rejects with `bad-date` for an invalid one. */
export interface WorldClock {
  now(): Promise<Date>;
  /** Sets the date. A running clock continues from there; a frozen one stays frozen. */
  set(date: DateLike): Promise<Date>;
  /** Moves the date by milliseconds, even if it is frozen. */
  advance(ms: number): Promise<Date>;
  /** Stops the clock. Default: at its current date. */
  freeze(date?: DateLike): Promise<Date>;
  reset(): Promise<Date>;
  isFrozen(): Promise<boolean>;
}

/** How long the world holds back each request before handling it; `{ from: 0, to: 0 }` means not at all. */
export interface WorldDelay {
  get(): Promise<DelayRange>;
  /** Delays each request by milliseconds, or a random time from a range. Rejects with `bad-option` if invalid. */
  set(delay: number | DelayRange): Promise<DelayRange>;
  reset(): Promise<DelayRange>;
}
