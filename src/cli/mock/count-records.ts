import type { Fixtures } from '../../mock/fixtures/fixtures.js';
import { findPets } from '../../mock/store/kept.js';
import type { World } from '../../mock/world/world.js';

/**
 * What a world begins with, for people: `50 pets`, or `4 collections, 200 records`; some of them are generated only on
 * request.
 */
export function countRecords(world: World, fixtures: Pick<Fixtures, 'others' | 'models'>): string {
  const { others = 0 } = fixtures;
  const { kept } = world.collections;
  const pets = findPets(world.contract);
  if (kept.length === 1 && pets !== undefined) return count(countPets(world, fixtures), 'pet');
  if (kept.length === 0) return 'no collections';
  // Nobody knows how many records belong to one record before a client asks for them.
  const generated = kept.filter((each) => each !== pets && each.scope.length === 0);
  const records = generated.reduce((sum, { key }) => sum + (key === undefined ? Math.min(others, 1) : others), 0);
  return `${count(kept.length, 'collection')}, ${count(countPets(world, fixtures) + records, 'record')}`;
}

/** The number of pets, including those that are generated only on request. */
export function countPets(world: World, { models }: Pick<Fixtures, 'models'>): number {
  const pets = findPets(world.contract);
  if (pets !== undefined && models !== undefined) return models.length;
  return pets === undefined ? 0 : world.collections.open(pets).size;
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}
