import { actOn } from '../../contract/gaps/gaps.js';
import type { Violation } from '../../contract/schemas/violation.js';
import { PetstoreMockError, type ErrorCode } from '../../errors.js';
import { findRecordViolations } from '../../mock/fixtures/check-record.js';
import { mergePatch } from '../../mock/operations/patches/merge-patch.js';
import { listOrder } from '../../mock/operations/lists/list-records.js';
import type { Collection } from '../../mock/store/collection.js';
import { keyOf, type Key } from '../../mock/store/keys.js';
import { toKey, type Kept } from '../../mock/store/kept.js';
import type { Fields, StoredRecord } from '../../mock/store/stored-record.js';
import type { World } from '../../mock/world/world.js';
import type { Records, RecordsNow } from '../records.js';

/** The location of a handle's records. It is looked up at every call, since a world may have been dropped. */
export interface RecordsPlace {
  world: World;
  kept: Kept;
  within: readonly Key[];
  /** The error for records that violate the contract. */
  invalid: ErrorCode;
}

/** All methods are async, so that a mock in another process has the same ones. */
export function createRecords(find: () => RecordsPlace): Records<Fields> {
  const records = createRecordsNow(find);
  return {
    list: async (filter) => records.list(filter),
    get: async (key) => records.get(key),
    add: async (record) => records.add(record),
    replace: async (all) => records.replace(all),
    update: async (key, changes) => records.update(key, changes),
    remove: async (key) => records.remove(key),
    clear: async () => records.clear(),
    count: async () => records.count(),
  };
}

export function createRecordsNow(find: () => RecordsPlace): RecordsNow<Fields> {
  const open = (): Collection => openPlace(find());
  return {
    list: (filter = {}) => {
      const order = actOn(find().world.profile, 'list-order', listOrder);
      const stored = open().list({ order });
      const wanted = Object.entries(filter).filter(([, value]) => value !== undefined);
      return stored
        .map(({ record }) => record)
        .filter((record) => wanted.every(([name, value]) => record[name] === value));
    },
    get: (key) => findOne(find(), key)?.record,
    add(record) {
      const place = find();
      check(record, place);
      const collection = open();
      const given = keyOf(record, collection.key);
      if (given !== undefined && place.kept.key !== undefined && findOne(place, given) !== undefined)
        throw taken(place, given);
      const stored = collection.add(withKey(record, place));
      if (stored === undefined) throw storeFull(collection);
      return stored.record;
    },
    replace: (records) => replaceAll(find(), records),
    update: (key, changes) => update(find(), key, changes),
    remove(key) {
      const { world, kept, within } = find();
      const wanted = toKey(key, kept.key);
      return wanted !== undefined && world.collections.remove(kept, within, wanted);
    },
    clear: () => void open().replace([]),
    count: () => open().size,
  };
}

function replaceAll(place: RecordsPlace, records: readonly Fields[]): Fields[] {
  const collection = openPlace(place);
  for (const record of records) check(record, place);
  if (records.length > collection.capacity) throw storeFull(collection, records.length);
  const seeds = records.map((record) => withKey(record, place));
  const twice = findTwice(seeds, collection);
  if (twice !== undefined) throw sameKey(place, twice);
  if (!collection.replace(seeds)) throw storeFull(collection, records.length);
  const order = actOn(place.world.profile, 'list-order', listOrder);
  return collection.list({ order }).map(({ record }) => record);
}

function update(place: RecordsPlace, key: unknown, changes: Fields): Fields | undefined {
  const before = findOne(place, key)?.record;
  if (before === undefined) return undefined;
  const name = place.kept.key?.property;
  const named = name === undefined ? {} : { [name]: before[name] };
  const changed = { ...mergePatch(before, changes), ...named };
  check(changed, place);
  const collection = openPlace(place);
  const after = collection.change(changed);
  if (after === undefined) throw storeFull(collection);
  return after.record;
}

function openPlace({ world, kept, within }: RecordsPlace): Collection {
  return world.collections.open(kept, within);
}

function findOne(place: RecordsPlace, key: unknown): StoredRecord | undefined {
  const wanted = toKey(key, place.kept.key);
  return wanted === undefined ? undefined : openPlace(place).get(wanted);
}

function check(record: object, { world, kept, invalid }: RecordsPlace): void {
  const violations = findRecordViolations(record, kept, world.contract);
  if (violations.length === 0) return;
  const reasons = violations.map(({ message }) => message.replace(/^body\/?/, ''));
  throw new BadRecord(invalid, `this ${kept.singular} breaks the contract: ${reasons.join('; ')}.`, violations);
}

/** A refused record, with what it breaks of the contract. */
export class BadRecord extends PetstoreMockError {
  readonly violations: readonly Violation[];

  constructor(code: ErrorCode, message: string, violations: readonly Violation[]) {
    super(code, message);
    this.violations = violations;
  }
}

/** 5n and 5 are the same key. */
function withKey(record: Fields, { kept }: RecordsPlace): Fields {
  const name = kept.key?.property;
  if (name === undefined || record[name] === undefined) return { ...record };
  return { ...record, [name]: toKey(record[name], kept.key) };
}

function findTwice(seeds: readonly Fields[], { key }: Collection): Key | undefined {
  const seen = new Set<Key>();
  for (const seed of seeds) {
    const one = keyOf(seed, key);
    if (one === undefined) continue;
    if (seen.has(one)) return one;
    seen.add(one);
  }
  return undefined;
}

function sameKey({ kept, invalid }: RecordsPlace, key: Key): PetstoreMockError {
  const plural = kept.name.slice(kept.name.lastIndexOf('.') + 1);
  const told =
    kept.key === undefined
      ? `there is one ${kept.singular} only`
      : `two of these ${plural} have the ${kept.key.property} ${key}`;
  return new PetstoreMockError(invalid, `${told}.`);
}

function taken({ kept, invalid }: RecordsPlace, key: Key): PetstoreMockError {
  return new PetstoreMockError(invalid, `a ${kept.singular} with the ${kept.key?.property} ${key} exists already.`);
}

/** The error of a collection without room for so many records. */
export function storeFull(collection: Collection, records: number = collection.size): PetstoreMockError {
  const { capacity, noun } = collection;
  const why = records > capacity ? `the store is full: it holds ${capacity} ${noun}` : collection.describeFull();
  return new PetstoreMockError('store-full', `${why}.`);
}
