import { PetstoreMockError } from '../../errors.js';
import { runInTurns } from '../../mock/fixtures/fixtures.js';
import type { World } from '../../mock/world/world.js';
import type { Snapshots } from '../petstore-world.js';
import type { FixtureOptions } from '../../mock/fixtures/load-fixtures.js';
import type { Collections, CollectionsState } from '../../mock/store/collections.js';
import { storeFull } from './records.js';
import { checkOptions, OF_EVERY_PETSTORE } from '../../options/petstore-options.js';

const MAX_SNAPSHOTS = 100;

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export function createSnapshots(find: () => World): Snapshots {
  return {
    async save(name) {
      const { snapshots, collections } = find();
      checkName(name);
      if (!snapshots.has(name) && snapshots.names().length >= MAX_SNAPSHOTS) {
        throw badSnapshot(`there are ${MAX_SNAPSHOTS} snapshots already; remove one first.`);
      }
      if (!snapshots.save(name, collections.state())) throw collectionsFull(collections);
    },
    async restore(name) {
      const { snapshots, collections } = find();
      const state = snapshots.get(name);
      if (state === undefined) {
        const names = snapshots.names();
        throw badSnapshot(
          `there is no snapshot ${name}; there ${names.length === 0 ? 'is none' : `are ${names.join(', ')}`}.`,
        );
      }
      if (!collections.fits(state)) throw collectionsFull(collections, state);
      collections.restore(state);
    },
    list: async () => find().snapshots.names(),
    remove: async (name) => find().snapshots.remove(name),
    async export() {
      const { printPack } = await import('../../mock/fixtures/pack-text.js');
      const { collections } = find();
      // Collections that were never used are part of the state as well.
      for (const kept of collections.kept) if (kept.scope.length === 0) collections.open(kept);
      return printPack(collections.state());
    },
    async load(pack, { name: shownAs = 'pack', start = false } = {}) {
      const { loadPack } = await import('../../mock/fixtures/pack-text.js');
      const { collections, contract, startsOf } = find();
      const checked = (records: number, name?: string): void => checkRoom(records, collections, name);
      const steps = loadPack(pack, contract, checked, shownAs);
      const starts = startsOf(await runInTurns(steps));
      if (!collections.fits(starts.ready)) throw collectionsFull(collections, starts.ready);
      if (start) collections.begin(starts);
      else collections.restore(starts.ready);
    },
  };
}

function checkName(name: string): void {
  if (typeof name === 'string' && NAME.test(name)) return;
  throw badSnapshot(
    'a name must have up to 64 letters, digits, dots, dashes and underscores, and begin with a letter or a digit.',
  );
}

function badSnapshot(message: string): PetstoreMockError {
  return new PetstoreMockError('bad-snapshot', message);
}

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
function checkRoom(records: number, { capacity }: Collections, name: string = 'pets'): void {
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
