import { statuses, type Pet } from '../server/pets.js';
import type { Change, Exchange } from '../server/behaviour.js';
import { isArray } from '../server/exact-json.js';
import { Refusal } from '../server/replies.js';
import type { Mutant } from './mutant.js';
import {
  answers,
  changeList,
  changeReply,
  isList,
  makeRefusal,
  readParameter,
  refuseWhen,
  seedAtLeast,
} from './planting.js';
import { stated } from './stated.js';

/** Changes a limit that the base accepted. */
export function changeLimit(change: (limit: number, exchange: Exchange) => number | Refusal): Change {
  return (base) => ({
    readLimit: (texts, exchange) => {
      const limit = base.readLimit(texts, exchange);
      return limit instanceof Refusal ? limit : change(limit, exchange);
    },
  });
}

export const everything = Number.MAX_SAFE_INTEGER;

export const isGiven = (exchange: Exchange) => exchange.query.has('limit');

export const isFiltered = (exchange: Exchange) => exchange.query.has('status');

export const limitMutants = {
  'limit-one-more': {
    title: 'one pet more than the limit (the look-ahead row is not cut off)',
    breaks: stated.limitIsMaximum,
    foundBy: ['records', 'own-records'],
    change: changeLimit((limit, exchange) => (isGiven(exchange) ? limit + 1 : limit)),
  },
  'limit-one-less': {
    title: 'one pet less than the limit',
    breaks: stated.limitIsMaximum,
    foundBy: ['records'],
    reading: 'full-pages',
    change: changeLimit((limit) => Math.max(1, limit - 1)),
  },
  'limit-of-exactly-all-drops-one': {
    title: 'the last pet is missing when the limit is just the number of pets',
    breaks: stated.limitIsMaximum,
    foundBy: ['records'],
    reading: 'full-pages',
    change: (base) => ({
      choosePage: (pets, query, exchange) => {
        const page = base.choosePage(pets, query, exchange);
        const all = [...base.inListOrder(exchange.store, exchange)];
        const matching = all.filter((pet) => base.matchesFilter(pet, query.status, exchange));
        return isGiven(exchange) && matching.length === query.limit ? page.slice(0, -1) : page;
      },
    }),
  },
  'limit-1-gives-2': {
    title: 'limit=1 gives two pets',
    breaks: stated.limitIsMaximum,
    foundBy: ['records', 'own-records'],
    change: changeLimit((limit) => Math.max(2, limit)),
  },
  'limit-1-gives-nothing': {
    title: 'limit=1 gives an empty list',
    breaks: stated.limitIsMaximum,
    foundBy: ['records'],
    reading: 'full-pages',
    change: changeLimit((limit) => (limit === 1 ? 0 : limit)),
  },
  'limit-1-gives-object': {
    title: 'limit=1 gives the pet itself instead of a list of one',
    breaks: stated.petsArray,
    foundBy: ['body'],
    change: changeList((items, exchange) => (readParameter(exchange, 'limit') === '1' ? items[0] : items)),
  },
  'limit-1-refused': {
    title: 'limit=1 is refused (the minimum is exclusive)',
    breaks: stated.limitBounds,
    foundBy: ['status'],
    change: changeLimit((limit) => (limit === 1 ? makeRefusal(400) : limit)),
  },
  'limit-100-refused': {
    title: 'limit=100 is refused (the maximum is exclusive)',
    breaks: stated.limitBounds,
    foundBy: ['status'],
    change: changeLimit((limit) => (limit === 100 ? makeRefusal(400) : limit)),
  },
  'limit-100-breaks': {
    title: 'limit=100 makes it crash',
    breaks: stated.limitBounds,
    foundBy: ['server-error'],
    change: changeLimit((limit) => (limit === 100 ? makeRefusal(500) : limit)),
  },
  'limit-above-50-refused': {
    title: 'the maximum is 50',
    breaks: stated.limitBounds,
    foundBy: ['status'],
    change: changeLimit((limit) => (limit > 50 ? makeRefusal(400) : limit)),
  },
  'limit-below-10-refused': {
    title: 'the minimum is 10',
    breaks: stated.limitBounds,
    foundBy: ['status'],
    change: changeLimit((limit) => (limit < 10 ? makeRefusal(400) : limit)),
  },
  'limit-compared-as-text': {
    title: 'the bounds are compared as text, so that 5 is more than 100',
    breaks: stated.limitBounds,
    foundBy: ['status'],
    change: changeLimit((limit, exchange) => (isGiven(exchange) && `${limit}` > '100' ? makeRefusal(400) : limit)),
  },
  'limit-100-gives-101': {
    title: 'limit=100 gives 101 pets',
    breaks: stated.limitIsMaximum,
    foundBy: ['records', 'own-records'],
    needs: seedAtLeast(120),
    change: changeLimit((limit) => (limit === 100 ? 101 : limit)),
  },
  'limit-100-gives-99': {
    title: 'limit=100 gives 99 pets although there are more',
    breaks: stated.limitIsMaximum,
    foundBy: ['records'],
    reading: 'full-pages',
    needs: seedAtLeast(120),
    change: changeLimit((limit) => Math.min(99, limit)),
  },
  'limit-capped-at-50': {
    title: 'never more than 50 pets, whatever the limit',
    breaks: stated.limitBounds,
    foundBy: ['records'],
    reading: 'full-pages',
    needs: seedAtLeast(120),
    change: changeLimit((limit) => Math.min(50, limit)),
  },
  'limit-above-50-ignored': {
    title: 'a limit above 50 gives everything',
    breaks: stated.limitIsMaximum,
    foundBy: ['records', 'own-records'],
    needs: seedAtLeast(80),
    change: changeLimit((limit) => (limit > 50 ? everything : limit)),
  },
  'limit-ignored': {
    title: 'limit is read by nobody',
    breaks: stated.limitIsMaximum,
    foundBy: ['records', 'own-records'],
    change: changeLimit((_limit, { server }) => server.limits.standard),
  },
  'limit-ignored-with-filter': {
    title: 'limit is ignored when there is a filter',
    breaks: stated.limitIsMaximum,
    foundBy: ['records', 'own-records'],
    change: changeLimit((limit, exchange) => (isFiltered(exchange) ? everything : limit)),
  },
  'limit-before-filter': {
    title: 'the limit is applied before the filter, so that filtered pages come out short',
    breaks: stated.statusFilter,
    foundBy: ['records'],
    reading: 'full-pages',
    change: (base) => ({
      choosePage: (pets, query, exchange) =>
        base
          .choosePage(pets, { ...query, status: undefined }, exchange)
          .filter((pet) => base.matchesFilter(pet, query.status, exchange)),
    }),
  },
  'limit-per-status': {
    title: 'without a filter the limit counts for each status alone',
    breaks: stated.limitIsMaximum,
    foundBy: ['records', 'own-records'],
    change: (base) => ({
      choosePage: (pets, query, exchange) => {
        if (query.status !== undefined) return base.choosePage(pets, query, exchange);
        const all = [...pets];
        return statuses.flatMap((status) => base.choosePage(all, { ...query, status }, exchange));
      },
    }),
  },
  'limit-skips-pets-without-status': {
    title: 'pets without a status are listed but not counted',
    breaks: stated.limitIsMaximum,
    foundBy: ['records', 'own-records'],
    change: (base) => ({
      choosePage: (pets, query, exchange) => {
        const all: Pet[] = base.choosePage(pets, { ...query, limit: everything }, exchange);
        let counted = 0;
        return all.filter((pet) => {
          if (counted >= query.limit) return false;
          if (pet.status !== undefined) counted += 1;
          return true;
        });
      },
    }),
  },
  'limit-raised-to-tens': {
    title: 'the limit is rounded up to tens',
    breaks: stated.limitIsMaximum,
    foundBy: ['records', 'own-records'],
    change: changeLimit((limit) => Math.ceil(limit / 10) * 10),
  },
  'limit-read-only-first': {
    title: 'limit counts only as the first parameter',
    breaks: stated.limitIsMaximum,
    foundBy: ['records', 'own-records'],
    change: changeLimit((limit, { query, server }) =>
      [...query.keys()][0] === 'limit' ? limit : server.limits.standard,
    ),
  },
  'limit-remembered': {
    title: 'a list without limit takes the limit of the list before',
    breaks: stated.limitDefault,
    foundBy: ['records', 'own-records'],
    change: (base) => {
      let last: number | undefined;
      return {
        readLimit: (texts, exchange) => {
          const limit = base.readLimit(texts, exchange);
          if (limit instanceof Refusal) return limit;
          if (texts.length > 0) last = limit;
          return last ?? limit;
        },
      };
    },
  },
  'limit-changes-the-shape': {
    title: 'with limit the list comes in an envelope',
    breaks: stated.petsArray,
    foundBy: ['body'],
    change: changeList((items, exchange) => (isGiven(exchange) ? { items, limit: BigInt(items.length) } : items)),
  },
  'limit-with-filter-500': {
    title: 'limit and status together make it crash',
    breaks: stated.listAnswer,
    foundBy: ['server-error'],
    change: refuseWhen(
      (exchange) => exchange.operation === 'listPets' && isGiven(exchange) && isFiltered(exchange),
      500,
    ),
  },
  'full-page-206': {
    title: 'a page that reaches the limit comes as 206 Partial Content',
    breaks: stated.listAnswer,
    foundBy: ['status'],
    change: changeReply(answers('listPets', 200), (reply, exchange) => {
      const limit = exchange.server.readLimit(exchange.query.getAll('limit'), exchange);
      const isFull = isList(reply, exchange) && isArray(reply.json) && reply.json.length === limit;
      return isFull ? { ...reply, status: 206 } : reply;
    }),
  },
} satisfies Record<string, Mutant>;
