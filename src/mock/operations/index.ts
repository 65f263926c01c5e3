import { createPet } from './create-pet.js';
import { getPet } from './get-pet.js';
import type { Handler } from '../world/world.js';
import { listPets } from './list-pets.js';

/** What answers each operation, by `operationId`. */
export const handlers: Readonly<Record<string, Handler>> = { listPets, createPet, getPet };
