import { asList, show } from './pets.js';
import { successBody, type Check } from './check.js';
import { pageSize } from './limit.js';

export const noneRefusedCheck: Check = {
  id: 'none-refused',
  title: 'an animal that was refused is not in the store',
  run(context) {
    const list = asList(successBody(context));
    if (list === undefined) return [];
    const refused = [...context.memory.refusedNames];
    const stored = list.flatMap((animal, index) => {
      const { name } = animal;
      if (typeof name !== 'string' || !refused.some((part) => name.includes(part))) return [];
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
    const size = pageSize(context);
    const isComplete = size === undefined || list.length < size;
    return isComplete ? [] : [{ needs: 'a list that ends before its limit, so that it shows every animal' }];
  },
};
