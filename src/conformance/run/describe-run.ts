import { INT64_MAX, INT64_MIN, normalizeInteger, type Int64 } from '../../contract/document/json.js';
import type { Scope } from '../wire/request/template.js';
import { chooseFree } from '../resources/instantiate-resources.js';
import { readSubjects } from '../resources/resource-under-test.js';
import type { Run } from './run.js';

/** The values of `$run` references. */
export function describeRun(run: Run): Scope['run'] {
  return {
    // At one time, since what is asked for with it and what is sent must be the same.
    nextKeys: Object.fromEntries(
      [...run.ledger.createdKeys].flatMap(([operation, keys]) => {
        const next = chooseNextKey(keys);
        return next === undefined ? [] : [[operation, next]];
      }),
    ),
    get followingKeys() {
      return ofEachCreate(run, (keys) => {
        // What an answer has shown under one of them is not what comes next.
        const isNew = (key: bigint): boolean => !run.ledger.isKeyShown(key);
        const following = listFollowing(readIntegers(keys.slice(1)), isNew);
        return following.length === 0 ? undefined : following;
      });
    },
    get aliasKeys() {
      return ofEachCreate(run, ([, key]) => nameAliases(key));
    },
    get shown() {
      return Object.fromEntries(
        readSubjects(run.contract).map((subject) => [subject.name, run.ledger.countShown(subject)]),
      );
    },
    get parameters() {
      return chooseFree(run.contract, run.prepareOptions.parameters);
    },
  };
}

/** By the operation that created records, what is known of the keys in its answers; the first of all was there before. */
function ofEachCreate<T>({ ledger }: Run, read: (keys: readonly unknown[]) => T): Record<string, T> {
  const found = [...ledger.createdKeys].map(([operation, keys]) => [operation, read(keys)] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

function readIntegers(keys: readonly unknown[]): bigint[] {
  const isInteger = (key: unknown): boolean => /^-?\d{1,18}$/.test(String(key));
  return keys.every(isInteger) ? keys.map((key) => BigInt(String(key))) : [];
}

/** Keys that a service which reads one carelessly takes for this one, by what it does not see. */
function nameAliases(key: unknown): Record<string, Int64 | string> {
  const [exact] = readIntegers([key]);
  if (exact === undefined || exact <= 0n) return {};
  const found = { sign: -exact, bits: exact + 2n ** 32n, 'last-digit': exact / 10n, 'another-digit': exact * 10n + 1n };
  const integers = Object.entries(found).map(([name, other]) => [name, normalizeInteger(other)] as const);
  return { ...Object.fromEntries(integers), fraction: `${exact}.5`, letters: `${exact}abc` };
}

/** As many records as others may have created since, and the run itself beside. */
const CREATED_MEANWHILE = 12n;
/** Keys further apart, for each that the run created, are not counted one by one, or others create many. */
const MOST_APART = 8n;

/** A key that a service which counts upwards has not given yet, next to those that it gave; `undefined` if it seems not to count. */
function chooseNextKey(keys: readonly unknown[]): Int64 | undefined {
  const ids = keys.filter((key) => /^\d{1,18}$/.test(String(key))).map((key) => BigInt(String(key)));
  const highest = ids.reduce((most, id) => (id > most ? id : most), 0n);
  // Of a list, the first page may show none of the last.
  const own = ids.length > 2 ? ids.slice(1) : ids;
  // One key for all is no counting, and another check tells it.
  if (new Set(own).size < 2) return undefined;
  const [first = 0n] = own;
  const lowest = own.reduce((least, id) => (id < least ? id : least), highest);
  const isNear = highest - lowest <= MOST_APART * BigInt(own.length) && highest > lowest;
  const isUpwards = first - lowest < highest - first;
  if (ids.length !== keys.length || !isNear || !isUpwards) return undefined;
  const distances = BigInt(own.length - 1);
  const apart = (highest - lowest + distances - 1n) / distances;
  const step = own.reduce((all, id) => greatestCommonDivisor(all, id - first), 0n);
  // Where a service counts in steps, it never gives what lies between two.
  const further = CREATED_MEANWHILE * apart;
  return normalizeInteger(highest + further - (further % step) + (step > 1n ? 1n : 0n));
}

const FOLLOWING = 5;
/** Ids further apart than this were not counted one by one, whatever was created in between. */
const NEAR = 10_000n;

/** What comes next of integers that are counted; none where they are not. */
function listFollowing(all: readonly bigint[], isNew: (id: bigint) => boolean): Int64[] {
  const ids = all.slice(-FOLLOWING);
  const [first = 0n, last = 0n] = [ids[0], ids.at(-1)];
  const distances = ids.slice(1).map((id, index) => id - (ids[index] ?? 0n));
  const apart = distances.reduce(greatestCommonDivisor, 0n);
  if (apart === 0n || distances.some((distance) => distance > NEAR || distance < -NEAR)) return [];
  // What else took ids in between, such as refused pets, may be why they are further apart than one.
  const following = [1n, apart].flatMap((step) => countOn(last, last < first ? -step : step, isNew));
  return [...new Set(following)].map(normalizeInteger);
}

function countOn(from: bigint, step: bigint, isNew: (id: bigint) => boolean): bigint[] {
  const found: bigint[] = [];
  for (let id = from + step; found.length < FOLLOWING && id >= INT64_MIN && id <= INT64_MAX; id += step) {
    if (isNew(id)) found.push(id);
  }
  return found;
}

function greatestCommonDivisor(one: bigint, other: bigint): bigint {
  if (other === 0n) return one < 0n ? -one : one;
  return greatestCommonDivisor(other, one % other);
}
