import { keyOfJson } from '../../contract/document/same-json.js';
import { asList, show } from './pets.js';
import { successBody, type Check, type CheckContext, type CheckFinding } from './check.js';
import { placeOfBody } from './places.js';

export const uniqueIdsCheck: Check = {
  id: 'unique-ids',
  title: 'a list has no id twice',
  ofPets: true,
  run(context) {
    const ids = (asList(successBody(context)) ?? []).map(({ id }) => id);
    const first = new Map<unknown, number>();
    return ids.flatMap((id, index) => {
      if (id === undefined) return [];
      const before = first.get(keyOfJson(id));
      if (before === undefined) first.set(keyOfJson(id), index);
      return before === undefined ? [] : [describe(id, { index, before }, context)];
    });
  },
};

function describe(
  id: unknown,
  { index, before }: { index: number; before: number },
  context: CheckContext,
): CheckFinding {
  return {
    rule: 'unique',
    at: `body/${index}/id`,
    expected: 'an id of its own',
    actual: `${show(id)}, as at body/${before}/id`,
    contractPointer: placeOfBody(context),
  };
}
