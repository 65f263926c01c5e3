import type { Change } from '../server/behaviour.js';
import type { Reply } from '../server/replies.js';
import { breaking, type Mutant } from './mutant.js';
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
  ...breaking(stated.statusValues, ['status']).by({
    'filter-pending-refused: the filter for pending is refused as unknown': refuseFilter('pending', 400),
    'filter-only-available-known: every filter but available is refused': (base) => ({
      readStatusFilter: (texts, exchange) =>
        texts.length === 0 || texts[0] === 'available' ? base.readStatusFilter(texts, exchange) : makeRefusal(400),
    }),
  }),
  ...breaking(stated.listAnswer, ['server-error']).by({
    'filter-pending-500: the filter for pending makes it crash': refuseFilter('pending', 500),
  }),
  ...breaking('4.1: status is not required', ['status']).by({
    'filter-required: a list without a filter is refused': (base) => ({
      readStatusFilter: (texts, exchange) =>
        texts.length === 0 ? makeRefusal(400) : base.readStatusFilter(texts, exchange),
    }),
  }),
  ...breaking(stated.listAnswer, ['status'], { needs: noSold }).by({
    'filter-empty-404: an empty filtered list is answered with 404': (base) => ({
      shape: (reply, exchange) => {
        const shaped = base.shape(reply, exchange);
        if (!isFilteredList(shaped, exchange) || !isEmptyList(shaped)) return shaped;
        return { status: 404, headers: {}, json: base.printError(makeRefusal(404), exchange) };
      },
    }),
    'filter-empty-204: an empty filtered list is answered with 204': changeStatus(
      (reply, exchange) => isFilteredList(reply, exchange) && isEmptyList(reply),
      204,
    ),
  }),
  ...breaking(stated.petsArray, ['body'], { needs: noSold }).by({
    'filter-empty-null: an empty filtered list is null (a nil slice)': changeList(
      (items) => (items.length === 0 ? null : items),
      isFilteredList,
    ),
  }),
} satisfies Record<string, Mutant>;
