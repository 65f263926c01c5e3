import { statuses, type Pet } from '../server/pets.js';
import type { Change, Exchange } from '../server/behaviour.js';
import { isArray } from '../server/exact-json.js';
import { Refusal } from '../server/replies.js';
import { breaking, type Mutant } from './mutant.js';
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
  ...breaking(stated.limitIsMaximum, ['records', 'own-records']).by({
    'limit-one-more: one pet more than the limit (the look-ahead row is not cut off)': changeLimit((limit, exchange) =>
      isGiven(exchange) ? limit + 1 : limit,
    ),
    'limit-1-gives-2: limit=1 gives two pets': changeLimit((limit) => Math.max(2, limit)),
    'limit-ignored: limit is read by nobody': changeLimit((_limit, { server }) => server.limits.standard),
    'limit-ignored-with-filter: limit is ignored when there is a filter': changeLimit((limit, exchange) =>
      isFiltered(exchange) ? everything : limit,
    ),
    'limit-per-status: without a filter the limit counts for each status alone': (base) => ({
      choosePage: (pets, query, exchange) => {
        if (query.status !== undefined) return base.choosePage(pets, query, exchange);
        const all = [...pets];
        return statuses.flatMap((status) => base.choosePage(all, { ...query, status }, exchange));
      },
    }),
    'limit-skips-pets-without-status: pets without a status are listed but not counted': (base) => ({
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
    'limit-raised-to-tens: the limit is rounded up to tens': changeLimit((limit) => Math.ceil(limit / 10) * 10),
    'limit-read-only-first: limit counts only as the first parameter': changeLimit((limit, { query, server }) =>
      [...query.keys()][0] === 'limit' ? limit : server.limits.standard,
    ),
  }),
  ...breaking(stated.limitIsMaximum, ['records'], { reading: 'full-pages' }).by({
    'limit-one-less: one pet less than the limit': changeLimit((limit) => Math.max(1, limit - 1)),
    'limit-of-exactly-all-drops-one: the last pet is missing when the limit is just the number of pets': (base) => ({
      choosePage: (pets, query, exchange) => {
        const page = base.choosePage(pets, query, exchange);
        const all = [...base.inListOrder(exchange.store, exchange)];
        const matching = all.filter((pet) => base.matchesFilter(pet, query.status, exchange));
        return isGiven(exchange) && matching.length === query.limit ? page.slice(0, -1) : page;
      },
    }),
    'limit-1-gives-nothing: limit=1 gives an empty list': changeLimit((limit) => (limit === 1 ? 0 : limit)),
  }),
  ...breaking(stated.petsArray, ['body']).by({
    'limit-1-gives-object: limit=1 gives the pet itself instead of a list of one': changeList((items, exchange) =>
      readParameter(exchange, 'limit') === '1' ? items[0] : items,
    ),
    'limit-changes-the-shape: with limit the list comes in an envelope': changeList((items, exchange) =>
      isGiven(exchange) ? { items, limit: BigInt(items.length) } : items,
    ),
  }),
  ...breaking(stated.limitBounds, ['status']).by({
    'limit-1-refused: limit=1 is refused (the minimum is exclusive)': changeLimit((limit) =>
      limit === 1 ? makeRefusal(400) : limit,
    ),
    'limit-100-refused: limit=100 is refused (the maximum is exclusive)': changeLimit((limit) =>
      limit === 100 ? makeRefusal(400) : limit,
    ),
    'limit-above-50-refused: the maximum is 50': changeLimit((limit) => (limit > 50 ? makeRefusal(400) : limit)),
    'limit-below-10-refused: the minimum is 10': changeLimit((limit) => (limit < 10 ? makeRefusal(400) : limit)),
    'limit-compared-as-text: the bounds are compared as text, so that 5 is more than 100': changeLimit(
      (limit, exchange) => (isGiven(exchange) && `${limit}` > '100' ? makeRefusal(400) : limit),
    ),
  }),
  ...breaking(stated.limitBounds, ['server-error']).by({
    'limit-100-breaks: limit=100 makes it crash': changeLimit((limit) => (limit === 100 ? makeRefusal(500) : limit)),
  }),
  ...breaking(stated.limitIsMaximum, ['records', 'own-records'], { needs: seedAtLeast(120) }).by({
    'limit-100-gives-101: limit=100 gives 101 pets': changeLimit((limit) => (limit === 100 ? 101 : limit)),
  }),
  ...breaking(stated.limitIsMaximum, ['records'], { reading: 'full-pages', needs: seedAtLeast(120) }).by({
    'limit-100-gives-99: limit=100 gives 99 pets although there are more': changeLimit((limit) => Math.min(99, limit)),
  }),
  ...breaking(stated.limitBounds, ['records'], { reading: 'full-pages', needs: seedAtLeast(120) }).by({
    'limit-capped-at-50: never more than 50 pets, whatever the limit': changeLimit((limit) => Math.min(50, limit)),
  }),
  ...breaking(stated.limitIsMaximum, ['records', 'own-records'], { needs: seedAtLeast(80) }).by({
    'limit-above-50-ignored: a limit above 50 gives everything': changeLimit((limit) =>
      limit > 50 ? everything : limit,
    ),
  }),
  ...breaking(stated.statusFilter, ['records'], { reading: 'full-pages' }).by({
    'limit-before-filter: the limit is applied before the filter, so that filtered pages come out short': (base) => ({
      choosePage: (pets, query, exchange) =>
        base
          .choosePage(pets, { ...query, status: undefined }, exchange)
          .filter((pet) => base.matchesFilter(pet, query.status, exchange)),
    }),
  }),
  ...breaking(stated.limitDefault, ['records', 'own-records']).by({
    'limit-remembered: a list without limit takes the limit of the list before': (base) => {
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
  }),
  ...breaking(stated.listAnswer, ['server-error']).by({
    'limit-with-filter-500: limit and status together make it crash': refuseWhen(
      (exchange) => exchange.operation === 'listPets' && isGiven(exchange) && isFiltered(exchange),
      500,
    ),
  }),
  ...breaking(stated.listAnswer, ['status']).by({
    'full-page-206: a page that reaches the limit comes as 206 Partial Content': changeReply(
      answers('listPets', 200),
      (reply, exchange) => {
        const limit = exchange.server.readLimit(exchange.query.getAll('limit'), exchange);
        const isFull = isList(reply, exchange) && isArray(reply.json) && reply.json.length === limit;
        return isFull ? { ...reply, status: 206 } : reply;
      },
    ),
  }),
} satisfies Record<string, Mutant>;
