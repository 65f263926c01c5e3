import type { JsonObject, JsonValue } from './exact-json.js';

export const statuses = ['available', 'pending', 'sold'] as const;

/**
 * What the mutation server keeps of a pet. The fields are any JSON on purpose:
 * a broken server stores what it should have refused.
 */
export interface NewPet {
  readonly name: JsonValue;
  readonly categoryId: JsonValue;
  readonly status?: JsonValue;
  /** Fields beyond the interface, kept by some legal variants. */
  readonly extra?: JsonObject;
}

export interface Pet extends NewPet {
  readonly id: bigint;
  /** Milliseconds since the epoch; 0 for a pet that was there at the start. */
  readonly createdAt: number;
}

/** The pets of one mutation server, oldest first. */
export interface PetStore {
  readonly pets: Pet[];
}

/** More than a default page of available ones, some of each other status, and some without any. */
const statusCycle = 'available pending available sold available - available pending available'.split(' ');

const firstNames = 'Bella Charlie Luna Max Daisy Rocky Molly Buddy Lucy Jack'.split(' ');
const lastNames = 'Whiskers Paws Barkley Fluff Pepper'.split(' ');

/** The n-th pet of the collection that a mutation server starts with; the same at every start. */
export function makeSeedPet(index: number): Pet {
  const first = firstNames[index % firstNames.length] ?? '';
  const last = lastNames[Math.floor(index / firstNames.length) % lastNames.length] ?? '';
  const status = statusCycle[index % statusCycle.length] ?? '-';
  const pet = { id: BigInt(101 + index), name: `${first} ${last}`, categoryId: BigInt(1 + (index % 5)), createdAt: 0 };
  return status === '-' ? pet : { ...pet, status };
}

/** `count` pets in all states, oldest first. */
export function makeSeedPets(count = 45): Pet[] {
  return Array.from({ length: count }, (_, index) => makeSeedPet(index));
}

/** The same pets with some fields replaced. */
export function replaceFields(pets: readonly Pet[], replace: (pet: Pet, index: number) => Partial<Pet>): Pet[] {
  return pets.map((pet, index) => Object.assign({}, pet, replace(pet, index)));
}
