import type { Pet } from '../server/pets.js';
import type { Change, Exchange } from '../server/behaviour.js';
import { isArray } from '../server/exact-json.js';
import type { Reply } from '../server/replies.js';
import { breaking, type Mutant } from './mutant.js';
import { adjust, all, always, changeList, changeReply, feed, instead, listed } from './planting.js';
import { makeRefusal, readParameter } from './planting.js';
import { stated } from './stated.js';

/** Decides anew which pets match; only asked when there is a filter. */
function changeMatch(change: (matches: boolean, pet: Pet, status: string, exchange: Exchange) => boolean): Change {
  return adjust('matchesFilter', (matches, pet, status, exchange) =>
    status === undefined ? matches : change(matches, pet, status, exchange),
  );
}

/** Forgets the filter of some requests. */
function ignoreFilter(test: (exchange: Exchange) => boolean): Change {
  return changeMatch((matches, _pet, _status, exchange) => matches || test(exchange));
}

/** Lists more pets under a filter. */
function widen(test: (pet: Pet, status: string) => boolean): Change {
  return changeMatch((matches, pet, status) => matches || test(pet, status));
}

/** Lists fewer pets under a filter. */
function narrow(test: (pet: Pet, status: string) => boolean): Change {
  return changeMatch((matches, pet, status) => matches && test(pet, status));
}

/** Replaces part of a filtered page by pets that do not match. */
function leak(merge: (page: Pet[], others: Pet[], limit: number) => Pet[]): Change {
  return (base) => ({
    choosePage: (pets, query, exchange) => {
      const every = [...pets];
      const page = base.choosePage(every, query, exchange);
      const others = every.filter((pet) => !base.matchesFilter(pet, query.status, exchange));
      return query.status === undefined ? page : merge(page, others, query.limit);
    },
  });
}

/** Refuses some filters, or that there is none. */
function refuseFilter(status: number, test: (filter: string | undefined) => boolean): Change {
  return instead('readStatusFilter', ([filter]) => (test(filter) ? makeRefusal(status) : undefined));
}

const isFiltered = ({ operation, query }: Exchange) => operation === 'listPets' && query.has('status');
const isFilteredList = (reply: Reply, exchange: Exchange) => reply.status === 200 && isFiltered(exchange);
const isEmptyPage = (reply: Reply, exchange: Exchange) =>
  isFilteredList(reply, exchange) && isArray(reply.json) && reply.json.length === 0;

const limitOf = (exchange: Exchange) => Number(readParameter(exchange, 'limit') ?? 0);
const filterOf = (exchange: Exchange) => readParameter(exchange, 'status');
const noSold = adjust('seed', (pets) => pets.filter(({ status }) => status !== 'sold'));

