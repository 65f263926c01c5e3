import { INT64_MAX, INT64_MIN, normalizeInteger, type Int64 } from '../../contract/document/json.js';
import { keyOfJson } from '../../contract/document/same-json.js';
import { listLackingPets } from '../judge/lacking-pets.js';
import type { TargetMemory } from '../judge/target-memory.js';
import { readContractValues } from '../wire/request/contract-values.js';
import type { Scope } from '../wire/request/template.js';
import { chooseFree } from '../subjects/free-parameters.js';
import { isShown } from './guest/guests.js';
import type { Run } from './run.js';

/** The values of `$run` references. */
export function describeRun(run: Run): Scope['run'] {
  const { created, seenIds, category, otherCategory } = run.memory;
  return {
    created: [...created],
    // Computed only on demand, since a list may have shown many.
    get seen() {
      return [...seenIds.keys()].map((id) => ({ id }));
    },
    get lacking() {
      return listLackingPets(run.memory, { limits: readContractValues(run.contract), budget: run.creates.left() });
    },
    category: category.id,
    otherCategory: otherCategory ?? category.id,
    unknownId: createUnknownId(run),
    get aliases() {
      return listAliases(created.at(-1)?.['id']);
    },
    get nextIds() {
      return listNextIds([...seenIds.keys()]);
    },
    // At one time, since what is asked for with it and what is sent must be the same.
    nextKeys: Object.fromEntries(
      [...run.guests.keys].flatMap(([operation, keys]) => {
        const next = chooseNextKey(keys);
        return next === undefined ? [] : [[operation, next]];
      }),
    ),
    get followingIds() {
      return listFollowingIds(run.memory);
    },
    get followingKeys() {
      return ofEachCreate(run, (keys) => {
        // What an answer has shown under one of them is not what comes next.
        const isNew = (key: bigint): boolean => !isShown(run.guests, key);
        const following = listFollowing(readIntegers(keys.slice(1)), isNew);
        return following.length === 0 ? undefined : following;
      });
    },
    get aliasKeys() {
      return ofEachCreate(run, ([, key]) => nameAliases(key));
    },
    get parameters() {
      return chooseFree(run.contract, run.prepareOptions.parameters);
    },
    escapedId: escapeDigits(created[0]?.['id']),
    unknownIds: Array.from({ length: 5 + Math.floor(Math.random() * 4) }, () => createUnknownId(run)),
  };
}

/** By the operation that created records, what is known of the keys in its answers; the first of all was there before. */
function ofEachCreate<T>({ guests }: Run, read: (keys: readonly unknown[]) => T): Record<string, T> {
  const found = [...guests.keys].map(([operation, keys]) => [operation, read(keys)] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

function readIntegers(keys: readonly unknown[]): bigint[] {
  const isInteger = (key: unknown): boolean => /^-?\d{1,18}$/.test(String(key));
  return keys.every(isInteger) ? keys.map((key) => BigInt(String(key))) : [];
}

/** Keys that a service which reads one carelessly takes for this one, by what it does not see. */
function nameAliases(key: unknown): Record<string, Int64> {
  const [exact] = readIntegers([key]);
  if (exact === undefined || exact <= 0n) return {};
  const found = { sign: -exact, bits: exact + 2n ** 32n, 'last-digit': exact / 10n, 'another-digit': exact * 10n + 1n };
  return Object.fromEntries(Object.entries(found).map(([name, other]) => [name, normalizeInteger(other)]));
}

/** Ids that a service which reads an id carelessly takes for this one: too few bits, no sign, a prefix. */
function listAliases(id: unknown): Int64[] {
  // Another check reports an id that is not an integer.
  if (!Number.isSafeInteger(id) && typeof id !== 'bigint') return [];
  const exact = BigInt(id as Int64);
  const bits = [exact + 2n ** 32n, exact - 2n ** 32n, exact + 1n, exact - 1n, exact + 2n ** 53n, exact + 2n ** 16n];
  const digits = [-exact, exact * 10n, exact * 10n + 1n, exact / 10n];
  return [...bits, ...digits].filter((other) => other >= INT64_MIN && other <= INT64_MAX).map(normalizeInteger);
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

/** Ids that a service that counts may assign next, upwards or downwards. */
function listNextIds(seen: readonly unknown[]): Int64[] {
  const ids = seen.filter((id) => Number.isSafeInteger(id) || typeof id === 'bigint').map((id) => BigInt(id as Int64));
  const highest = ids.reduce((most, id) => (id > most ? id : most), 0n);
  const lowest = ids.reduce((least, id) => (id < least ? id : least), highest);
  const next = [highest + 1n, highest + 2n, lowest - 1n];
  return next.filter((id) => id >= INT64_MIN && id <= INT64_MAX && !ids.includes(id)).map(normalizeInteger);
}

const FOLLOWING = 5;
/** Ids further apart than this were not counted one by one, whatever was created in between. */
const NEAR = 10_000n;

/** The ids that a service which counts gives to the pets that are created next; none if it seems not to count. */
function listFollowingIds({ created, seenIds }: TargetMemory): Int64[] {
  const ids = created
    .slice(-FOLLOWING)
    .map(({ id }) => id)
    .filter((id) => Number.isSafeInteger(id) || typeof id === 'bigint')
    .map((id) => BigInt(id as Int64));
  return listFollowing(ids, (id) => !seenIds.has(keyOfJson(normalizeInteger(id))));
}

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

/** An equivalent spelling of an id in a path (RFC 3986 section 6.2.2.2); a sign stays. */
function escapeDigits(id: unknown): string | undefined {
  if (typeof id !== 'number' && typeof id !== 'bigint') return undefined;
  return String(id).replace(/\d/, (digit) => `%3${digit}`);
}

/** An id that no known pet has; large and odd enough that hardly any other pet has it. */
function createUnknownId(run: Run): number {
  for (;;) {
    const id = 4_000_000_000_000_000 + Math.floor(Math.random() * 4_000_000_000_000_000);
    if (!run.memory.seenIds.has(id)) return id;
  }
}
