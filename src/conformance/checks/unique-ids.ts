import { keyOfJson } from '../../contract/document/same-json.js';
import { asList, show } from './pets.js';
import { successBody, type Check } from './check.js';

export const uniqueIdsCheck: Check = {
  id: 'unique-ids',
  title: 'a list has no id twice',
  ofPets: true,
  run(context) {
    const ids = (asList(successBody(context)) ?? []).map(({ id }) => id);
    const first = new Map<unknown, number>();
    for (const [index, id] of ids.entries()) {
      if (id === undefined) continue;
      const key = keyOfJson(id);
      const before = first.get(key);
      if (before === undefined) first.set(key, index);
      else
        return [
          {
            rule: 'unique',
            at: `body/${index}/id`,
            expected: 'an id of its own',
            actual: `${show(id)}, as at body/${before}/id`,
            contractPointer: '/components/schemas/Pets',
          },
        ];
    }
    return [];
  },
};
