import { readOnce } from '../../contract/document/document.js';
import type { Contract } from '../../contract/contract.js';
import { findContent } from '../../contract/media-types.js';
import { INT64_MAX, INT64_MIN, normalizeInteger, type Int64, printJson } from '../../contract/document/json.js';
import { findResponse } from '../../contract/operations/operations.js';
import { resolveAt } from '../../contract/document/references.js';
import type { Property } from '../../contract/operations/properties.js';
import { inferResources } from '../../contract/resources/infer-resources.js';
import type { ParentRecord, RecordKey, RoleOperation } from '../../contract/resources/resource.js';
import { Decimal, isJsonNumber } from '../../contract/numbers/decimal.js';

/** A resource of which a world keeps records, or a singleton, which has one record without a key. */
export interface Kept {
  name: string;
  /** The name of one record: `pet`. */
  singular: string;
  /** `undefined` for a singleton. */
  itemPath: string | undefined;
  schemaPointer: string;
  /** The same schema, at an operation's answer: the build precompiles the validators of the shipped contract's answers. */
  answeredAt: string;
  /** `undefined` for a singleton. */
  key: RecordKey | undefined;
  /** The path parameters that select the collection, outermost first. */
  scope: readonly string[];
  parent: ParentRecord | undefined;
  assigned: readonly Property[];
  operations: readonly RoleOperation[];
  /** Whether they are pets, to which the petstore's gaps and the shipped fixture packs apply. */
  isPets: boolean;
}

export const listKept = readOnce((contract: Contract): readonly Kept[] => {
  const { resources, singletons } = inferResources(contract);
  const pets = resources.filter(({ singular, scope }) => singular.toLowerCase() === 'pet' && scope.length === 0);
  const own = pets.find(({ name }) => name === 'pets') ?? pets[0];
  const alone = { itemPath: undefined, key: undefined, assigned: [] };
  const all = [...resources, ...singletons.map((each) => Object.assign({}, each, { singular: each.name, ...alone }))];
  return all.map((each): Kept =>
    Object.assign({}, each, { isPets: each === own, answeredAt: findAnsweredAt(each, contract) }),
  );
});

function findAnsweredAt(
  { schemaPointer, operations }: Pick<Kept, 'schemaPointer' | 'operations'>,
  { document }: Contract,
): string {
  const settled = resolveAt(document, schemaPointer).pointer;
  const bare = operations.find(
    ({ success }) =>
      success.body === 'record' &&
      success.envelope === undefined &&
      success.recordPointer !== undefined &&
      resolveAt(document, success.recordPointer).pointer === settled,
  );
  const rule = bare === undefined ? undefined : findResponse(bare.operation, bare.success.status);
  return findContent(rule?.content ?? [], bare?.success.mediaType)?.schemaPointer ?? schemaPointer;
}

/** The pets of a contract; `undefined` if it has none. */
export function findPets(contract: Contract): Kept | undefined {
  return listKept(contract).find(({ isPets }) => isPets);
}

/** The key that a value in a request stands for; `undefined` if it can be none. */
export function toKey(value: unknown, key: RecordKey | undefined): Key | undefined {
  if (key === undefined) return ONLY;
  if (key.kind !== 'integer') {
    const isScalar = typeof value === 'string' || typeof value === 'boolean' || isJsonNumber(value);
    return isScalar ? String(value) : undefined;
  }
  if (typeof value === 'number') return Number.isInteger(value) ? value : undefined;
  if (typeof value === 'bigint') return normalizeInteger(value);
  if (typeof value !== 'string' || !/^-?\d{1,19}$/.test(value)) return undefined;
  const integer = BigInt(value);
  return integer > INT64_MAX || integer < INT64_MIN ? undefined : normalizeInteger(integer);
}

/** A record as the contract describes it, which may not have the key in it at all. */
export function withoutHidden<Of extends object>(record: Of, key: RecordKey | undefined): Of {
  return key?.isHidden === true ? omit(record, key.property) : record;
}

export function omit<Of extends object>(record: Of, name: string): Of {
  return Object.fromEntries(Object.entries(record).filter(([each]) => each !== name)) as Of;
}

export type Key = Int64 | string;

export interface KeyRule {
  /** `undefined` for a singleton, which needs no key. */
  property: string | undefined;
  /** The key at a place in the sequence; for integers, the place itself. */
  make(place: bigint): Key;
  /** Whether keys are integers, which are never reused. */
  isInteger: boolean;
}

export function integerKeys(property: string): KeyRule {
  return { property, make: normalizeInteger, isInteger: true };
}

/** The key of a record; `undefined` if it has none yet. */
export function keyOf(record: Fields, { property }: KeyRule): Key | undefined {
  return property === undefined ? ONLY : (record[property] as Key | undefined);
}

const ONLY = '';

/** A record with its key as the first property; `undefined` if no key is free. */
export function nameRecord(fields: Fields, rule: KeyRule, keys: KeySource): Fields | undefined {
  const { property } = rule;
  if (property === undefined) return fields;
  if (fields[property] !== undefined) return { [property]: fields[property], ...fields };
  const key = keys.next();
  if (key === undefined) return undefined;
  // An `undefined` key in the record would overwrite the new one.
  return { [property]: key, ...(property in fields ? omit(fields, property) : fields) };
}

export interface KeySource {
  /** A free key; `undefined` if there is none. */
  next(): Key | undefined;
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

export function firstFreePlace(records: readonly Fields[], rule: KeyRule): Int64 {
  if (!rule.isInteger) return records.length + 1;
  let highest: Int64 = 0;
  for (const record of records) {
    const key = keyOf(record, rule) as Int64 | undefined;
    if (key !== undefined && key > highest) highest = key;
  }
  return normalizeInteger(BigInt(highest) + 1n);
}

export type Fields = Readonly<Record<string, unknown>>;

/**
 * A record with its JSON text, so that a page is joined and not serialised again. It is frozen, and printed once, on
 * first use: text and value can never differ, and a record that nobody lists takes no room for text.
 */
export class StoredRecord {
  readonly record: Fields;
  #text: string | undefined;

  constructor(record: Fields) {
    this.record = Object.freeze(record);
  }

  get text(): string {
    return (this.#text ??= printJson(this.record));
  }
}

const OBJECT_BYTES = 64;
/** Two, since the JSON text of a listed record is kept beside it. */
const CHARACTER_BYTES = 2;

/** A rough upper estimate of the size of a JSON value in bytes. */
export function weigh(value: unknown): number {
  if (typeof value === 'string') return CHARACTER_BYTES * value.length;
  if (value instanceof Decimal) return OBJECT_BYTES + CHARACTER_BYTES * value.digits.digits.length;
  if (typeof value !== 'object' || value === null) return 0;
  let bytes = OBJECT_BYTES;
  for (const name in value) bytes += 8 + weigh((value as Record<string, unknown>)[name]);
  return bytes;
}