export const filterMutants = {
  ...breaking(stated.statusFilter, ['records']).by({
    'filter-ignored: status is read by nobody': ignoreFilter(always),
    'filter-ignored-with-limit: with a limit the filter is ignored': ignoreFilter(({ query }) => query.has('limit')),
    'filter-ignored-without-limit': ignoreFilter(({ query }) => !query.has('limit')),
    'filter-ignored-above-20: a limit above 20 ends the filter': ignoreFilter((exchange) => limitOf(exchange) > 20),
    'filter-ignored-at-100: with limit=100 (the export path)': ignoreFilter((exchange) => limitOf(exchange) === 100),
    'filter-read-only-first': ignoreFilter(({ query }) => [...query.keys()][0] !== 'status'),
    'filter-negated: the filter lists everything but the status asked for': changeMatch((matches) => !matches),
    'filter-sold-ignored: only the filter for sold is ignored': ignoreFilter((asked) => filterOf(asked) === 'sold'),
    'filter-pending-gives-available: pending lists the available ones': changeMatch((matches, pet, status) =>
      status === 'pending' ? pet.status === 'available' : matches,
    ),
    'filter-sold-includes-pending': widen((pet, status) => status === 'sold' && pet.status === 'pending'),
    'filter-available-includes-unknown': widen((pet, status) => status === 'available' && pet.status === undefined),
    'filter-includes-unknown: NULL slips through': widen(({ status }) => status === undefined),
    'filter-includes-created: new pets are in every filtered list': widen(({ createdAt }) => createdAt > 0),
    'filter-leaks-last': leak((page, others, limit) => page.slice(0, limit - 1).concat(others.slice(0, 1))),
    'filter-leaks-first': leak((page, others, limit) => [...others.slice(0, 1), ...page].slice(0, limit)),
    'filter-pads-page: a page is filled up': leak((page, others, limit) => [...page, ...others].slice(0, limit)),
    'filter-relabels': all(
      ignoreFilter(always),
      listed.status((status, _, at) => filterOf(at) ?? status),
    ),
    'filter-hides-status': listed.status((status, _, exchange) => (isFiltered(exchange) ? undefined : status)),
    'filter-not-in-cache-key: the next list with the same limit is answered from a cache that forgot the filter': (
      base,
    ) => {
      const pages = new Map<number, Pet[]>();
      return adjust('choosePage', (page, _, { limit }) => {
        const cached = pages.get(limit);
        if (!pages.delete(limit)) pages.set(limit, page);
        return cached ?? page;
      })(base);
    },
    'filter-status-of-neighbour: the filter looks at the status of the pet with the next lower id': feed(
      'matchesFilter',
      (pet, _, { store }) => store.pets.find(({ id }) => id === pet.id - 1n) ?? pet,
    ),
  }),
  ...breaking(stated.petStatus, ['body']).by({
    'filter-shouts-status': listed.status((status, _, at) => (isFiltered(at) ? status?.toUpperCase() : status)),
  }),
  ...breaking(stated.statusFilter, ['records'], { reading: 'complete-lists' }).by({
    'filter-sold-empty: sold gives an empty list although pets are sold': narrow((_pet, status) => status !== 'sold'),
    'filter-first-20-only': feed('choosePage', (pets, { status }) =>
      status === undefined ? pets : [...pets].slice(0, 20),
    ),
    'filter-misses-created: the index is never renewed': narrow(({ createdAt }) => createdAt === 0),
  }),
  ...breaking('4.1: the default of status is none (no filter)', ['records'], { reading: 'complete-lists' }).by({
    'filter-defaults-to-available': instead('readStatusFilter', ([text]) =>
      text === undefined ? 'available' : undefined,
    ),
    'filter-remembered: a list without a filter takes the filter of the list before': (base) => {
      let last: string | undefined;
      return adjust('readStatusFilter', (status) => (typeof status === 'string' ? (last = status) : (status ?? last)))(
        base,
      );
    },
  }),
  ...breaking(stated.uniqueId, ['records', 'own-records']).by({
    'filter-repeats-pets: filtered lists show each pet twice (a join went wrong)': changeList(
      (items) => items.flatMap((item) => [item, item]).slice(0, items.length),
      isFilteredList,
    ),
  }),
  ...breaking(stated.petsArray, ['body']).by({
    'filter-groups-by-status': changeList((items, exchange) => ({ [filterOf(exchange) ?? '']: items }), isFilteredList),
  }),
  // ---- A filter is refused, or there is no list for one that nothing matches
  ...breaking(stated.statusValues, ['status']).by({
    'filter-pending-refused: the filter for pending is refused': refuseFilter(400, (filter) => filter === 'pending'),
    'filter-only-available-known': refuseFilter(400, (filter = 'available') => filter !== 'available'),
  }),
  ...breaking(stated.listAnswer, ['server-error']).by({
    'filter-pending-500: the filter for pending makes it crash': refuseFilter(500, (filter) => filter === 'pending'),
  }),
  ...breaking('4.1: status is not required', ['status']).by({
    'filter-required: a list without a filter is refused': refuseFilter(400, (filter) => filter === undefined),
  }),
  ...breaking(stated.listAnswer, ['status'], { needs: noSold }).by({
    'filter-empty-404: an empty filtered list is answered with 404': (base) =>
      changeReply(isEmptyPage, (_reply, exchange) => ({
        status: 404,
        headers: {},
        json: base.printError(makeRefusal(404), exchange),
      }))(base),
    'filter-empty-204: an empty filtered list is answered with 204': changeReply(isEmptyPage, { status: 204 }),
  }),
  ...breaking(stated.petsArray, ['body'], { needs: noSold }).by({
    'filter-empty-null: an empty filtered list is null (a nil slice)': changeReply(isEmptyPage, { json: null }),
  }),
} satisfies Record<string, Mutant>;
