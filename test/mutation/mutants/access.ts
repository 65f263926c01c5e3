import { breaking, type Mutant } from './mutant.js';
import { refuseWhen } from './planting.js';
import { stated } from './stated.js';

/** Mutants in who may see what. */
export const accessMutants = {
  ...breaking(stated.getAnswer, ['status']).by({
    'listed-pets-are-forbidden: a pet that lists show to a key is forbidden to it': refuseWhen(
      ({ operation }) => operation === 'getPet',
      403,
    ),
  }),
} satisfies Record<string, Mutant>;
