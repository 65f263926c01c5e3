import { actOn } from '../../contract/gaps/gaps.js';
import { profileOf } from '../../contract/gaps/profile-layers.js';
import { nameInIds } from '../../contract/resources/plain-roles.js';
import { listOrder } from '../../mock/operations/lists/list-records.js';
import type { Collection } from '../../mock/store/collection.js';
import { keyOf } from '../../mock/store/keys.js';
import type { StoredRecord } from '../../mock/store/stored-record.js';
import type { World } from '../../mock/world/world.js';
import { findPlace } from '../handles/collections.js';

/** A page of records has an end, whatever is asked for: a collection may have a million. */
const MOST = 2000;
const MOST_USED = 100;

/** What the world keeps records of. */
export function describeCollections({ collections }: World): object[] {
  return collections.kept.map((kept) => ({
    name: kept.name,
    key: kept.key?.property,
    within: kept.scope,
    parent: kept.parent?.resource,
    create: kept.operations.find(({ role }) => role === 'create')?.operation.id,
    singular: kept.singular,
    count: kept.scope.length > 0 ? undefined : collections.open(kept).size,
    countAtStart: kept.scope.length > 0 ? undefined : collections.open(kept).startSize,
    used: collections
      .list()
      .filter((open) => open.kept === kept && open.within.length > 0)
      .slice(0, MOST_USED)
      .map(({ within }) => within.map(String)),
  }));
}

/** Some records of a collection with who made them, in the order in which the API lists them. Throws a `PetstoreMockError` where there is none. */
export function listRecords(world: World, asked: URLSearchParams): object {
  const { kept, within } = findPlace(world, asked.get('collection') ?? '', asked.getAll('within'));
  const collection = world.collections.open(kept, within);
  const order = actOn(profileOf(world.profile, nameInIds(kept)), 'list-order', listOrder);
  const limit = Math.min(MOST, readWhole(asked.get('limit'), MOST));
  const records = collection.list({ order, offset: readWhole(asked.get('offset'), 0), limit });
  return {
    total: collection.size,
    records: records.map((stored) => ({ record: stored.record, origin: findOrigin(stored, collection) })),
  };
}

function readWhole(text: string | null, otherwise: number): number {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : otherwise;
}

function findOrigin(stored: StoredRecord, collection: Collection): 'fixture' | 'changed' | 'client' {
  const key = keyOf(stored.record, collection.key);
  const start = key === undefined ? undefined : collection.atStart(key);
  if (start === undefined) return 'client';
  return start === stored || start.text === stored.text ? 'fixture' : 'changed';
}
