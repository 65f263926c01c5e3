import type { Pet } from '../server/pets.js';
import type { Change, Exchange } from '../server/behaviour.js';
import type { Reply } from '../server/replies.js';
import type { Mutant } from './mutant.js';
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
  'filter-ignored': {
    title: 'status is read by nobody',
    breaks: stated.statusFilter,
    foundBy: ['records'],
    change: ignoreFilter(() => true),
  },
  'filter-ignored-with-limit': {
    title: 'the filter is ignored when there is a limit',
    breaks: stated.statusFilter,
    foundBy: ['records'],
    change: ignoreFilter(({ query }) => query.has('limit')),
  },
  'filter-ignored-without-limit': {
    title: 'the filter is ignored when there is no limit',
    breaks: stated.statusFilter,
    foundBy: ['records'],
    change: ignoreFilter(({ query }) => !query.has('limit')),
  },
  'filter-ignored-above-20': {
    title: 'the filter is ignored when the limit is above 20',
    breaks: stated.statusFilter,
    foundBy: ['records'],
    change: ignoreFilter((exchange) => limitOf(exchange) > 20),
  },
  'filter-ignored-at-100': {
    title: 'the filter is ignored with limit=100 (the export path)',
    breaks: stated.statusFilter,
    foundBy: ['records'],
    change: ignoreFilter((exchange) => limitOf(exchange) === 100),
  },
  'filter-read-only-first': {
    title: 'status counts only as the first parameter',
    breaks: stated.statusFilter,
    foundBy: ['records'],
    change: ignoreFilter(({ query }) => [...query.keys()][0] !== 'status'),
  },
  'filter-negated': {
    title: 'the filter lists everything but the status asked for',
    breaks: stated.statusFilter,
    foundBy: ['records'],
    change: changeMatch((matches) => !matches),
  },
  'filter-sold-ignored': {
    title: 'only the filter for sold is ignored',
    breaks: stated.statusFilter,
    foundBy: ['records'],
    change: ignoreFilter((exchange) => readParameter(exchange, 'status') === 'sold'),
  },
  'filter-pending-gives-available': {
    title: 'pending lists the available ones',
    breaks: stated.statusFilter,
    foundBy: ['records'],
    change: changeMatch((matches, pet, status) => (status === 'pending' ? pet.status === 'available' : matches)),
  },
  'filter-sold-includes-pending': {
    title: 'sold lists the pending ones too',
    breaks: stated.statusFilter,
    foundBy: ['records'],
    change: changeMatch((matches, pet, status) => matches || (status === 'sold' && pet.status === 'pending')),
  },
  'filter-available-includes-unknown': {
    title: 'available lists pets without a status too',
    breaks: stated.statusFilter,
    foundBy: ['records'],
    change: changeMatch((matches, pet, status) => matches || (status === 'available' && pet.status === undefined)),
  },
  'filter-includes-unknown': {
    title: 'every filter lists pets without a status too (NULL slips through)',
    breaks: stated.statusFilter,
    foundBy: ['records'],
    change: changeMatch((matches, pet) => matches || pet.status === undefined),
  },
  'filter-includes-created': {
    title: 'pets created since the start are in every filtered list',
    breaks: stated.statusFilter,
    foundBy: ['records'],
    change: changeMatch((matches, pet) => matches || pet.createdAt > 0),
  },
  'filter-leaks-last': {
    title: 'the last pet of a filtered page has another status',
    breaks: stated.statusFilter,
    foundBy: ['records'],
    change: leak((page, others, limit) => [...page.slice(0, limit - 1), ...others.slice(0, 1)]),
  },
  'filter-leaks-first': {
    title: 'the first pet of a filtered page has another status',
    breaks: stated.statusFilter,
    foundBy: ['records'],
    change: leak((page, others, limit) => [...others.slice(0, 1), ...page].slice(0, limit)),
  },
  'filter-pads-page': {
    title: 'a filtered page is filled up with other pets',
    breaks: stated.statusFilter,
    foundBy: ['records'],
    change: leak((page, others, limit) => [...page, ...others].slice(0, limit)),
  },
  'filter-relabels': {
    title: 'the filter is ignored, and every pet shows the status asked for',
    breaks: stated.statusFilter,
    foundBy: ['records'],
    change: (base) => ({
      ...ignoreFilter(() => true)(base),
      ...changePets('listPets', (pet, _pet, exchange) => {
        const status = readParameter(exchange, 'status');
        return status === undefined ? pet : { ...pet, status };
      })(base),
    }),
  },
  'filter-hides-status': {
    title: 'pets in filtered lists come without their status',
    breaks: stated.statusFilter,
    foundBy: ['records'],
    change: changePets('listPets', (pet, _pet, exchange) =>
      isFiltered(exchange) ? { ...pet, status: undefined } : pet,
    ),
  },
  'filter-shouts-status': {
    title: 'pets in filtered lists show their status in capitals',
    breaks: stated.petStatus,
    foundBy: ['body'],
    change: changePets('listPets', (pet, _pet, exchange) =>
      isFiltered(exchange) && typeof pet.status === 'string' ? { ...pet, status: pet.status.toUpperCase() } : pet,
    ),
  },
  'filter-sold-empty': {
    title: 'sold gives an empty list although pets are sold',
    breaks: stated.statusFilter,
    foundBy: ['records'],
    reading: 'complete-lists',
    change: changeMatch((matches, _pet, status) => matches && status !== 'sold'),
  },
  'filter-first-20-only': {
    title: 'only the first twenty pets are searched',
    breaks: stated.statusFilter,
    foundBy: ['records'],
    reading: 'complete-lists',
    change: (base) => ({
      choosePage: (pets, query, exchange) =>
        base.choosePage(query.status === undefined ? pets : [...pets].slice(0, 20), query, exchange),
    }),
  },
  'filter-misses-created': {
    title: 'pets created since the start are in no filtered list (the index is never renewed)',
    breaks: stated.statusFilter,
    foundBy: ['records'],
    reading: 'complete-lists',
    change: changeMatch((matches, pet) => matches && pet.createdAt === 0),
  },
  'filter-defaults-to-available': {
    title: 'without a filter only available pets are listed',
    breaks: '4.1: the default of status is none (no filter)',
    foundBy: ['records'],
    reading: 'complete-lists',
    change: (base) => ({
      readStatusFilter: (texts, exchange) =>
        texts.length === 0 ? 'available' : base.readStatusFilter(texts, exchange),
    }),
  },
  'filter-remembered': {
    title: 'a list without a filter takes the filter of the list before',
    breaks: '4.1: the default of status is none (no filter)',
    foundBy: ['records'],
    reading: 'complete-lists',
    change: (base) => {
      let last: string | undefined;
      return {
        readStatusFilter: (texts, exchange) => {
          const status = base.readStatusFilter(texts, exchange);
          if (typeof status === 'string') last = status;
          return status ?? last;
        },
      };
    },
  },
  'filter-not-in-cache-key': {
    title: 'the next list with the same limit is answered from a cache that forgot the filter',
    breaks: stated.statusFilter,
    foundBy: ['records'],
    change: (base) => {
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
  },
  'filter-repeats-pets': {
    title: 'filtered lists show each pet twice (a join went wrong)',
    breaks: stated.uniqueId,
    foundBy: ['records', 'own-records'],
    change: changeList((items) => items.flatMap((item) => [item, item]).slice(0, items.length), isFilteredList),
  },
  'filter-groups-by-status': {
    title: 'a filtered list is an object with the status as its key',
    breaks: stated.petsArray,
    foundBy: ['body'],
    change: changeList((items, exchange) => ({ [readParameter(exchange, 'status') ?? '']: items }), isFilteredList),
  },
  'filter-status-of-neighbour': {
    title: 'the filter looks at the status of the pet with the next lower id',
    breaks: stated.statusFilter,
    foundBy: ['records'],
    change: (base) => ({
      matchesFilter: (pet, status, exchange) => {
        const neighbour = exchange.store.pets.find(({ id }) => id === pet.id - 1n);
        return base.matchesFilter(neighbour ?? pet, status, exchange);
      },
    }),
  },
} satisfies Record<string, Mutant>;
