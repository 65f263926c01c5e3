import { statuses } from '../server/pets.js';
import type { Change, Exchange } from '../server/behaviour.js';
import { adjust, all, feed, instead, seedAtLeast } from '../mutants/planting.js';
import { Refusal } from '../server/replies.js';
import { allow, open, type Variant } from './variant.js';

/** Decides again about a limit that the base refused. */
function reviseLimit(revise: (text: string, exchange: Exchange) => number | Refusal): Change {
  return adjust('readLimit', (limit, [text = ''], exchange) =>
    limit instanceof Refusal ? revise(text, exchange) : limit,
  );
}

/** Decides again about a status that the base refused. */
function reviseStatus(revise: (text: string) => string | undefined | Refusal): Change {
  return adjust('readStatusFilter', (status, [text = '']) => (status instanceof Refusal ? revise(text) : status));
}

/** Reads some of the values that a parameter has. */
function readSome(pick: (texts: readonly string[]) => readonly string[]): Change {
  return all(feed('readLimit', pick), feed('readStatusFilter', pick));
}

function refuseIdWith(status: number): Change {
  const refusal = new Refusal(status, 'invalid_id', 'petId must be an integer (int64).');
  return adjust('readPetId', (id) => (id instanceof Refusal ? refusal : id));
}

function clamp(text: string, { server }: Exchange): number {
  const { minimum, maximum, standard } = server.limits;
  const limit = Number(text || Number.NaN);
  return Number.isNaN(limit) ? standard : Math.min(maximum, Math.max(minimum, Math.trunc(limit)));
}

const unprocessable = () => new Refusal(422, 'unprocessable', 'A parameter has an invalid value.');
const notKnown = new Refusal(400, 'unknown_parameter', 'A parameter is not known.');

export const parameterVariants = {
  ...allow(open.parameters, {
    'clamps-limit: a limit out of bounds becomes the nearest bound': reviseLimit(clamp),
    'ignores-bad-limit: it becomes the default': reviseLimit((_text, { server }) => server.limits.standard),
    'bad-limit-422: a limit out of bounds gives 422': reviseLimit(unprocessable),
    'limit-0-gives-nothing': adjust('readLimit', (limit, texts) => (texts.join() === '0' ? 0 : limit)),
    'limit-above-100-served: a limit up to 500 is served': reviseLimit((text) =>
      /^\d{3}$/.test(text) && Number(text) <= 500 ? Number(text) : unprocessable(),
    ),
    'limit-out-of-bounds-lists-all: of three hundred': all(
      seedAtLeast(300),
      reviseLimit(() => 1_000_000),
    ),
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
    'empty-status-ignored': adjust('readStatusFilter', (status, [text]) => (text === '' ? undefined : status)),
    'empty-parameters-ignored: empty parameters count as absent': readSome((texts) => texts.filter(Boolean)),
  }),
  ...allow(open.repeated, {
    'first-parameter-wins: the first of repeated parameters counts': readSome((texts) => texts.slice(0, 1)),
    'last-parameter-wins: the last of repeated parameters counts': readSome((texts) => texts.slice(-1)),
    'repeated-status-widens: repeated statuses are alternatives': all(
      feed('readStatusFilter', (texts) => texts.slice(0, 1)),
      adjust('matchesFilter', (matches, pet, _status, { query }) => {
        const wanted = query.getAll('status');
        return wanted.length > 1 ? wanted.some((status) => status === pet.status) : matches;
      }),
    ),
  }),
  ...allow('4.1: other parameters are not described', {
    'unknown-parameters-refused: a parameter that is not described gives 400': instead(
      'readLimit',
      (_texts, { query }) =>
        [...query.keys()].every((name) => name === 'limit' || name === 'status') ? undefined : notKnown,
    ),
  }),
  ...allow(open.paging, {
    'offset-parameter: there is an offset parameter': adjust('inListOrder', (pets, _store, { query }) =>
      [...pets].slice(Math.max(0, Math.trunc(Number(query.get('offset'))) || 0)),
    ),
  }),
  ...allow(open.petId, {
    'malformed-id-400: a petId that is no int64 gives 400': refuseIdWith(400),
    'malformed-id-422: a petId that is no int64 gives 422': refuseIdWith(422),
    'id-with-leading-plus: plus signs and zeros in front': feed('readPetId', (text) => text.replace(/^\+/, '')),
  }),
} satisfies Record<string, Variant>;
