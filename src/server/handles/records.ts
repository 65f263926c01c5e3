import { actOn } from '../../contract/gaps/gaps.js';
import type { Violation } from '../../contract/schemas/violation.js';
import { PetstoreMockError, type ErrorCode } from '../../errors.js';
import { findRecordViolations } from '../../mock/fixtures/load-fixtures.js';
import { mergePatch } from '../../mock/operations/existing-record.js';
import { listOrder } from '../../mock/operations/list-records.js';
import type { Collection } from '../../mock/store/collection.js';
import { keyOf, type Key, toKey, type Kept, findPets, type Fields, type StoredRecord } from '../../mock/store/kept.js';
import type { World } from '../../mock/world/world.js';
import type { Records, RecordsNow, PetstoreWorld, Pets } from '../petstore-world.js';
import { describeMissing, findMissingParent } from '../../mock/operations/respond.js';
import { suggest } from '../../suggest.js';
import type { Contract } from '../../contract/contract.js';
import { readProperties, type Property, readValueShape } from '../../contract/operations/properties.js';
import { readDialect, readBesideNull } from '../../contract/schemas/dialect.js';
import { mergeSchemas } from '../../contract/schemas/merged-schema.js';

type RecordsPlace = { world: World; kept: Kept; within: readonly Key[]; invalid: ErrorCode };

function createRecords(find: () => RecordsPlace): Records<Fields> {
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
        throw new PetstoreMockError(
          place.invalid,
          `a ${place.kept.singular} with the ${place.kept.key.property} ${given} exists already.`,
        );
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
  const { kept, invalid } = place;
  const seen = new Set<Key>();
  const keys = seeds.flatMap((seed) => keyOf(seed, collection.key) ?? []);
  const twice = keys.find((key) => seen.has(key) || !seen.add(key));
  if (twice !== undefined) {
    const plural = kept.name.slice(kept.name.lastIndexOf('.') + 1);
    const many = `two of these ${plural} have the ${kept.key?.property} ${twice}`;
    throw new PetstoreMockError(invalid, `${kept.key === undefined ? `there is one ${kept.singular} only` : many}.`);
  }
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

const openPlace = ({ world, kept, within }: RecordsPlace): Collection => world.collections.open(kept, within);

function findOne(place: RecordsPlace, key: unknown): StoredRecord | undefined {
  const wanted = toKey(key, place.kept.key);
  return wanted === undefined ? undefined : openPlace(place).get(wanted);
}

function check(record: object, { world, kept, invalid }: RecordsPlace): void {
  const violations = findRecordViolations(record, kept, world.contract);
  if (violations.length === 0) return;
  const reasons = violations.map(({ message }) => message.replace(/^body\/?/, ''));
  throw new BadInput(invalid, `this ${kept.singular} breaks the contract: ${reasons.join('; ')}.`, violations);
}

export class BadInput extends PetstoreMockError {
  readonly violations: readonly Violation[];

  constructor(code: ErrorCode, message: string, violations: readonly Violation[]) {
    super(code, message);
    this.violations = violations;
  }
}

function withKey(record: Fields, { kept }: RecordsPlace): Fields {
  const name = kept.key?.property;
  if (name === undefined || record[name] === undefined) return { ...record };
  return { ...record, [name]: toKey(record[name], kept.key) };
}

export function storeFull(collection: Collection, records: number = collection.size): PetstoreMockError {
  const { capacity, noun } = collection;
  const why = records > capacity ? `the store is full: it holds ${capacity} ${noun}` : collection.describeFull();
  return new PetstoreMockError('store-full', `${why}.`);
}

export function createCollectionHandles(find: () => World): Pick<PetstoreWorld, 'collection' | 'collections'> {
  return {
    collection: (name, { within = [] } = {}) => createRecords(() => findPlace(find(), name, within)) as never,
    collections: async () => {
      const { collections } = find();
      return collections.kept.map((kept) => ({
        name: kept.name,
        key: kept.key?.property,
        within: kept.scope,
        count: kept.scope.length > 0 ? undefined : collections.open(kept).size,
      }));
    },
  };
}

/** What there can be collections of, by name. Throws a `PetstoreMockError` (`bad-collection`) for an unknown one. */
export function findKept({ collections: { kept: all } }: World, name: string): Kept {
  const kept = all.find((each) => each.name === name);
  const names = all.map((each) => each.name);
  const others =
    names.length === 0 ? '; the contract has none.' : `${suggest(name, names)} There are ${names.join(', ')}.`;
  if (kept === undefined) throw badCollection(`there is no collection ${name}${others}`);
  return kept;
}

/** The records of a collection by its name. Throws a `PetstoreMockError` (`bad-collection`) for an unknown one. */
export function findPlace(world: World, name: string, within: readonly Key[]): RecordsPlace {
  const kept = findKept(world, name);
  if (kept.scope.length !== within.length) {
    const needed = kept.scope.length === 0 ? 'belongs to no record' : `belongs to ${kept.scope.join(' and ')}`;
    throw badCollection(`the collection ${name} ${needed}; \`within\` names ${within.length}.`);
  }
  const missing = findMissingParent(kept, within, world);
  if (missing !== undefined) throw badCollection(`${describeMissing(missing)}.`);
  return { world, kept, within, invalid: 'bad-record' };
}

const badCollection = (message: string): PetstoreMockError => new PetstoreMockError('bad-collection', message);

const SHOWN =
  'format enum const minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern default example readOnly writeOnly deprecated title description'.split(
    ' ',
  );

/** The schema of a collection's records in one piece: its properties in the order of the contract, without references. */
export function describeRecord({ schemaPointer }: Kept, contract: Contract): object {
  const { document } = contract;
  const properties = readProperties(document, schemaPointer);
  return {
    type: 'object',
    required: properties.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(properties.map((each) => [each.name, describeProperty(each, contract)])),
  };
}

function describeProperty({ schemaPointer }: Property, { document }: Contract): Record<string, unknown> {
  const types = readValueShape(document, schemaPointer, 0).types;
  const { rules } = mergeSchemas(document, readDialect(document.root), [schemaPointer]);
  const said = { ...readBesideNull(document, schemaPointer), ...rules };
  const shown = SHOWN.flatMap((name) => (said[name] === undefined ? [] : [[name, said[name]] as const]));
  return { ...(types.length === 0 ? {} : { type: types }), ...Object.fromEntries(shown) };
}

export function createPets(find: () => World): Pets {
  const pets = createRecords(() => {
    const world = find();
    const kept = findPets(world.contract);
    if (kept === undefined) throw new PetstoreMockError('bad-pet', 'the contract has no pets.');
    return { world, kept, within: [], invalid: 'bad-pet' };
  });
  return withoutPets(pets, () => findPets(find().contract) === undefined) as unknown as Pets;
}

function withoutPets(pets: Records<Fields>, hasNone: () => boolean): Records<Fields> {
  return {
    ...pets,
    list: async (filter) => (hasNone() ? [] : pets.list(filter)),
    get: async (key) => (hasNone() ? undefined : pets.get(key)),
    replace: async (records) => (hasNone() && records.length === 0 ? [] : pets.replace(records)),
    remove: async (key) => !hasNone() && pets.remove(key),
    clear: async () => (hasNone() ? undefined : pets.clear()),
    count: async () => (hasNone() ? 0 : pets.count()),
  };
}
