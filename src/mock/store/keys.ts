import { INT64_MAX, normalizeInteger, type Int64 } from '../../contract/document/json.js';
import type { Fields } from './stored-record.js';

/** What a record is known by within its collection. */
export type Key = Int64 | string;

/** Which property of a record is its key, and what keys are made of. */
export interface KeyRule {
  /** `undefined` where there is one record at most, which needs none. */
  property: string | undefined;
  /** The key at a place in the row of all that are made: of integers, the place itself. */
  make(place: bigint): Key;
  /** Whether keys are integers, which never come again. */
  isInteger: boolean;
}

/** Keys that count from 1. */
export function integerKeys(property: string): KeyRule {
  return { property, make: normalizeInteger, isInteger: true };
}

/** What a record is known by; `undefined` when it has no key yet. */
export function keyOf(record: Fields, { property }: KeyRule): Key | undefined {
  return property === undefined ? ONLY : (record[property] as Key | undefined);
}

/** The key of what there is one of. */
export const ONLY = '';

/** A record with its key, which stands first; `undefined` when no key is free. */
export function nameRecord(fields: Fields, rule: KeyRule, keys: KeySource): Fields | undefined {
  const { property } = rule;
  if (property === undefined) return fields;
  if (fields[property] !== undefined) return { [property]: fields[property], ...fields };
  const key = keys.next();
  if (key === undefined) return undefined;
  // A key that is there and says nothing would take its place.
  return { [property]: key, ...(property in fields ? without(fields, property) : fields) };
}

function without(fields: Fields, property: string): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== property));
}

export interface KeySource {
  /** A key that is free; `undefined` when none is found. */
  next(): Key | undefined;
  /** The place that comes next. */
  upcoming(): Int64;
  goOnAt(place: Int64): void;
}

/** A rule may have fewer keys than places, such as a pattern of two letters. */
const MOST_TRIES = 1000;

/** Integers rise and are never reused; past the last int64 they go on at 1, over those taken. */
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

/** The first place from which no key of these records is met. */
export function firstFreePlace(records: readonly Fields[], rule: KeyRule): Int64 {
  if (!rule.isInteger) return records.length + 1;
  let highest: Int64 = 0;
  for (const record of records) {
    const key = keyOf(record, rule) as Int64 | undefined;
    if (key !== undefined && key > highest) highest = key;
  }
  return normalizeInteger(BigInt(highest) + 1n);
}
