import type { JsonObject, JsonValue } from './exact-json.js';

export const statuses = ['available', 'pending', 'sold'] as const;
export type Status = (typeof statuses)[number];

/**
 * What the opponent keeps of an animal. The fields are any JSON on purpose:
 * a faulty server stores what it should have refused.
 */
export interface NewAnimal {
  readonly name: JsonValue;
  readonly categoryId: JsonValue;
  readonly status?: JsonValue;
  /** Fields beyond the interface, kept by some legal variants. */
  readonly extra?: JsonObject;
}

export interface Animal extends NewAnimal {
  readonly id: bigint;
  /** Milliseconds since the epoch; 0 for an animal that was there at the start. */
  readonly createdAt: number;
}

/** The animals of one opponent, oldest first. */
export interface AnimalStore {
  readonly animals: Animal[];
}

/** More than a default page of available ones, some of each other status, and some without any. */
const statusCycle: readonly (Status | undefined)[] = [
  'available',
  'pending',
  'available',
  'sold',
  'available',
  undefined,
  'available',
  'pending',
  'available',
];

const firstNames = ['Bella', 'Charlie', 'Luna', 'Max', 'Daisy', 'Rocky', 'Molly', 'Buddy', 'Lucy', 'Jack'];
const lastNames = ['Whiskers', 'Paws', 'Barkley', 'Fluff', 'Pepper'];

/** The n-th animal of the collection that an opponent starts with; the same at every start. */
export function makeSeedAnimal(index: number): Animal {
  const first = firstNames[index % firstNames.length] ?? '';
  const last = lastNames[Math.floor(index / firstNames.length) % lastNames.length] ?? '';
  const status = statusCycle[index % statusCycle.length];
  return {
    id: BigInt(101 + index),
    name: `${first} ${last}`,
    categoryId: BigInt(1 + (index % 5)),
    ...(status === undefined ? {} : { status }),
    createdAt: 0,
  };
}

/** `count` animals in all states, oldest first. */
export function makeSeedAnimals(count = 45): Animal[] {
  return Array.from({ length: count }, (_, index) => makeSeedAnimal(index));
}

/** The same animals with some fields replaced. */
export function replaceFields(
  animals: readonly Animal[],
  replace: (animal: Animal, index: number) => Partial<Animal>,
): Animal[] {
  const replaced: Animal[] = [];
  for (const [index, animal] of animals.entries()) replaced.push({ ...animal, ...replace(animal, index) });
  return replaced;
}
