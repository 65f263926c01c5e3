import { keyOfJson } from '../../contract/document/same-json.js';
import { comparePets, isPet, type Pet } from './pets.js';
import { withoutMoved } from './moved.js';
import { successBody, type Check, type CheckFinding } from './check.js';

export const samePetCheck: Check = {
  id: 'same-pet',
  title: 'a pet that the run created has the same fields wherever it appears',
  ofPets: true,
  comparesAnswers: true,
  run(context) {
    const body = successBody(context);
    const created = groupById(context.memory.created);
    const compare = (seen: unknown, at: string): CheckFinding[] => {
      if (!isPet(seen) || seen['id'] === undefined) return [];
      const original = findOriginal(created.get(keyOfJson(seen['id'])) ?? [], seen);
      if (original === undefined) return [];
      return withoutMoved(describeDifferences(original, seen, at), context.memory);
    };
    return Array.isArray(body) ? body.flatMap((item, index) => compare(item, `body/${index}`)) : compare(body, 'body');
  },
};

function groupById(pets: readonly Pet[]): Map<unknown, Pet[]> {
  const groups = new Map<unknown, Pet[]>();
  for (const pet of pets) {
    const key = keyOfJson(pet['id']);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [pet]);
    else group.push(pet);
  }
  return groups;
}

/** Which of the pets with one id is seen, where the service gave it to several: the one that it is most like. */
function findOriginal(pets: readonly Pet[], seen: Pet): Pet | undefined {
  const differences = (pet: Pet): number => (pets.length === 1 ? 0 : comparePets(pet, seen).length);
  return pets.toSorted((one, other) => differences(one) - differences(other))[0];
}

function describeDifferences(original: Pet, seen: Pet, at: string): CheckFinding[] {
  return comparePets(original, seen).map(({ field, expected, actual, doubt }) => ({
    rule: field,
    doubt,
    at: `${at}/${field}`,
    expected: `${expected}, as when it was created`,
    actual,
    contractPointer: '/components/schemas/Pet',
  }));
}
