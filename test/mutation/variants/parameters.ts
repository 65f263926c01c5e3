import { statuses } from '../server/pets.js';
import type { Change, Exchange } from '../server/behaviour.js';
import { seedAtLeast } from '../mutants/planting.js';
import { Refusal } from '../server/replies.js';
import { allow, open, type Variant } from './variant.js';

/** Decides again about a limit that the base refused. */
function reviseLimit(revise: (text: string, exchange: Exchange) => number | Refusal): Change {
  return (base) => ({
    readLimit: (texts, exchange) => {
      const limit = base.readLimit(texts, exchange);
      return limit instanceof Refusal ? revise(texts[0] ?? '', exchange) : limit;
    },
  });
}

/** Decides again about a status that the base refused. */
function reviseStatus(revise: (text: string) => string | undefined | Refusal): Change {
  return (base) => ({
    readStatusFilter: (texts, exchange) => {
      const status = base.readStatusFilter(texts, exchange);
      return status instanceof Refusal ? revise(texts[0] ?? '') : status;
    },
  });
}

/** Reads only one of several parameters of the same name. */
function pickRepeated(index: 0 | -1): Change {
  return (base) => ({
    readLimit: (texts, exchange) => base.readLimit(texts.slice(index).slice(0, 1), exchange),
    readStatusFilter: (texts, exchange) => base.readStatusFilter(texts.slice(index).slice(0, 1), exchange),
  });
}

function refuseIdWith(status: number): Change {
  return (base) => ({
    readPetId: (text, exchange) => {
      const id = base.readPetId(text, exchange);
      return id instanceof Refusal ? new Refusal(status, 'invalid_id', 'petId must be an integer (int64).') : id;
    },
  });
}

function clamp(text: string, { server }: Exchange): number {
  const { minimum, maximum, standard } = server.limits;
  const limit = Number(text || Number.NaN);
  return Number.isNaN(limit) ? standard : Math.min(maximum, Math.max(minimum, Math.trunc(limit)));
}

const unprocessable = () => new Refusal(422, 'unprocessable', 'A parameter has an invalid value.');
const knownParameters = ['limit', 'status'];

export const parameterVariants = {
  ...allow(open.parameters, {
    'clamps-limit: a limit out of bounds becomes the nearest bound': reviseLimit(clamp),
    'ignores-bad-limit: a limit out of bounds becomes the default': reviseLimit(
      (_text, { server }) => server.limits.standard,
    ),
    'bad-limit-422: a limit out of bounds gives 422': reviseLimit(unprocessable),
    'limit-0-gives-nothing: limit=0 gives an empty list': (base) => ({
      readLimit: (texts, exchange) => (texts.length === 1 && texts[0] === '0' ? 0 : base.readLimit(texts, exchange)),
    }),
    'limit-above-100-served: a limit up to 500 is served': reviseLimit((text) =>
      /^\d{3}$/.test(text) && Number(text) <= 500 ? Number(text) : unprocessable(),
    ),
    'limit-out-of-bounds-lists-all: a limit out of bounds lists every pet of three hundred': (base) => ({
      ...seedAtLeast(300)(base),
      ...reviseLimit(() => 1_000_000)(base),
    }),
    'limit-read-as-number: limit=5.0 and limit=1e1 are numbers too': reviseLimit((text) => {
      const limit = Number(text);
      return text !== '' && Number.isInteger(limit) && limit >= 1 && limit <= 100 ? limit : unprocessable();
    }),
    'unknown-status-422: an unknown status gives 422': reviseStatus(unprocessable),
    'unknown-status-empty: an unknown status gives an empty list': reviseStatus((text) => `unknown ${text}`),
    'unknown-status-ignored: an unknown status is no filter': reviseStatus(() => undefined),
    'status-in-any-case: status=SOLD is read as sold': reviseStatus(
      (text) => statuses.find((status) => status === text.toLowerCase()) ?? unprocessable(),
    ),
    'empty-status-ignored: an empty status is no filter': (base) => ({
      readStatusFilter: (texts, exchange) => (texts[0] === '' ? undefined : base.readStatusFilter(texts, exchange)),
    }),
    'empty-parameters-ignored: empty parameters count as absent': (base) => ({
      readLimit: (texts, exchange) => base.readLimit(texts.filter(Boolean), exchange),
      readStatusFilter: (texts, exchange) => base.readStatusFilter(texts.filter(Boolean), exchange),
    }),
  }),
  ...allow(open.repeated, {
    'first-parameter-wins: the first of repeated parameters counts': pickRepeated(0),
    'last-parameter-wins: the last of repeated parameters counts': pickRepeated(-1),
    'repeated-status-widens: repeated statuses are alternatives': (base) => ({
      readStatusFilter: (texts, exchange) => base.readStatusFilter(texts.slice(0, 1), exchange),
      matchesFilter: (pet, status, exchange) =>
        exchange.query.getAll('status').length > 1
          ? exchange.query.getAll('status').some((wanted) => wanted === pet.status)
          : base.matchesFilter(pet, status, exchange),
    }),
  }),
  ...allow('4.1: other parameters are not described', {
    'unknown-parameters-refused: a parameter that is not described gives 400': (base) => ({
      readLimit: (texts, exchange) =>
        [...exchange.query.keys()].every((name) => knownParameters.includes(name))
          ? base.readLimit(texts, exchange)
          : new Refusal(400, 'unknown_parameter', 'A parameter is not known.'),
    }),
  }),
  ...allow(open.paging, {
    'offset-parameter: there is an offset parameter': (base) => ({
      inListOrder: (store, exchange) =>
        [...base.inListOrder(store, exchange)].slice(
          Math.max(0, Math.trunc(Number(exchange.query.get('offset'))) || 0),
        ),
    }),
  }),
  ...allow(open.petId, {
    'malformed-id-400: a petId that is no int64 gives 400': refuseIdWith(400),
    'malformed-id-422: a petId that is no int64 gives 422': refuseIdWith(422),
    'id-with-leading-plus: a petId may have a plus sign and zeros in front': (base) => ({
      readPetId: (text, exchange) => base.readPetId(text.replace(/^\+/, ''), exchange),
    }),
  }),
} satisfies Record<string, Variant>;
