import { PetstoreMockError } from '../../errors.js';
import { runInTurns } from '../../mock/fixtures/in-steps.js';
import type { FixtureOptions } from '../../mock/fixtures/load-fixtures.js';
import { prepareState } from '../../mock/store/memory-store.js';
import type { PetStore } from '../../mock/store/pet-store.js';
import type { World } from '../../mock/world/world.js';
import { storeFull } from './pets.js';
import { checkOptions, OF_EVERY_PETSTORE } from '../../options/petstore-options.js';

const { fixtures, seed, count } = OF_EVERY_PETSTORE;

/** Has a world begin with another fixture pack, and brings its pets there. */
export async function useFixtures(
  { store, readFixtures }: World,
  options: Pick<FixtureOptions, 'fixtures' | 'seed' | 'count'>,
): Promise<void> {
  checkOptions(options, { fixtures, seed, count });
  const steps = readFixtures({ ...options, checkRoom: (pets) => checkRoom(pets, store) });
  const { pets, nextId } = await runInTurns(steps);
  const state = prepareState(pets, nextId);
  if (!store.fits(state)) throw storeFull(store);
  store.begin(state);
}

/** Throws a `PetstoreMockError` (`store-full`) when a pack has more pets than a store holds. */
export function checkRoom(pets: number, { capacity }: PetStore): void {
  if (pets <= capacity) return;
  throw new PetstoreMockError('store-full', `the pack has ${pets} pets, but the store only holds ${capacity}.`);
}
