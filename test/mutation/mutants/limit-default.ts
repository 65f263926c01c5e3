import type { Change } from '../server/behaviour.js';
import type { Mutant } from './mutant.js';
import { makeRefusal } from './planting.js';
import { stated } from './stated.js';
import { changeLimit, everything, isFiltered, isGiven } from './limits.js';

function changeDefault(standard: number): Change {
  return (base) => ({ limits: { ...base.limits, standard } });
}

/** Mutants that take another limit when none is given. */
export const limitDefaultMutants = {
  'default-limit-10': {
    title: 'the default of limit is 10',
    breaks: stated.limitDefault,
    foundBy: ['records'],
    reading: 'full-pages',
    change: changeDefault(10),
  },
  'default-limit-19': {
    title: 'the default of limit is 19',
    breaks: stated.limitDefault,
    foundBy: ['records'],
    reading: 'full-pages',
    change: changeDefault(19),
  },
  'default-limit-21': {
    title: 'the default of limit is 21',
    breaks: stated.limitDefault,
    foundBy: ['records', 'own-records'],
    change: changeDefault(21),
  },
  'default-limit-25': {
    title: 'the default of limit is 25',
    breaks: stated.limitDefault,
    foundBy: ['records', 'own-records'],
    change: changeDefault(25),
  },
  'default-limit-100': {
    title: 'the default of limit is 100',
    breaks: stated.limitDefault,
    foundBy: ['records', 'own-records'],
    change: changeDefault(100),
  },
  'default-limit-none': {
    title: 'without limit the whole collection is listed',
    breaks: stated.limitDefault,
    foundBy: ['records', 'own-records'],
    change: changeDefault(everything),
  },
  'default-limit-forgotten-with-filter': {
    title: 'with a filter and without limit every match is listed',
    breaks: stated.limitDefault,
    foundBy: ['own-records'],
    change: changeLimit((limit, exchange) => (isFiltered(exchange) && !isGiven(exchange) ? everything : limit)),
  },
  'limit-20-means-no-limit': {
    title: 'limit=20 gives everything (it is taken for "not given")',
    breaks: stated.limitIsMaximum,
    foundBy: ['records', 'own-records'],
    change: changeLimit((limit, exchange) => (isGiven(exchange) && limit === 20 ? everything : limit)),
  },
  'limit-required': {
    title: 'a list without limit is refused',
    breaks: stated.limitIsOptional,
    foundBy: ['status'],
    change: changeLimit((limit, exchange) => (isGiven(exchange) ? limit : makeRefusal(400))),
  },
} satisfies Record<string, Mutant>;
