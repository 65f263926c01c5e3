import { INT64_MAX, normalizeInteger, type Int64 } from '../../contract/document/json.js';
import type { Fields } from './stored-record.js';

/** What identifies a record within its collection. */
export type Key = Int64 | string;

/** Which property of a record is its key, and how keys are made. */
export interface KeyRule {
  /** `undefined` for a singleton, which needs no key. */
  property: string | undefined;
  /** The key at a place in the sequence; for integers, the place itself. */
  make(place: bigint): Key;
  /** Whether keys are integers, which are never reused. */
  isInteger: boolean;
}

/** Keys that count from 1. */
export function integerKeys(property: string): KeyRule {
  return { property, make: normalizeInteger, isInteger: true };
}

/** The key of a record; `undefined` if it has none yet. */
export function keyOf(record: Fields, { property }: KeyRule): Key | undefined {
  return property === undefined ? ONLY : (record[property] as Key | undefined);
}

/** The key of a singleton. */
export const ONLY = '';

/** A record with its key as the first property; `undefined` if no key is free. */
export function nameRecord(fields: Fields, rule: KeyRule, keys: KeySource): Fields | undefined {
  const { property } = rule;
  if (property === undefined) return fields;
  if (fields[property] !== undefined) return { [property]: fields[property], ...fields };
  const key = keys.next();
  if (key === undefined) return undefined;
  // An `undefined` key in the record would overwrite the new one.
  return { [property]: key, ...(property in fields ? without(fields, property) : fields) };
}

function without(fields: Fields, property: string): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== property));
}

export interface KeySource {
  /** A free key; `undefined` if there is none. */
  next(): Key | undefined;
  /** The next place in the sequence. */
  upcoming(): Int64;
  goOnAt(place: Int64): void;
}

/** A rule such as a pattern of two letters may run out of keys. */
const MOST_TRIES = 1000;

/** Integers rise and are never reused; after the last int64 they continue with the free ones from 1. */
export function createKeySource(rule: KeyRule, isTaken: (key: Key) => boolean): KeySource {
  let upcoming = 1n;
  return {
    next() {
      const most = rule.isInteger ? Infinity : MOST_TRIES;
      for (let tries = 0; tries < most; tries++) {
        if (upcoming > INT64_MAX) upcoming = 1n;
        const key = rule.make(upcoming);
        upcoming += 1n;
        if (!isTaken(key)) return key;
      }
      return undefined;
    },
    upcoming: () => normalizeInteger(upcoming),
    goOnAt(place) {
      upcoming = BigInt(place);
    },
  };
}

/** The first place after all keys of these records. */
export function firstFreePlace(records: readonly Fields[], rule: KeyRule): Int64 {
  if (!rule.isInteger) return records.length + 1;
  let highest: Int64 = 0;
  for (const record of records) {
    const key = keyOf(record, rule) as Int64 | undefined;
    if (key !== undefined && key > highest) highest = key;
  }
  return normalizeInteger(BigInt(highest) + 1n);
}
