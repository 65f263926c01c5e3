import { createHash } from 'node:crypto';
import type { Contract } from '../../contract/contract.js';
import {
  normalizeInteger,
  INT64_MAX,
  INT64_MIN,
  type Int64,
  printJson,
  Decimal,
  isJsonNumber,
} from '../../contract/document/json.js';
import { asObject } from '../../contract/document/plain.js';
import { resolveAt } from '../../contract/document/references.js';
import { readValueShape, readProperties, type Property } from '../../contract/operations/properties.js';
import { sampleValue } from '../../contract/samples/sample.js';
import { readTemplate, type Segment } from '../../contract/operations/match.js';
import { readOnce } from '../../contract/document/document.js';
import { plainName, isAnyKeyName } from '../../contract/resources/words.js';
import { findContent } from '../../contract/media-types.js';
import { findResponse } from '../../contract/operations/operations.js';
import { inferResources } from '../../contract/resources/infer-resources.js';
import type { ParentRecord, RecordKey, RoleOperation } from '../../contract/resources/resource.js';

export interface Kept {
  name: string;
  singular: string;
  itemPath: string | undefined;
  schemaPointer: string;
  /** The same schema, at an operation's answer: the build precompiles the validators of the shipped contract's answers. */
  answeredAt: string;
  key: RecordKey | undefined;
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

export const findPets = (contract: Contract): Kept | undefined => listKept(contract).find(({ isPets }) => isPets);

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
export const withoutHidden = <Of extends object>(record: Of, key: RecordKey | undefined): Of =>
  key?.isHidden === true ? omit(record, key.property) : record;

export const omit = <Of extends object>(record: Of, name: string): Of =>
  Object.fromEntries(Object.entries(record).filter(([each]) => each !== name)) as Of;

export type Key = Int64 | string;

export interface KeyRule {
  property: string | undefined;
  /** The key at a place in the sequence; for integers, the place itself. */
  make(place: bigint): Key;
  isInteger: boolean;
}

export const integerKeys = (property: string): KeyRule => ({ property, make: normalizeInteger, isInteger: true });

export const keyOf = (record: Fields, { property }: KeyRule): Key | undefined =>
  property === undefined ? ONLY : (record[property] as Key | undefined);

const ONLY = '';

export function nameRecord(fields: Fields, rule: KeyRule, keys: KeySource): Fields | undefined {
  const { property } = rule;
  if (property === undefined) return fields;
  if (fields[property] !== undefined) return { [property]: fields[property], ...fields };
  const key = keys.next();
  if (key === undefined) return undefined;
  // An `undefined` key in the record would overwrite the new one.
  return { [property]: key, ...(property in fields ? omit(fields, property) : fields) };
}

export type KeySource = { next(): Key | undefined; upcoming(): Int64; goOnAt(place: Int64): void };

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

/** A frozen record with its JSON text, printed once, on first use: a page is joined and not serialised again. */
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

/** How the keys of a collection are made; `within` are the keys of its parents, outermost first. Default: none. */
export type KeyRules = (kept: Kept, within?: readonly Key[]) => KeyRule;

/** How keys are made for a contract's records: the same ones at every start with the same seed. */
export function makeKeyRules(contract: Contract, seed: number): KeyRules {
  const known = new Map<string, KeyRule>();
  return (kept, within = []) => {
    // A UUID is unique everywhere (RFC 9562 section 2.1): below each parent, others are made.
    const isOwn = kept.key?.kind === 'uuid' && within.length > 0;
    if (isOwn) return makeKeyRule(kept, contract, [seed, kept.name, ...within]);
    const rule = known.get(kept.name) ?? makeKeyRule(kept, contract, [seed, kept.name]);
    known.set(kept.name, rule);
    return rule;
  };
}

function makeKeyRule(kept: Kept, contract: Contract, of: readonly (Key | string)[]): KeyRule {
  const { key } = kept;
  if (key === undefined) return { property: undefined, make: normalizeInteger, isInteger: true };
  const { property, kind, schemaPointer } = key;
  if (kind === 'integer') return { property, make: normalizeInteger, isInteger: true };
  if (kind === 'uuid') {
    // In the form of version 4 (RFC 9562 section 5.4).
    const make = (place: bigint): Key => {
      const hex = digest([...of, place].join(' '));
      const variant = ((parseInt(hex[16] ?? '0', 16) & 3) | 8).toString(16);
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
    };
    return { property, make, isInteger: false };
  }
  let made: MakeKey | undefined;
  const make = (): MakeKey => (made ??= keepApart(findMaker(schemaPointer, kept, contract, of)));
  return { property, make: (place) => make()(place), isInteger: false };
}

type MakeKey = (place: bigint) => Key;

const KEPT_APART = 10_000n;
const MOST_TRIED = 100n;

function keepApart(make: MakeKey): MakeKey {
  const made: Key[] = [];
  const known = new Set<Key>();
  const makeNext = (place: bigint): Key => {
    for (let tries = 0n; tries < MOST_TRIED; tries += 1n) {
      const key = make(place + tries * KEPT_APART);
      if (!known.has(key)) return key;
    }
    return make(place);
  };
  return (place) => {
    if (place < 1n || place > KEPT_APART) return make(place);
    while (made.length < place) {
      const key = makeNext(BigInt(made.length + 1));
      known.add(key);
      made.push(key);
    }
    return made[Number(place) - 1] as Key;
  };
}

const TRIED = [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n];

function findMaker(pointer: string, kept: Kept, contract: Contract, of: readonly (Key | string)[]): MakeKey {
  const { key, singular, operations, itemPath } = kept;
  const { document } = contract;
  const parameters = operations.flatMap(({ operation }) => operation.parameters);
  const inPath = parameters.find((each) => each.in === 'path' && each.name === key?.parameter)?.schemaPointer;
  // `/orders/{id}/lines/{lineId}` has the key of an order, whatever the parameter is called there.
  const own = itemPath === undefined ? [] : readTemplate(itemPath);
  const isParameter = (each: Segment | undefined): boolean => each?.names.length === 1 && each.pattern === undefined;
  const inPaths = contract.operations.flatMap(({ path, parameters: those }) => {
    const there = readTemplate(path);
    const isBelow = own.every(
      (each, index) => each.text === there[index]?.text || (isParameter(each) && isParameter(there[index])),
    );
    const name = isBelow ? there[own.length - 1]?.names[0] : undefined;
    return those.find((each) => each.in === 'path' && each.name === name)?.schemaPointer ?? [];
  });
  const named = readNamed(contract);
  const byName = namesOf(kept).flatMap((name) => named.get(name) ?? []);
  const referring = [...new Set([...inPaths, ...byName])];
  // If a key is a text in a record and an integer in a path, the text must be an integer.
  const inPathAs = inPath === undefined ? '' : readValueShape(document, inPath, 0).types.join();
  if (inPathAs === 'integer' || inPathAs === 'number') return String;
  const schema = asObject(resolveAt(document, pointer).value);
  const example = [schema['example'], schema['examples']].flat().find((each) => typeof each === 'string');
  const hash = (place: bigint): string => digest([...of, place].join(' '));
  const mixed = (place: bigint): Key => vary(String(example), place, hash(place));
  // A word stays readable; anything else gets other letters and digits.
  const isWord = /^(?!.{25})\p{L}[\p{Ll}-]*(?:\p{Lu}\p{Ll}+)*$/u.test(example ?? '');
  const mark = example?.includes('-') === true ? '-' : '';
  const [least, most] = [Number(schema['minLength'] ?? 0), Number(schema['maxLength'] ?? 64)];
  const length = Math.max(least, Math.min(most, 12));
  const word = singular.replace(/[^A-Za-z0-9]+/g, '-').toLowerCase();
  const places = inPath === undefined ? [pointer] : [pointer, inPath];
  const makers: MakeKey[] = [
    ...(isWord ? [(place: bigint) => `${example}${mark}${place}`] : []),
    ...(example === undefined || example === '' ? [] : [mixed]),
    ...(schema['pattern'] === undefined ? [(place: bigint) => `${word}-${place}`] : []),
    (place) => hash(place).slice(0, length),
    ...[...places, ...referring].map(
      (at) => (place: bigint) =>
        sampleValue(document, at, { index: Number(place), generated: true, isKey: true }) as Key,
    ),
    // A text that must be a number somewhere.
    String,
  ];
  const isAllowed = (each: Key, at: string): boolean => {
    const types = readValueShape(document, at, 0).types.join();
    const isInteger = (types === 'integer' || types === 'number') && /^[1-9]\d{0,14}$/.test(String(each));
    return contract.validate.value(at, isInteger ? Number(each) : each).length === 0;
  };
  const makeFor = (all: readonly string[]): MakeKey | undefined =>
    makers.find((make) => {
      const made = TRIED.map(make);
      const areKeys = made.every((each) => all.every((at) => isAllowed(each, at)));
      return areKeys && new Set(made).size === made.length;
    });
  return makeFor([...places, ...referring]) ?? makeFor(places) ?? ((place) => `${word}-${place}`);
}

function vary(example: string, place: bigint, hash: string): string {
  const [, head = '', digits] = /^(.*?)(\d+)$/.exec(example) ?? [];
  const mixed = digits === undefined || /[a-z]\d*[a-z]/i.test(example.slice(head.lastIndexOf('_') + 1));
  if (!mixed && digits !== undefined && digits.length < 16)
    return `${head}${String(BigInt(digits) + place - 1n).padStart(digits.length, '0')}`;
  // A word before a separator is a prefix that stays: `cus_`, `ord-`.
  const [prefix = ''] = /^[A-Za-z]+[_-]/.exec(example) ?? [];
  const isHex = /^(?=.*[a-f])[\da-f]+$/i.test(example.slice(prefix.length));
  const rest = Array.from(example.slice(prefix.length), (sign, index) => {
    const digit = hash[index % hash.length] ?? '0';
    const value = parseInt(digit, 16);
    if (isHex) return sign === sign.toUpperCase() && /[A-F]/.test(sign) ? digit.toUpperCase() : digit;
    if (/\d/.test(sign)) return String(value % 10);
    if (!/[a-z]/i.test(sign)) return sign;
    return String.fromCharCode((/[a-z]/.test(sign) ? 97 : 65) + ((value * 7 + index) % 26));
  });
  return `${prefix}${rest.join('')}`;
}

export const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** What a property with the key of another record is called: `petId`, `pet_uuid`; or like the record, if its key is not a word. */
export function namesOf({ singular, key, scope }: Kept): string[] {
  if (key === undefined || scope.length > 0) return [];
  const word = plainName(singular);
  return [`${word}id`, `${word}${plainName(key.property)}`, ...(key.kind === 'text' ? [] : [word])];
}

const readNamed = readOnce((contract: Contract): ReadonlyMap<string, readonly string[]> => {
  const named = new Map<string, string[]>();
  const add = (name: string, pointer: string | undefined): void => {
    if (pointer !== undefined) named.set(plainName(name), [...(named.get(plainName(name)) ?? []), pointer]);
  };
  for (const { parameters } of contract.operations) {
    for (const { name, schemaPointer } of parameters) add(name, schemaPointer);
  }
  const kept = listKept(contract);
  const sent = kept.flatMap(({ operations }) => operations.flatMap(({ requestPointer }) => requestPointer ?? []));
  for (const pointer of new Set([...kept.map(({ schemaPointer }) => schemaPointer), ...sent])) {
    for (const { name, schemaPointer } of readProperties(contract.document, pointer)) add(name, schemaPointer);
  }
  return named;
});

type PathField = { property: string; schemaPointer: string; index: number };

const readFields = readOnce((_contract: Contract) => new Map<Kept, readonly PathField[]>());

export function describeByPath(kept: Kept, within: readonly Key[], contract: Contract): Fields {
  if (kept.scope.length === 0) return NOTHING;
  const known = readFields(contract);
  const fields = known.get(kept) ?? listFields(kept, contract);
  known.set(kept, fields);
  return Object.fromEntries(
    fields.map(({ property, schemaPointer, index }) => [property, fitKey(within[index], schemaPointer, contract)]),
  );
}

const NOTHING: Fields = Object.freeze({});

function listFields({ scope, schemaPointer: record, key, parent }: Kept, { document }: Contract): PathField[] {
  const properties = readProperties(document, record).filter(({ name, schemaPointer }) => {
    const { types } = readValueShape(document, schemaPointer, 0);
    return name !== key?.property && !types.some((type) => NO_KEYS.has(type));
  });
  const at = ({ name: property, schemaPointer }: Property, index: number) => ({ property, schemaPointer, index });
  const ofParent = properties.filter(({ name }) => name === parent?.property).map((each) => at(each, scope.length - 1));
  const named = scope.flatMap((parameter, index) => {
    const own = properties.find(({ name }) => name === parameter);
    const found = own ?? properties.find(({ name }) => plainName(name) === plainName(parameter));
    return found === undefined || isAnyKeyName(parameter) ? [] : [at(found, index)];
  });
  return [...ofParent, ...named];
}

const NO_KEYS: ReadonlySet<string> = new Set(['object', 'array', 'boolean']);

/** A key as the property has it, where that has a number for what is a text in a path, or the other way round. */
export function fitKey(key: unknown, at: string | undefined, { validate }: Contract): unknown {
  if (at === undefined || validate.value(at, key).length === 0) return key;
  const other = typeof key === 'string' && /^[1-9]\d{0,14}$/.test(key) ? Number(key) : String(key);
  return validate.value(at, other).length === 0 ? other : key;
}
