import type { Pet } from '../server/pets.js';
import type { Change, Exchange } from '../server/behaviour.js';
import type { Reply } from '../server/replies.js';
import { breaking, type Mutant } from './mutant.js';
import { changeList, changePets, isList, readParameter } from './planting.js';
import { stated } from './stated.js';

/** Decides anew which pets match; only asked when there is a filter. */
function changeMatch(change: (matches: boolean, pet: Pet, status: string, exchange: Exchange) => boolean): Change {
  return (base) => ({
    matchesFilter: (pet, status, exchange) => {
      const matches = base.matchesFilter(pet, status, exchange);
      return status === undefined ? matches : change(matches, pet, status, exchange);
    },
  });
}

/** Forgets the filter of some requests. */
function ignoreFilter(test: (exchange: Exchange) => boolean): Change {
  return changeMatch((matches, _pet, _status, exchange) => matches || test(exchange));
}

/** Replaces part of a filtered page by pets that do not match. */
function leak(merge: (page: Pet[], others: Pet[], limit: number) => Pet[]): Change {
  return (base) => ({
    choosePage: (pets, query, exchange) => {
      const all = [...pets];
      const page = base.choosePage(all, query, exchange);
      if (query.status === undefined) return page;
      return merge(
        page,
        all.filter((pet) => !base.matchesFilter(pet, query.status, exchange)),
        query.limit,
      );
    },
  });
}

const isFiltered = (exchange: Exchange) =>
  isList({ status: 200, headers: {}, json: [] }, exchange) && exchange.query.has('status');

export const isFilteredList = (reply: Reply, exchange: Exchange) => reply.status === 200 && isFiltered(exchange);

const limitOf = (exchange: Exchange) => Number(readParameter(exchange, 'limit') ?? 0);

