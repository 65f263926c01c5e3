import { readFileSync } from 'node:fs';

/** The animals that the mock starts with, newest first. */
export const animals = JSON.parse(
  readFileSync(new URL('../../fixtures/default.generated.json', import.meta.url), 'utf8'),
)
  .map((animal, index) => Object.assign({ id: index + 1 }, animal))
  .reverse();

/** A page of them, as a query asks for it. */
export function listAnimals(limit, status) {
  const found = status ? animals.filter((animal) => animal.status === status) : animals;
  return found.slice(0, Number(limit ?? 20));
}
