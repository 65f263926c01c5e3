import { expect, test } from 'vitest';
import type { StoredPet } from '../../../src/mock/store/pet.js';
import { ask, createTestWorld, outcome } from '../../support/test-world.js';

test('a page that is longer than a text can be is refused with what to do, and is no bug of the mock', () => {
  const world = createTestWorld();
  const [pet] = world.store.list({ order: 'newest-first' });
  if (pet === undefined) throw new Error('there is no pet');
  // Nobody writes these letters out: to ask for their number costs nothing.
  const long = { pet: pet.pet, text: 'x'.repeat(2 ** 28) } as unknown as StoredPet;
  world.store = { ...world.store, list: () => [long, long, long] };
  expect(outcome(ask(world, 'GET /v1/pets'))).toMatch(
    /^507 these 3 pets together are longer .*; ask for fewer with limit$/,
  );
  expect(world.journal.entries().at(-1)?.exchange.atFault).toBeUndefined();
});
