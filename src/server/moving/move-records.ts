import type { Contract } from '../../contract/contract.js';
import { formatPlace } from '../../errors.js';
import { keyOf, type Key } from '../../mock/store/keys.js';
import type { Kept } from '../../mock/store/kept.js';
import type { OpenCollection } from '../../mock/store/collections.js';
import type { World } from '../../mock/world/world.js';

/** A record that cannot be moved. */
export interface Dropped {
  /** `pets 7`. */
  record: string;
  /** The reason, with file and line, a sentence without a full stop. */
  why: string;
}

/** Moves the records that clients created to a world of another contract. */
export function moveRecords(before: World, after: World): { kept: number; dropped: Dropped[] } {
  const created = before.collections.list().flatMap(listCreated);
  const dropped = created.flatMap((each): Dropped[] => {
    const why = moveRecord(each, after);
    return why === undefined ? [] : [{ record: nameRecord(each.kept.name, each.key), why }];
  });
  return { kept: created.length - dropped.length, dropped };
}

interface Created extends Pick<OpenCollection, 'kept' | 'within'> {
  key: Key;
  record: object;
}

function listCreated({ kept, within, collection }: OpenCollection): Created[] {
  return collection.state().records.flatMap(({ record }) => {
    const key = keyOf(record, collection.key);
    return key === undefined || collection.atStart(key) !== undefined ? [] : [{ kept, within, key, record }];
  });
}

/** Why there is no place for a record; `undefined` if there is one. */
function moveRecord({ kept, within, key, record }: Created, { contract, collections }: World): string | undefined {
  const place = findPlace(kept, collections.kept);
  if (place === undefined) return tellNoPlace(kept, contract);
  const problem = findProblem(record, place, contract);
  if (problem !== undefined) return problem;
  const target = collections.open(place, within);
  const fields = record as Readonly<Record<string, unknown>>;
  const stored = target.get(key) === undefined ? target.add(fields) : target.change(fields);
  return stored === undefined ? target.describeFull() : undefined;
}

/** The new collection for the records of an old one. */
export function findPlace({ name, scope }: Kept, all: readonly Kept[]): Kept | undefined {
  return all.find((each) => each.name === name && each.scope.length === scope.length);
}

export function tellNoPlace({ name }: Kept, { document }: Contract): string {
  return `the contract no longer has ${name} (${formatPlace(document.placeOf('/paths'))})`;
}

/** How a record violates the contract, with the place; `undefined` if it does not. */
export function findProblem(record: object, { schemaPointer }: Kept, { validate }: Contract): string | undefined {
  const [violation] = validate.value(schemaPointer, record);
  if (violation === undefined) return undefined;
  return `${violation.message.replace(/^body\/?/, '')} (${formatPlace(violation.contract)})`;
}

function nameRecord(collection: string, key: Key): string {
  return key === '' ? collection : `${collection} ${key}`;
}
