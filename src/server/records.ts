import type { Int64 } from '../contract/document/json.js';

/** Selects records of a resource. */
export interface CollectionOptions {
  /** The keys of their parents, outermost first: for `/users/{userId}/orders`, the user's key. Default: none. */
  within?: readonly (Int64 | string)[];
}

/** A resource that has collections. */
export interface CollectionFacts {
  /** Its name for `collection`: `orders`, `users.orders`. */
  name: string;
  /** The property that identifies a record; `undefined` if there is at most one record. */
  key: string | undefined;
  /** The parents of its records, outermost first: `userId`. */
  within: readonly string[];
  /** The number of records; `undefined` if they have parents. */
  count: number | undefined;
}

/**
 * Direct access to the mock's records of a resource, without HTTP: nothing
 * here needs a key, is delayed, or appears among the requests.
 */
export interface Records<Item extends object> {
  /** All records, or those with these values of properties, in the API's order. */
  list(filter?: Partial<Item>): Promise<Readonly<Item>[]>;
  /** One record; `undefined` when there is none with this key. */
  get(key: Int64 | string): Promise<Readonly<Item> | undefined>;
  /** Adds a record, with a new key if it has none. Rejects with `bad-record` if it violates the contract, and with `store-full` if there is no room. */
  add(record: Partial<Item>): Promise<Readonly<Item>>;
  /** Replaces all records by these, oldest first. Those without a key get one. Rejects as `add` does, and then changes nothing. */
  replace(records: readonly Partial<Item>[]): Promise<Readonly<Item>[]>;
  /** Changes the given properties of a record, and removes those that are `null` (RFC 7396); `undefined` if there is none with this key. */
  update(key: Int64 | string, changes: Readonly<Record<string, unknown>>): Promise<Readonly<Item> | undefined>;
  /** Removes a record and everything that belongs to it. Returns whether there was one. */
  remove(key: Int64 | string): Promise<boolean>;
  /** Removes all records. */
  clear(): Promise<void>;
  /** How many there are. */
  count(): Promise<number>;
}

/** The synchronous {@link Records}, for handlers: they throw where those reject. */
export type RecordsNow<Item extends object> = {
  [Method in keyof Records<Item>]: Records<Item>[Method] extends (...given: infer Given) => Promise<infer Result>
    ? (...given: Given) => Result
    : never;
};

/** Access to the records of a world. */
export interface WithCollections {
  /**
   * The records of a resource by its name. Rejects with `bad-collection` for an unknown one.
   * @example await mock.collection<Order>('orders').add({ petId: 2, quantity: 9 });
   */
  collection<Item extends object = Record<string, unknown>>(name: string, options?: CollectionOptions): Records<Item>;
  /** The resources that have collections. */
  collections(): Promise<CollectionFacts[]>;
}
