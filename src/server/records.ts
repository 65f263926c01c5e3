import type { Int64 } from '../contract/document/json.js';

/** Which records of a resource are meant. */
export interface CollectionOptions {
  /** The keys of the records that they belong to, outermost first: of `/users/{userId}/orders`, that of the user. Default: none. */
  within?: readonly (Int64 | string)[];
}

/** What there is a collection of. */
export interface CollectionFacts {
  /** What `collection` calls it: `orders`, `users.orders`. */
  name: string;
  /** The property by which a record is known; `undefined` where there is one record at most. */
  key: string | undefined;
  /** What its records belong to, outermost first: `userId`. */
  within: readonly string[];
  /** How many records there are; `undefined` of those that belong to others. */
  count: number | undefined;
}

/**
 * The records that the mock keeps for a resource of the contract, reached directly and not by HTTP: nothing
 * here needs a key, is delayed or shows up among the requests.
 */
export interface Records<Item extends object> {
  /** All, in the order in which the API lists them, or those whose properties have these values. */
  list(filter?: Partial<Item>): Promise<Readonly<Item>[]>;
  /** One record; `undefined` when there is none with this key. */
  get(key: Int64 | string): Promise<Readonly<Item> | undefined>;
  /** Adds a record, under a new key where it has none. Rejects with `bad-record` for one that breaks the contract, `store-full` when there is no room. */
  add(record: Partial<Item>): Promise<Readonly<Item>>;
  /** Puts these records, oldest first, in place of all. Those without a key get one. Rejects as `add` does, and changes nothing then. */
  replace(records: readonly Partial<Item>[]): Promise<Readonly<Item>[]>;
  /** Changes what is given of a record, and takes away what is `null` (RFC 7396); `undefined` when there is none with this key. */
  update(key: Int64 | string, changes: Readonly<Record<string, unknown>>): Promise<Readonly<Item> | undefined>;
  /** Takes a record out, and with it what belongs to it. Whether there was one. */
  remove(key: Int64 | string): Promise<boolean>;
  /** Takes every record out. */
  clear(): Promise<void>;
  /** How many there are. */
  count(): Promise<number>;
}

/** {@link Records} at once, for a handler: what rejects there throws here. */
export type RecordsNow<Item extends object> = {
  [Method in keyof Records<Item>]: Records<Item>[Method] extends (...given: infer Given) => Promise<infer Result>
    ? (...given: Given) => Result
    : never;
};

/** Ways to the records of a world. */
export interface WithCollections {
  /**
   * The records of a resource by its name. Rejects with `bad-collection` for one that there is not.
   * @example await mock.collection<Order>('orders').add({ petId: 2, quantity: 9 });
   */
  collection<Item extends object = Record<string, unknown>>(name: string, options?: CollectionOptions): Records<Item>;
  /** What there are collections of. */
  collections(): Promise<CollectionFacts[]>;
}
