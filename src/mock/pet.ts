import { printJson, type Int64 } from '../contract/json.js';

/** An animal as a client sends it (interface, section 2). */
export interface NewPet {
  /** No length or format limit is shown. */
  name: string;
  categoryId: Int64;
  /** One of the contract's statuses; an animal may have none. */
  status?: string;
}

/** An animal as the service returns it (interface, section 2). */
export interface Pet extends NewPet {
  /** Unique, assigned by the service. */
  id: Int64;
}

/** An animal with its JSON text, so that a page is joined and not serialised anew. */
export interface StoredPet {
  readonly pet: Readonly<Pet>;
  readonly text: string;
}

/** Freezes an animal and prints it once: text and value can never differ. */
export function storePet(pet: Pet): StoredPet {
  return { pet: Object.freeze(pet), text: printJson(pet) };
}
