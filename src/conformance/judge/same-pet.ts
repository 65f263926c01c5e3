import { keyOfJson } from '../../contract/document/same-json.js';
import { asList, comparePets, findOnePet, isPet, type ReceivedPet } from './pets.js';
import { withoutMoved } from './moved.js';
import { successBody, type Check, type CheckFinding } from './check.js';
import { placeOfRecord } from './places.js';

export const samePetCheck: Check = {
  id: 'same-pet',
  title: 'a pet that the run created has the same fields wherever it appears',
  ofPets: true,
  comparesAnswers: true,
  run(context) {
    const body = successBody(context);
    const created = groupById(context.memory.created);
    const contractPointer = placeOfRecord(context);
    const compare = (seen: unknown, where: string): CheckFinding[] => {
      if (!isPet(seen) || (seen['id'] ?? undefined) === undefined) return [];
      const original = findOriginal(created.get(keyOfJson(seen['id'])) ?? [], seen);
      if (original === undefined) return [];
      return withoutMoved(describeDifferences(original, seen, { where, contractPointer }), context.memory);
    };
    const isOne = context.sent.operation?.id !== 'listPets';
    const shown = isOne ? findOnePet(body) : undefined;
    if (shown !== undefined) return compare(shown.pet, shown.at);
    return (asList(body) ?? []).flatMap((item, index) => compare(item, `body/${index}`));
  },
};

function groupById(pets: readonly ReceivedPet[]): Map<unknown, ReceivedPet[]> {
  const groups = new Map<unknown, ReceivedPet[]>();
  for (const pet of pets) {
    const key = keyOfJson(pet['id']);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [pet]);
    else group.push(pet);
  }
  return groups;
}

/** Which of the pets with one id is seen, where the service gave it to several: the one that it is most like. */
function findOriginal(pets: readonly ReceivedPet[], seen: ReceivedPet): ReceivedPet | undefined {
  const differences = (pet: ReceivedPet): number => (pets.length === 1 ? 0 : comparePets(pet, seen).length);
  return pets.toSorted((one, other) => differences(one) - differences(other))[0];
}

function describeDifferences(
  original: ReceivedPet,
  seen: ReceivedPet,
  { where, contractPointer }: { where: string; contractPointer: string | undefined },
): CheckFinding[] {
  return comparePets(original, seen).map(({ field, expected, actual, doubt }) => ({
    rule: field,
    doubt,
    at: `${where}/${field}`,
    expected: `${expected}, as when it was created`,
    actual,
    contractPointer,
  }));
}
