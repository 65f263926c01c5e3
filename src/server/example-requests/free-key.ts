import { asObject } from '../../contract/document/plain.js';
import type { Operation } from '../../contract/model.js';
import type { Collections } from '../../mock/store/collections.js';
import type { Key } from '../../mock/store/keys.js';
import { toKey, type Kept } from '../../mock/store/kept.js';
import type { World } from '../../mock/world/world.js';
import { openIfFew } from './path-values.js';

/** A body that creates a record, with a key that no record has if it says one that is taken. */
export function giveFreeKey(
  { id }: Operation,
  body: unknown,
  { world: { collections }, values }: { world: World; values: Readonly<Record<string, unknown>> },
): unknown {
  for (const kept of collections.kept) {
    const role = kept.operations.find((each) => each.role === 'create' && each.operation.id === id);
    if (role === undefined || kept.key === undefined) continue;
    const within = kept.scope.map((name) => String(values[name]));
    return changeAt(body, role.requestMember ?? [], (record) => replaceKey(record, kept, { within, collections }));
  }
  return body;
}

type Fields = Record<string, unknown>;

function changeAt(body: unknown, [name, ...rest]: readonly string[], change: (record: Fields) => Fields): unknown {
  const fields = asObject(body);
  if (name === undefined) return change(fields);
  return { ...fields, [name]: changeAt(fields[name], rest, change) };
}

function replaceKey(
  record: Fields,
  kept: Kept,
  { within, collections }: { within: readonly Key[]; collections: Collections },
): Fields {
  const property = kept.key?.property ?? '';
  const said = Object.hasOwn(record, property) ? toKey(record[property], kept.key) : undefined;
  if (said === undefined) return record;
  openIfFew(kept, within, collections);
  const isFree = collections.isOpen(kept, within) && collections.open(kept, within).get(said) === undefined;
  return isFree ? record : { ...record, [property]: collections.foresee(kept, within, 'next') ?? said };
}
