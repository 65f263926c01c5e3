import { asList, show } from './pets.js';
import { successBody, type Check } from './check.js';
import type { Keyword } from './keyword.js';
import { NEEDS_WHOLE_LIST, pageSize } from './limit.js';
import { findOperation, placeOfResponse } from './places.js';
import { COUNTED } from './target-memory.js';
import { readListFor } from './looked-at.js';

export const noRefusedPetsCheck: Check = {
  id: 'none-refused',
  title: 'a refused pet is not in the store',
  ofPets: true,
  comparesAnswers: true,
  run(context) {
    const list = asList(successBody(context)) ?? [];
    const { mark, refusedNames } = context.memory;
    // One pass over each name, regardless of how many were refused.
    const unique = new RegExp(`${mark}[a-z]{${COUNTED}}`, 'g');
    const contractPointer = placeOfResponse(findOperation(context.contract, 'createPet'), 400);
    const stored = list.flatMap((pet, index) => {
      const { name } = pet;
      if (typeof name !== 'string' || !(name.match(unique) ?? []).some((part) => refusedNames.has(part))) return [];
      return [
        {
          rule: 'refused',
          at: `body/${index}`,
          expected: 'no refused pet',
          actual: `${show(name)}, which was refused`,
          contractPointer,
        },
      ];
    });
    if (stored.length > 0 || context.expect.noRefusedPets !== true) return stored;
    const read = readListFor('noRefusedPets', context);
    if ('outcomes' in read) return read.outcomes;
    if (refusedNames.size === 0)
      return [{ needs: 'a pet that this run sent and the target refused; run the scenarios of create-invalid too' }];
    const size = pageSize(context);
    const isComplete = (size === undefined || list.length < size) && !context.memory.hasShortPages;
    return isComplete ? [] : [{ needs: NEEDS_WHOLE_LIST }];
  },
};

/** The schema of scenario files allows only `true`. */
export const noRefusedPetsKeyword: Keyword = {
  check: noRefusedPetsCheck,
  looksAt: 'list',
  findMistake: () => undefined,
};
