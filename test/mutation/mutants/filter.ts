import type { Animal } from '../server/animals.js';
import type { Change, Exchange } from '../server/behaviour.js';
import type { Reply } from '../server/replies.js';
import type { Fault } from './fault.js';
import { changeList, changePets, changeStatus, isList, makeRefusal, readParameter } from './planting.js';
import { stated } from './stated.js';

/** Decides anew which animals match; only asked when there is a filter. */
function changeMatch(
  change: (matches: boolean, animal: Animal, status: string, exchange: Exchange) => boolean,
): Change {
  return (base) => ({
    matchesFilter: (animal, status, exchange) => {
      const matches = base.matchesFilter(animal, status, exchange);
      return status === undefined ? matches : change(matches, animal, status, exchange);
    },
  });
}

/** Forgets the filter of some requests. */
function ignoreFilter(test: (exchange: Exchange) => boolean): Change {
  return changeMatch((matches, _animal, _status, exchange) => matches || test(exchange));
}

/** Replaces part of a filtered page by animals that do not match. */
function leak(merge: (page: Animal[], others: Animal[], limit: number) => Animal[]): Change {
  return (base) => ({
    choosePage: (animals, query, exchange) => {
      const all = [...animals];
      const page = base.choosePage(all, query, exchange);
      if (query.status === undefined) return page;
      return merge(
        page,
        all.filter((animal) => !base.matchesFilter(animal, query.status, exchange)),
        query.limit,
      );
    },
  });
}

function refuseFilter(refused: string, status: number): Change {
  return (base) => ({
    readStatusFilter: (texts, exchange) =>
      texts[0] === refused ? makeRefusal(status) : base.readStatusFilter(texts, exchange),
  });
}

const isFiltered = (exchange: Exchange) =>
  isList({ status: 200, headers: {}, json: [] }, exchange) && exchange.query.has('status');
const isFilteredList = (reply: Reply, exchange: Exchange) => reply.status === 200 && isFiltered(exchange);
const limitOf = (exchange: Exchange) => Number(readParameter(exchange, 'limit') ?? 0);
const noSold: Change = (base) => ({ seed: () => base.seed().filter(({ status }) => status !== 'sold') });
const isEmptyList = ({ json }: Reply) => Array.isArray(json) && json.length === 0;

