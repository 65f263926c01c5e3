import { expect, test } from 'vitest';
import { findPets, type StoredRecord } from '../../../../src/mock/store/kept.js';
import { ask, createTestWorld, outcome } from '../../../support/test-world.js';

test('a page that is longer than a text can be is refused with what to do, and is no bug of the mock', () => {
  const world = createTestWorld();
  const pets = findPets(world.contract);
  const [pet] = pets === undefined ? [] : world.collections.open(pets).list({ order: 'newest-first' });
  if (pets === undefined || pet === undefined) throw new Error('there is no pet');
  // Nobody writes these letters out: to ask for their number costs nothing.
  const long = { record: pet.record, text: 'x'.repeat(2 ** 28) } as unknown as StoredRecord;
  world.collections.open(pets).list = () => [long, long, long];
  expect(outcome(ask(world, 'GET /v1/pets'))).toMatch(
    /^507 these 3 pets together are longer .*; ask for fewer with limit$/,
  );
  expect(world.journal.entries().at(-1)?.exchange.atFault).toBeUndefined();
});
