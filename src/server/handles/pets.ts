import { PetstoreMockError } from '../../errors.js';
import { findPets } from '../../mock/store/kept.js';
import type { World } from '../../mock/world/world.js';
import type { Fields } from '../../mock/store/stored-record.js';
import type { Pets } from '../petstore-world.js';
import type { Records } from '../records.js';
import { createRecords } from './records.js';

/** The pets of a world; none if its contract has no pets. */
export function createPets(find: () => World): Pets {
  const pets = createRecords(() => {
    const world = find();
    const kept = findPets(world.contract);
    if (kept === undefined) throw new PetstoreMockError('bad-pet', 'the contract has no pets.');
    return { world, kept, within: [], invalid: 'bad-pet' };
  });
  return withoutPets(pets, () => findPets(find().contract) === undefined) as unknown as Pets;
}

function withoutPets(pets: Records<Fields>, hasNone: () => boolean): Records<Fields> {
  return {
    ...pets,
    list: async (filter) => (hasNone() ? [] : pets.list(filter)),
    get: async (key) => (hasNone() ? undefined : pets.get(key)),
    replace: async (records) => (hasNone() && records.length === 0 ? [] : pets.replace(records)),
    remove: async (key) => !hasNone() && pets.remove(key),
    clear: async () => (hasNone() ? undefined : pets.clear()),
    count: async () => (hasNone() ? 0 : pets.count()),
  };
}
