import { asList, show } from './pets.js';
import { successBody, type Check } from './check.js';
import { pageSize } from './limit.js';

export const noneRefusedCheck: Check = {
  id: 'none-refused',
  title: 'an animal that was refused is not in the store',
  run(context) {
    const list = asList(successBody(context));
    if (list === undefined) return [];
    const { mark, refusedNames } = context.memory;
    // One pass over each name, however many were refused.
    const unique = new RegExp(`${mark}[a-z]{2}`, 'g');
    const stored = list.flatMap((animal, index) => {
      const { name } = animal;
      if (typeof name !== 'string' || !(name.match(unique) ?? []).some((part) => refusedNames.has(part))) return [];
      return [
        {
          rule: 'refused',
          at: `body/${index}`,
          expected: 'no animal that was refused',
          actual: `${show(name)}, which was refused`,
        },
      ];
    });
    if (stored.length > 0 || context.expect.noneRefused !== true) return stored;
    if (refusedNames.size === 0) return [{ needs: 'an animal that was refused in this run' }];
    const size = pageSize(context);
    const isComplete = (size === undefined || list.length < size) && !context.memory.hasShortPages;
    return isComplete ? [] : [{ needs: 'a list that ends before its limit, so that it shows every animal' }];
  },
};
