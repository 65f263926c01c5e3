import { PetstoreMockError } from '../../errors.js';
import { runInTurns } from '../../mock/fixtures/in-steps.js';
import type { FixtureOptions } from '../../mock/fixtures/load-fixtures.js';
import type { Collections, CollectionsState } from '../../mock/store/collections.js';
import type { World } from '../../mock/world/world.js';
import { storeFull } from './records.js';
import { checkOptions, OF_EVERY_PETSTORE } from '../../options/petstore-options.js';

const { fixtures, seed, count } = OF_EVERY_PETSTORE;

/** Changes a world's start to another fixture pack, and replaces its records. */
export async function useFixtures(
  { collections, readFixtures, startsOf }: World,
  options: Pick<FixtureOptions, 'fixtures' | 'seed' | 'count'>,
): Promise<void> {
  checkOptions(options, { fixtures, seed, count });
  const steps = readFixtures({ ...options, checkRoom: (records, name) => checkRoom(records, collections, name) });
  const starts = startsOf(await runInTurns(steps));
  if (!collections.fits(starts.ready)) throw collectionsFull(collections, starts.ready);
  collections.begin(starts);
}

/** Throws a `PetstoreMockError` (`store-full`) if a pack has more records than a collection can hold. */
export function checkRoom(records: number, { capacity }: Collections, name: string = 'pets'): void {
  if (records <= capacity) return;
  throw new PetstoreMockError('store-full', `the pack has ${records} ${name}, but the store only holds ${capacity}.`);
}

/** The records that do not fit. */
export function collectionsFull(collections: Collections, state: CollectionsState = []): PetstoreMockError {
  const over = state.find((each) => each.state.records.length > collections.capacity);
  const named = over ?? collections.list()[0];
  if (named === undefined) return new PetstoreMockError('store-full', 'there is no room.');
  return storeFull(collections.open(named.kept, named.within), over?.state.records.length);
}
