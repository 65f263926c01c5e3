import { pets as shipped } from '../pets.mjs';

/** What a server without a contract does for each operation; nothing is checked. */
export function createPetstore() {
  const pets = [...shipped];
  const byId = new Map(pets.map((pet) => [pet.id, pet]));
  return {
    /** Newest first. */
    list(limit, status) {
      const page = [];
      for (let at = pets.length - 1; at >= 0 && page.length < Number(limit ?? 20); at--) {
        if (!status || pets[at].status === status) page.push(pets[at]);
      }
      return page;
    },
    get: (id) => byId.get(Number(id)),
    add(sent) {
      const pet = Object.assign({ id: pets.length + 1 }, sent);
      pets.push(pet);
      byId.set(pet.id, pet);
      return pet;
    },
  };
}
