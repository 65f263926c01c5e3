import { keyOfJson } from '../../contract/document/same-json.js';
import { comparePets, isPet, type Pet } from './pets.js';
import { withoutMoved } from './moved.js';
import { successBody, type Check, type CheckFinding } from './check.js';

export const samePetCheck: Check = {
  id: 'same-pet',
  title: 'a pet that the run created has the same fields wherever it appears',
  comparesAnswers: true,
  run(context) {
    const body = successBody(context);
    const created = new Map(context.memory.created.map((pet) => [keyOfJson(pet['id']), pet]));
    const compare = (seen: unknown, at: string): CheckFinding[] => {
      if (!isPet(seen) || seen['id'] === undefined) return [];
      const original = created.get(keyOfJson(seen['id']));
      if (original === undefined) return [];
      return withoutMoved(describeDifferences(original, seen, at), context.memory);
    };
    return Array.isArray(body) ? body.flatMap((item, index) => compare(item, `body/${index}`)) : compare(body, 'body');
  },
};

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
