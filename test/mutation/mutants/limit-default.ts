import type { Change } from '../server/behaviour.js';
import { breaking, type Mutant } from './mutant.js';
import { makeRefusal } from './planting.js';
import { stated } from './stated.js';
import { changeLimit, everything, isFiltered, isGiven } from './limits.js';

function changeDefault(standard: number): Change {
  return (base) => ({ limits: { ...base.limits, standard } });
}

/** Mutants that take another limit when none is given. */
export const limitDefaultMutants = {
  ...breaking(stated.limitDefault, ['records'], { reading: 'full-pages' }).by({
    'default-limit-10: the default of limit is 10': changeDefault(10),
    'default-limit-19: the default of limit is 19': changeDefault(19),
  }),
  ...breaking(stated.limitDefault, ['records', 'own-records']).by({
    'default-limit-21: the default of limit is 21': changeDefault(21),
    'default-limit-25: the default of limit is 25': changeDefault(25),
    'default-limit-100: the default of limit is 100': changeDefault(100),
    'default-limit-none: without limit the whole collection is listed': changeDefault(everything),
  }),
  ...breaking(stated.limitDefault, ['own-records']).by({
    'default-limit-forgotten-with-filter: with a filter and without limit every match is listed': changeLimit(
      (limit, exchange) => (isFiltered(exchange) && !isGiven(exchange) ? everything : limit),
    ),
  }),
  ...breaking(stated.limitIsMaximum, ['records', 'own-records']).by({
    'limit-20-means-no-limit: limit=20 gives everything (it is taken for "not given")': changeLimit((limit, exchange) =>
      isGiven(exchange) && limit === 20 ? everything : limit,
    ),
  }),
  ...breaking(stated.limitIsOptional, ['status']).by({
    'limit-required: a list without limit is refused': changeLimit((limit, exchange) =>
      isGiven(exchange) ? limit : makeRefusal(400),
    ),
  }),
} satisfies Record<string, Mutant>;
