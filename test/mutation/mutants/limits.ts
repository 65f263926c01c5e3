import { statuses, type Pet } from '../server/pets.js';
import type { Change, Exchange } from '../server/behaviour.js';
import { isArray } from '../server/exact-json.js';
import { Refusal } from '../server/replies.js';
import { breaking, type Mutant } from './mutant.js';
import { adjust, changeList, changeReply, isList, makeRefusal, readParameter } from './planting.js';
import { refuseWhen, seedAtLeast } from './planting.js';
import { stated } from './stated.js';

/** Changes a limit that the base accepted. */
export function changeLimit(change: (limit: number, exchange: Exchange) => number | Refusal): Change {
  return adjust('readLimit', (limit, _, exchange) => (limit instanceof Refusal ? limit : change(limit, exchange)));
}

/** Refuses a limit that the base accepted. */
function refuseLimit(status: number, test: (limit: number, exchange: Exchange) => boolean): Change {
  return changeLimit((limit, exchange) => (test(limit, exchange) ? makeRefusal(status) : limit));
}

function changeDefault(standard: number): Change {
  return (base) => ({ limits: { ...base.limits, standard } });
}

const all = Number.MAX_SAFE_INTEGER;

const isGiven = ({ query }: Exchange) => query.has('limit');
const isFiltered = ({ query }: Exchange) => query.has('status');

