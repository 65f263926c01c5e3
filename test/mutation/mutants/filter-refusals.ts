import type { Change } from '../server/behaviour.js';
import type { Reply } from '../server/replies.js';
import type { Mutant } from './mutant.js';
import { changeList, changeStatus, makeRefusal } from './planting.js';
import { stated } from './stated.js';
import { isFilteredList } from './filter.js';

function refuseFilter(refused: string, status: number): Change {
  return (base) => ({
    readStatusFilter: (texts, exchange) =>
      texts[0] === refused ? makeRefusal(status) : base.readStatusFilter(texts, exchange),
  });
}

const noSold: Change = (base) => ({ seed: () => base.seed().filter(({ status }) => status !== 'sold') });

const isEmptyList = ({ json }: Reply) => Array.isArray(json) && json.length === 0;

/** Mutants that refuse a filter, or that have no list for one that nothing matches. */
export const filterRefusalMutants = {
  'filter-pending-refused': {
    title: 'the filter for pending is refused as unknown',
    breaks: stated.statusValues,
    foundBy: ['status'],
    change: refuseFilter('pending', 400),
  },
  'filter-pending-500': {
    title: 'the filter for pending makes it crash',
    breaks: stated.listAnswer,
    foundBy: ['server-error'],
    change: refuseFilter('pending', 500),
  },
  'filter-only-available-known': {
    title: 'every filter but available is refused',
    breaks: stated.statusValues,
    foundBy: ['status'],
    change: (base) => ({
      readStatusFilter: (texts, exchange) =>
        texts.length === 0 || texts[0] === 'available' ? base.readStatusFilter(texts, exchange) : makeRefusal(400),
    }),
  },
  'filter-required': {
    title: 'a list without a filter is refused',
    breaks: '4.1: status is not required',
    foundBy: ['status'],
    change: (base) => ({
      readStatusFilter: (texts, exchange) =>
        texts.length === 0 ? makeRefusal(400) : base.readStatusFilter(texts, exchange),
    }),
  },
  'filter-empty-404': {
    title: 'an empty filtered list is answered with 404',
    breaks: stated.listAnswer,
    foundBy: ['status'],
    needs: noSold,
    change: (base) => ({
      shape: (reply, exchange) => {
        const shaped = base.shape(reply, exchange);
        if (!isFilteredList(shaped, exchange) || !isEmptyList(shaped)) return shaped;
        return { status: 404, headers: {}, json: base.printError(makeRefusal(404), exchange) };
      },
    }),
  },
  'filter-empty-204': {
    title: 'an empty filtered list is answered with 204',
    breaks: stated.listAnswer,
    foundBy: ['status'],
    needs: noSold,
    change: changeStatus((reply, exchange) => isFilteredList(reply, exchange) && isEmptyList(reply), 204),
  },
  'filter-empty-null': {
    title: 'an empty filtered list is null (a nil slice)',
    breaks: stated.petsArray,
    foundBy: ['body'],
    needs: noSold,
    change: changeList((items) => (items.length === 0 ? null : items), isFilteredList),
  },
} satisfies Record<string, Mutant>;
