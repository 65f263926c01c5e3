import { actOn } from '../../contract/gaps/gaps.js';
import { profileOf } from '../../contract/gaps/profile-layers.js';
import type { Operation } from '../../contract/model.js';
import { nameInIds } from '../../contract/resources/plain-roles.js';
import { listOrder } from '../../mock/operations/lists/list-records.js';
import { keyOf, type Key } from '../../mock/store/keys.js';
import type { Kept } from '../../mock/store/kept.js';
import type { World } from '../../mock/world/world.js';

const MOST = 20;

/** The keys of the records that a path parameter selects, in the order of their list; of other parameters, none. */
export function findKeys(parameter: string, operation: Operation, world: World): Key[] {
  const { kept } = world.collections;
  const own = kept.find(({ operations }) => operations.some((each) => each.operation === operation));
  if (own === undefined) return [];
  if (own.key?.parameter === parameter) return listKeys(own, findParents(own, world), world);
  for (let at = parentOf(own, kept), below = own; at !== undefined; below = at, at = parentOf(at, kept))
    if (below.parent?.parameter === parameter) return listKeys(at, findParents(at, world), world);
  return [];
}

/** The first record at each level above a collection; `undefined` if one is missing. */
function findParents(kept: Kept, world: World): Key[] | undefined {
  if (kept.scope.length === 0) return [];
  const parent = parentOf(kept, world.collections.kept);
  const above = parent === undefined ? undefined : findParents(parent, world);
  const [first] = parent === undefined ? [] : listKeys(parent, above, world);
  return above === undefined || first === undefined ? undefined : [...above, first];
}

function parentOf({ parent }: Kept, all: readonly Kept[]): Kept | undefined {
  return parent === undefined ? undefined : all.find(({ name }) => name === parent.resource);
}

function listKeys(kept: Kept, within: readonly Key[] | undefined, { collections, profile }: World): Key[] {
  if (within === undefined || within.length !== kept.scope.length) return [];
  const collection = collections.open(kept, within);
  const order = actOn(profileOf(profile, nameInIds(kept)), 'list-order', listOrder);
  return collection.list({ order, limit: MOST }).flatMap(({ record }) => keyOf(record, collection.key) ?? []);
}
