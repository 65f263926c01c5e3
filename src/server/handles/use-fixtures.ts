import { PetstoreMockError } from '../../errors.js';
import type { FixtureOptions } from '../../mock/fixtures/load-fixtures.js';
import { prepareState } from '../../mock/store/memory-store.js';
import type { World } from '../../mock/world.js';
import { checkOptions } from '../check-options.js';

/** Has a world begin with another fixture pack, and brings its animals there. */
export function useFixtures({ store, readFixtures }: World, options: FixtureOptions): void {
  checkOptions(options, ['fixtures', 'seed', 'count']);
  const { animals, nextId } = readFixtures(options);
  if (animals.length > store.capacity) {
    throw new PetstoreMockError(
      'store-full',
      `the pack has ${animals.length} animals, and the store holds ${store.capacity}.`,
    );
  }
  store.begin(prepareState(animals, nextId));
}