export const limitMutants = {
  ...breaking(stated.limitIsMaximum, ['records', 'own-records']).by({
    'limit-one-more: the look-ahead row is not cut off': changeLimit((limit, at) => (isGiven(at) ? limit + 1 : limit)),
    'limit-1-gives-2: limit=1 gives two pets': changeLimit((limit) => Math.max(2, limit)),
    'limit-ignored: limit is read by nobody': changeLimit((_limit, { server }) => server.limits.standard),
    'limit-ignored-with-filter': changeLimit((limit, exchange) => (isFiltered(exchange) ? all : limit)),
    'limit-per-status: without a filter the limit counts for each status alone': (base) => ({
      choosePage: (pets, query, exchange) => {
        if (query.status !== undefined) return base.choosePage(pets, query, exchange);
        const listed = [...pets];
        return statuses.flatMap((status) => base.choosePage(listed, { ...query, status }, exchange));
      },
    }),
    'limit-skips-pets-without-status: pets without a status are listed but not counted': (base) => ({
      choosePage: (pets, query, exchange) => {
        const listed: Pet[] = base.choosePage(pets, { ...query, limit: all }, exchange);
        let counted = 0;
        return listed.filter(({ status }) => counted < query.limit && (status === undefined || ++counted > 0));
      },
    }),
    'limit-raised-to-tens: the limit is rounded up to tens': changeLimit((limit) => Math.ceil(limit / 10) * 10),
    'limit-read-only-first: limit counts only as the first parameter': changeLimit((limit, { query, server }) =>
      [...query.keys()][0] === 'limit' ? limit : server.limits.standard,
    ),
  }),
  ...breaking(stated.limitIsMaximum, ['records'], { reading: 'full-pages' }).by({
    'limit-one-less: one pet less than the limit': changeLimit((limit) => Math.max(1, limit - 1)),
    'limit-of-exactly-all-drops-one: the last pet is missing when the limit is just the number of pets': (base) =>
      adjust('choosePage', (page, _, query, exchange) => {
        const matching = [...base.inListOrder(exchange.store, exchange)].filter((pet) =>
          base.matchesFilter(pet, query.status, exchange),
        );
        return isGiven(exchange) && matching.length === query.limit ? page.slice(0, -1) : page;
      })(base),
    'limit-1-gives-nothing: limit=1 gives an empty list': changeLimit((limit) => (limit === 1 ? 0 : limit)),
  }),
  ...breaking(stated.petsArray, ['body']).by({
    'limit-1-gives-object': changeList((items, at) => (readParameter(at, 'limit') === '1' ? items[0] : items)),
    'limit-changes-the-shape: with limit the list comes in an envelope': changeList((items, exchange) =>
      isGiven(exchange) ? { items, limit: BigInt(items.length) } : items,
    ),
  }),
  ...breaking(stated.limitBounds, ['status']).by({
    'limit-1-refused: the minimum is exclusive': refuseLimit(400, (limit) => limit === 1),
    'limit-100-refused: the maximum is exclusive': refuseLimit(400, (limit) => limit === 100),
    'limit-above-50-refused: the maximum is 50': refuseLimit(400, (limit) => limit > 50),
    'limit-below-10-refused: the minimum is 10': refuseLimit(400, (limit) => limit < 10),
    'limit-compared-as-text: 5 is more than 100': refuseLimit(400, (limit, at) => isGiven(at) && `${limit}` > '100'),
  }),
  ...breaking(stated.limitBounds, ['server-error']).by({
    'limit-100-breaks: limit=100 makes it crash': refuseLimit(500, (limit) => limit === 100),
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
    'limit-above-50-ignored: a limit above 50 gives everything': changeLimit((limit) => (limit > 50 ? all : limit)),
  }),
  ...breaking(stated.statusFilter, ['records'], { reading: 'full-pages' }).by({
    'limit-before-filter: the limit is applied before the filter, so that filtered pages come out short': (base) => ({
      choosePage: (pets, { limit, status }, exchange) =>
        base
          .choosePage(pets, { limit, status: undefined }, exchange)
          .filter((pet) => base.matchesFilter(pet, status, exchange)),
    }),
  }),
  ...breaking(stated.limitDefault, ['records', 'own-records']).by({
    'limit-remembered: a list without limit takes the limit of the list before': (base) => {
      let last: number | undefined;
      return changeLimit((limit, exchange) => (last = isGiven(exchange) ? limit : (last ?? limit)))(base);
    },
  }),
  ...breaking(stated.listAnswer, ['server-error']).by({
    'limit-with-filter-500: limit and status together make it crash': refuseWhen(
      500,
      (exchange) => exchange.operation === 'listPets' && isGiven(exchange) && isFiltered(exchange),
    ),
  }),
  ...breaking(stated.listAnswer, ['status']).by({
    'full-page-206: a page that reaches the limit comes as 206': changeReply(isList, (reply, exchange) => {
      const limit = exchange.server.readLimit(exchange.query.getAll('limit'), exchange);
      return isArray(reply.json) && reply.json.length === limit ? { ...reply, status: 206 } : reply;
    }),
  }),
  // ---- Another limit when none is given
  ...breaking(stated.limitDefault, ['records'], { reading: 'full-pages' }).by({
    'default-limit-10: the default of limit is 10': changeDefault(10),
    'default-limit-19: the default of limit is 19': changeDefault(19),
  }),
  ...breaking(stated.limitDefault, ['records', 'own-records']).by({
    'default-limit-21: the default of limit is 21': changeDefault(21),
    'default-limit-25: the default of limit is 25': changeDefault(25),
    'default-limit-100: the default of limit is 100': changeDefault(100),
    'default-limit-none: without limit the whole collection is listed': changeDefault(all),
  }),
  ...breaking(stated.limitDefault, ['own-records']).by({
    'default-limit-forgotten-with-filter': changeLimit((limit, at) => (isFiltered(at) && !isGiven(at) ? all : limit)),
  }),
  ...breaking(stated.limitIsMaximum, ['records', 'own-records']).by({
    'limit-20-means-no-limit: as if not given': changeLimit((limit, at) => (isGiven(at) && limit === 20 ? all : limit)),
  }),
  ...breaking(stated.limitIsOptional, ['status']).by({
    'limit-required: a list without limit is refused': refuseLimit(400, (_limit, exchange) => !isGiven(exchange)),
  }),
} satisfies Record<string, Mutant>;
