import { findPets } from '../../mock/store/kept.js';
import type { World } from '../../mock/world/world.js';

/** What a world begins with, for people: `50 pets`, or `4 collections, 200 records`. */
export function countRecords(world: World): string {
  const { kept } = world.collections;
  const pets = findPets(world.contract);
  if (kept.length === 1 && pets !== undefined) return count(countPets(world), 'pet');
  if (kept.length === 0) return 'no collections';
  return count(kept.length, 'collection');
}

/** How many pets there are. */
export function countPets(world: World): number {
  const pets = findPets(world.contract);
  return pets === undefined ? 0 : world.collections.open(pets).size;
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}
