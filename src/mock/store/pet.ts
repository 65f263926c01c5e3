import { printJson, type Int64 } from '../../contract/document/json.js';

/** A pet as a client sends it (`#/components/schemas/NewPet`). */
export interface NewPet {
  /** No length or format limit is shown. */
  name: string;
  categoryId: Int64;
  /** One of the contract's statuses; a pet may have none. */
  status?: string;
}

/** A pet as the service returns it (`#/components/schemas/Pet`). */
export interface Pet extends NewPet {
  /** Unique, assigned by the service. */
  id: Int64;
}

/**
 * A pet with its JSON text, so that a page is joined and not serialised
 * anew. It is frozen, and printed once, when it is first asked for: text and
 * value can never differ, and what nobody lists takes no room.
 */
export class StoredPet {
  readonly pet: Readonly<Pet>;
  #text: string | undefined;

  constructor(pet: Pet) {
    this.pet = Object.freeze(pet);
  }

  get text(): string {
    return (this.#text ??= printJson(this.pet));
  }
}