export const filterMutants = {
  ...breaking(stated.statusFilter, ['records']).by({
    'filter-ignored: status is read by nobody': ignoreFilter(() => true),
    'filter-ignored-with-limit: the filter is ignored when there is a limit': ignoreFilter(({ query }) =>
      query.has('limit'),
    ),
    'filter-ignored-without-limit: the filter is ignored when there is no limit': ignoreFilter(
      ({ query }) => !query.has('limit'),
    ),
    'filter-ignored-above-20: the filter is ignored when the limit is above 20': ignoreFilter(
      (exchange) => limitOf(exchange) > 20,
    ),
    'filter-ignored-at-100: the filter is ignored with limit=100 (the export path)': ignoreFilter(
      (exchange) => limitOf(exchange) === 100,
    ),
    'filter-read-only-first: status counts only as the first parameter': ignoreFilter(
      ({ query }) => [...query.keys()][0] !== 'status',
    ),
    'filter-negated: the filter lists everything but the status asked for': changeMatch((matches) => !matches),
    'filter-sold-ignored: only the filter for sold is ignored': ignoreFilter(
      (exchange) => readParameter(exchange, 'status') === 'sold',
    ),
    'filter-pending-gives-available: pending lists the available ones': changeMatch((matches, pet, status) =>
      status === 'pending' ? pet.status === 'available' : matches,
    ),
    'filter-sold-includes-pending: sold lists the pending ones too': changeMatch(
      (matches, pet, status) => matches || (status === 'sold' && pet.status === 'pending'),
    ),
    'filter-available-includes-unknown: available lists pets without a status too': changeMatch(
      (matches, pet, status) => matches || (status === 'available' && pet.status === undefined),
    ),
    'filter-includes-unknown: every filter lists pets without a status too (NULL slips through)': changeMatch(
      (matches, pet) => matches || pet.status === undefined,
    ),
    'filter-includes-created: pets created since the start are in every filtered list': changeMatch(
      (matches, pet) => matches || pet.createdAt > 0,
    ),
    'filter-leaks-last: the last pet of a filtered page has another status': leak((page, others, limit) => [
      ...page.slice(0, limit - 1),
      ...others.slice(0, 1),
    ]),
    'filter-leaks-first: the first pet of a filtered page has another status': leak((page, others, limit) =>
      [...others.slice(0, 1), ...page].slice(0, limit),
    ),
    'filter-pads-page: a filtered page is filled up with other pets': leak((page, others, limit) =>
      [...page, ...others].slice(0, limit),
    ),
    'filter-relabels: the filter is ignored, and every pet shows the status asked for': (base) => ({
      ...ignoreFilter(() => true)(base),
      ...changePets('listPets', (pet, _pet, exchange) => {
        const status = readParameter(exchange, 'status');
        return status === undefined ? pet : { ...pet, status };
      })(base),
    }),
    'filter-hides-status: pets in filtered lists come without their status': changePets(
      'listPets',
      (pet, _pet, exchange) => (isFiltered(exchange) ? { ...pet, status: undefined } : pet),
    ),
    'filter-not-in-cache-key: the next list with the same limit is answered from a cache that forgot the filter': (
      base,
    ) => {
      const pages = new Map<number, Pet[]>();
      return {
        choosePage: (pets, query, exchange) => {
          const cached = pages.get(query.limit);
          pages.delete(query.limit);
          if (cached !== undefined) return cached;
          const page = base.choosePage(pets, query, exchange);
          pages.set(query.limit, page);
          return page;
        },
      };
    },
    'filter-status-of-neighbour: the filter looks at the status of the pet with the next lower id': (base) => ({
      matchesFilter: (pet, status, exchange) => {
        const neighbour = exchange.store.pets.find(({ id }) => id === pet.id - 1n);
        return base.matchesFilter(neighbour ?? pet, status, exchange);
      },
    }),
  }),
  ...breaking(stated.petStatus, ['body']).by({
    'filter-shouts-status: pets in filtered lists show their status in capitals': changePets(
      'listPets',
      (pet, _pet, exchange) =>
        isFiltered(exchange) && typeof pet.status === 'string' ? { ...pet, status: pet.status.toUpperCase() } : pet,
    ),
  }),
  ...breaking(stated.statusFilter, ['records'], { reading: 'complete-lists' }).by({
    'filter-sold-empty: sold gives an empty list although pets are sold': changeMatch(
      (matches, _pet, status) => matches && status !== 'sold',
    ),
    'filter-first-20-only: only the first twenty pets are searched': (base) => ({
      choosePage: (pets, query, exchange) =>
        base.choosePage(query.status === undefined ? pets : [...pets].slice(0, 20), query, exchange),
    }),
    'filter-misses-created: pets created since the start are in no filtered list (the index is never renewed)':
      changeMatch((matches, pet) => matches && pet.createdAt === 0),
  }),
  ...breaking('4.1: the default of status is none (no filter)', ['records'], { reading: 'complete-lists' }).by({
    'filter-defaults-to-available: without a filter only available pets are listed': (base) => ({
      readStatusFilter: (texts, exchange) =>
        texts.length === 0 ? 'available' : base.readStatusFilter(texts, exchange),
    }),
    'filter-remembered: a list without a filter takes the filter of the list before': (base) => {
      let last: string | undefined;
      return {
        readStatusFilter: (texts, exchange) => {
          const status = base.readStatusFilter(texts, exchange);
          if (typeof status === 'string') last = status;
          return status ?? last;
        },
      };
    },
  }),
  ...breaking(stated.uniqueId, ['records', 'own-records']).by({
    'filter-repeats-pets: filtered lists show each pet twice (a join went wrong)': changeList(
      (items) => items.flatMap((item) => [item, item]).slice(0, items.length),
      isFilteredList,
    ),
  }),
  ...breaking(stated.petsArray, ['body']).by({
    'filter-groups-by-status: a filtered list is an object with the status as its key': changeList(
      (items, exchange) => ({ [readParameter(exchange, 'status') ?? '']: items }),
      isFilteredList,
    ),
  }),
} satisfies Record<string, Mutant>;
