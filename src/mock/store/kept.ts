import { readOnce } from '../../contract/document/document.js';
import type { Contract } from '../../contract/contract.js';
import { findContent } from '../../contract/media-types.js';
import { INT64_MAX, INT64_MIN, normalizeInteger } from '../../contract/document/json.js';
import { findResponse } from '../../contract/operations/operations.js';
import { resolveAt } from '../../contract/document/references.js';
import type { Property } from '../../contract/operations/properties.js';
import { inferResources } from '../../contract/resources/infer-resources.js';
import type { ParentRecord, RecordKey, RoleOperation } from '../../contract/resources/resource.js';
import { ONLY, type Key } from './keys.js';
import { isJsonNumber, type JsonNumber } from '../../contract/numbers/decimal.js';

/** A resource of which a world keeps records, or a singleton, which has one record without a key. */
export interface Kept {
  /** Unique in the contract. */
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

/** Everything of which a world keeps records for a contract. */
export const listKept = readOnce(readKept);

function readKept(contract: Contract): readonly Kept[] {
  const { resources, singletons } = inferResources(contract);
  const pets = resources.filter(({ singular, scope }) => singular.toLowerCase() === 'pet' && scope.length === 0);
  const own = pets.find(({ name }) => name === 'pets') ?? pets[0];
  const several = resources.map((each): Kept =>
    Object.assign({}, each, { isPets: each === own, answeredAt: findAnswer(each, contract) }),
  );
  const single = singletons.map((each): Kept =>
    Object.assign({}, each, {
      singular: each.name,
      itemPath: undefined,
      key: undefined,
      assigned: [],
      isPets: false,
      answeredAt: findAnswer(each, contract),
    }),
  );
  return [...several, ...single];
}

function findAnswer(
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
  if (key.kind !== 'integer') return isScalar(value) ? String(value) : undefined;
  if (typeof value === 'number') return Number.isInteger(value) ? value : undefined;
  if (typeof value === 'bigint') return normalizeInteger(value);
  if (typeof value !== 'string' || !/^-?\d{1,19}$/.test(value)) return undefined;
  const integer = BigInt(value);
  return integer > INT64_MAX || integer < INT64_MIN ? undefined : normalizeInteger(integer);
}

/** A record as the contract describes it, which may not have the key in it at all. */
export function withoutHidden<Of extends object>(record: Of, key: RecordKey | undefined): Of {
  if (key?.isHidden !== true) return record;
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key.property)) as Of;
}

function isScalar(value: unknown): value is string | boolean | JsonNumber {
  return typeof value === 'string' || typeof value === 'boolean' || isJsonNumber(value);
}
