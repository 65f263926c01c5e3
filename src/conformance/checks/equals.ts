import { compareAnimals, isAnimal } from './pets.js';
import { successBody, type Check } from './check.js';
import { withoutMoved } from './moved.js';

export const equalsCheck: Check = {
  id: 'equals',
  title: 'an animal is the same in one answer as in another',
  run(context) {
    const body = successBody(context);
    const { equals } = context.expect;
    if (!isAnimal(equals) || !isAnimal(body)) return [];
    const differences = compareAnimals(equals, body).map(({ field, expected, actual, doubt }) => ({
      rule: field,
      doubt,
      at: `body/${field}`,
      expected: `${expected}, as in the answer before`,
      actual,
      contractPointer: '/components/schemas/Pet',
      // Another client may have changed it in between.
      settles: true,
    }));
    return withoutMoved(differences, context.memory);
  },
};
