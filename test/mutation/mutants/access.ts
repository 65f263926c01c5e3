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
    'last-of-a-page-is-forbidden: the last pet that a list shows is forbidden to the same key': refuseWhen(
      ({ operation, path }) => operation === 'getPet' && path === '/pets/120',
      403,
    ),
  }),
} satisfies Record<string, Mutant>;
