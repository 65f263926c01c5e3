import { toKey } from '../../mock/store/kept.js';
import type { CollectionsState, Starts } from '../../mock/store/collections.js';
import type { World } from '../../mock/world/world.js';
import { PetstoreMockError } from '../../errors.js';
import { findPlace } from '../handles/collections.js';
import { collectionsFull } from '../handles/use-fixtures.js';

/** What there was before something was done on the page. */
interface Before {
  id: number;
  starts: Starts;
  records: CollectionsState;
  snapshots: ReadonlyMap<string, CollectionsState>;
}

/** Of each world the last one, as long as there is the world; the records are shared with it. */
const kept = new WeakMap<World, Before>();
let last = 0;

/** Remembers what there is, so that the next thing done can be undone. Returns the id to undo it by. */
export function keepForUndo(world: World): object {
  const { collections, snapshots } = world;
  const named = snapshots.names().map((name) => [name, snapshots.get(name) ?? []] as const);
  // Collections that nobody has used yet are part of what there is.
  for (const each of collections.kept) if (each.scope.length === 0) collections.open(each);
  last += 1;
  kept.set(world, { id: last, starts: collections.starts, records: collections.state(), snapshots: new Map(named) });
  return { id: last };
}

/** Goes back to what there was: for one record, for one snapshot, or for all records and what they begin with. Throws a `PetstoreMockError` if that is impossible. */
export function undo(world: World, asked: URLSearchParams): object {
  const before = kept.get(world);
  if (before === undefined || String(before.id) !== asked.get('id'))
    throw impossible('something else has changed since, or the mock was restarted');
  const [collection, snapshot] = [asked.get('collection'), asked.get('snapshot')];
  if (collection !== null) putRecordBack(world, before, { collection, asked });
  else if (snapshot !== null) putSnapshotBack(world, before, snapshot);
  else putAllBack(world, before);
  kept.delete(world);
  return {};
}

/** Makes the records those of the start, and leaves everything else. */
export function resetRecords({ collections, repeats }: World): object {
  collections.reset();
  repeats.clear();
  return {};
}

function putAllBack({ collections }: World, { starts, records }: Before): void {
  if (!collections.fits(records)) throw collectionsFull(collections, records);
  if (collections.starts !== starts) collections.begin(starts);
  collections.restore(records);
}

function putRecordBack(
  world: World,
  { records }: Before,
  { collection, asked }: { collection: string; asked: URLSearchParams },
): void {
  const { kept: of, within } = findPlace(world, collection, asked.getAll('within'));
  const key = toKey(asked.get('key') ?? '', of.key);
  if (key === undefined || !world.collections.putBack(records, of, within, key))
    throw impossible(`a ${of.singular} with this key exists again, or the store is full`);
}

function putSnapshotBack({ snapshots }: World, before: Before, name: string): void {
  const state = before.snapshots.get(name);
  if (state === undefined || snapshots.has(name)) throw impossible(`a snapshot ${name} exists again`);
  if (!snapshots.save(name, state)) throw impossible('there is no room for the snapshot');
}

function impossible(why: string): PetstoreMockError {
  return new PetstoreMockError('bad-snapshot', `this cannot be undone: ${why}.`);
}