export const filterFaults = {
  'filter-ignored': {
    title: 'status is read by nobody',
    breaks: stated.statusFilter,
    change: ignoreFilter(() => true),
  },
  'filter-ignored-with-limit': {
    title: 'the filter is ignored when there is a limit',
    breaks: stated.statusFilter,
    change: ignoreFilter(({ query }) => query.has('limit')),
  },
  'filter-ignored-without-limit': {
    title: 'the filter is ignored when there is no limit',
    breaks: stated.statusFilter,
    change: ignoreFilter(({ query }) => !query.has('limit')),
  },
  'filter-ignored-above-20': {
    title: 'the filter is ignored when the limit is above 20',
    breaks: stated.statusFilter,
    change: ignoreFilter((exchange) => limitOf(exchange) > 20),
  },
  'filter-ignored-at-100': {
    title: 'the filter is ignored with limit=100 (the export path)',
    breaks: stated.statusFilter,
    change: ignoreFilter((exchange) => limitOf(exchange) === 100),
  },
  'filter-read-only-first': {
    title: 'status counts only as the first parameter',
    breaks: stated.statusFilter,
    change: ignoreFilter(({ query }) => [...query.keys()][0] !== 'status'),
  },
  'filter-negated': {
    title: 'the filter lists everything but the status asked for',
    breaks: stated.statusFilter,
    change: changeMatch((matches) => !matches),
  },
  'filter-sold-ignored': {
    title: 'only the filter for sold is ignored',
    breaks: stated.statusFilter,
    change: ignoreFilter((exchange) => readParameter(exchange, 'status') === 'sold'),
  },
  'filter-pending-gives-available': {
    title: 'pending lists the available ones',
    breaks: stated.statusFilter,
    change: changeMatch((matches, animal, status) => (status === 'pending' ? animal.status === 'available' : matches)),
  },
  'filter-sold-includes-pending': {
    title: 'sold lists the pending ones too',
    breaks: stated.statusFilter,
    change: changeMatch((matches, animal, status) => matches || (status === 'sold' && animal.status === 'pending')),
  },
  'filter-available-includes-unknown': {
    title: 'available lists animals without a status too',
    breaks: stated.statusFilter,
    change: changeMatch(
      (matches, animal, status) => matches || (status === 'available' && animal.status === undefined),
    ),
  },
  'filter-includes-unknown': {
    title: 'every filter lists animals without a status too (NULL slips through)',
    breaks: stated.statusFilter,
    change: changeMatch((matches, animal) => matches || animal.status === undefined),
  },
  'filter-includes-created': {
    title: 'animals created since the start are in every filtered list',
    breaks: stated.statusFilter,
    change: changeMatch((matches, animal) => matches || animal.createdAt > 0),
  },
  'filter-leaks-last': {
    title: 'the last animal of a filtered page has another status',
    breaks: stated.statusFilter,
    change: leak((page, others, limit) => [...page.slice(0, limit - 1), ...others.slice(0, 1)]),
  },
  'filter-leaks-first': {
    title: 'the first animal of a filtered page has another status',
    breaks: stated.statusFilter,
    change: leak((page, others, limit) => [...others.slice(0, 1), ...page].slice(0, limit)),
  },
  'filter-pads-page': {
    title: 'a filtered page is filled up with other animals',
    breaks: stated.statusFilter,
    change: leak((page, others, limit) => [...page, ...others].slice(0, limit)),
  },
  'filter-relabels': {
    title: 'the filter is ignored, and every animal shows the status asked for',
    breaks: stated.statusFilter,
    change: (base) => ({
      ...ignoreFilter(() => true)(base),
      ...changePets('listPets', (pet, _animal, exchange) => {
        const status = readParameter(exchange, 'status');
        return status === undefined ? pet : { ...pet, status };
      })(base),
    }),
  },
  'filter-hides-status': {
    title: 'animals in filtered lists come without their status',
    breaks: stated.statusFilter,
    change: changePets('listPets', (pet, _animal, exchange) =>
      isFiltered(exchange) ? { ...pet, status: undefined } : pet,
    ),
  },
  'filter-shouts-status': {
    title: 'animals in filtered lists show their status in capitals',
    breaks: stated.petStatus,
    change: changePets('listPets', (pet, _animal, exchange) =>
      isFiltered(exchange) && typeof pet.status === 'string' ? { ...pet, status: pet.status.toUpperCase() } : pet,
    ),
  },
  'filter-sold-empty': {
    title: 'sold gives an empty list although animals are sold',
    breaks: stated.statusFilter,
    reading: 'complete-lists',
    change: changeMatch((matches, _animal, status) => matches && status !== 'sold'),
  },
  'filter-first-20-only': {
    title: 'only the first twenty animals are searched',
    breaks: stated.statusFilter,
    reading: 'complete-lists',
    change: (base) => ({
      choosePage: (animals, query, exchange) =>
        base.choosePage(query.status === undefined ? animals : [...animals].slice(0, 20), query, exchange),
    }),
  },
  'filter-misses-created': {
    title: 'animals created since the start are in no filtered list (the index is never renewed)',
    breaks: stated.statusFilter,
    reading: 'complete-lists',
    change: changeMatch((matches, animal) => matches && animal.createdAt === 0),
  },
  'filter-pending-refused': {
    title: 'the filter for pending is refused as unknown',
    breaks: stated.statusValues,
    change: refuseFilter('pending', 400),
  },
  'filter-pending-500': {
    title: 'the filter for pending makes it crash',
    breaks: stated.listAnswer,
    change: refuseFilter('pending', 500),
  },
  'filter-only-available-known': {
    title: 'every filter but available is refused',
    breaks: stated.statusValues,
    change: (base) => ({
      readStatusFilter: (texts, exchange) =>
        texts.length === 0 || texts[0] === 'available' ? base.readStatusFilter(texts, exchange) : makeRefusal(400),
    }),
  },
  'filter-required': {
    title: 'a list without a filter is refused',
    breaks: '4.1: status is not required',
    change: (base) => ({
      readStatusFilter: (texts, exchange) =>
        texts.length === 0 ? makeRefusal(400) : base.readStatusFilter(texts, exchange),
    }),
  },
  'filter-defaults-to-available': {
    title: 'without a filter only available animals are listed',
    breaks: '4.1: the default of status is none (no filter)',
    reading: 'complete-lists',
    change: (base) => ({
      readStatusFilter: (texts, exchange) =>
        texts.length === 0 ? 'available' : base.readStatusFilter(texts, exchange),
    }),
  },
  'filter-remembered': {
    title: 'a list without a filter takes the filter of the list before',
    breaks: '4.1: the default of status is none (no filter)',
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
    change: (base) => {
      const pages = new Map<number, Animal[]>();
      return {
        choosePage: (animals, query, exchange) => {
          const cached = pages.get(query.limit);
          pages.delete(query.limit);
          if (cached !== undefined) return cached;
          const page = base.choosePage(animals, query, exchange);
          pages.set(query.limit, page);
          return page;
        },
      };
    },
  },
  'filter-repeats-animals': {
    title: 'filtered lists show each animal twice (a join went wrong)',
    breaks: stated.uniqueId,
    change: changeList((items) => items.flatMap((item) => [item, item]).slice(0, items.length), isFilteredList),
  },
  'filter-groups-by-status': {
    title: 'a filtered list is an object with the status as its key',
    breaks: stated.petsArray,
    change: changeList((items, exchange) => ({ [readParameter(exchange, 'status') ?? '']: items }), isFilteredList),
  },
  'filter-empty-404': {
    title: 'an empty filtered list is answered with 404',
    breaks: stated.listAnswer,
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
    needs: noSold,
    change: changeStatus((reply, exchange) => isFilteredList(reply, exchange) && isEmptyList(reply), 204),
  },
  'filter-empty-null': {
    title: 'an empty filtered list is null (a nil slice)',
    breaks: stated.petsArray,
    needs: noSold,
    change: changeList((items) => (items.length === 0 ? null : items), isFilteredList),
  },
  'filter-status-of-neighbour': {
    title: 'the filter looks at the status of the animal with the next lower id',
    breaks: stated.statusFilter,
    change: (base) => ({
      matchesFilter: (animal, status, exchange) => {
        const neighbour = exchange.store.animals.find(({ id }) => id === animal.id - 1n);
        return base.matchesFilter(neighbour ?? animal, status, exchange);
      },
    }),
  },
} satisfies Record<string, Fault>;
