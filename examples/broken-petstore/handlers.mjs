// A defect on purpose: the list ignores its filter by status.
export function listPets({ collection, query }) {
  const pets = collection('pets').list();
  return { body: pets.slice(0, Number(query.limit ?? 20)) };
}
