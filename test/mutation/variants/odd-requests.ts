import { makeSeedPet, type NewPet } from '../server/pets.js';
import type { Change, Exchange } from '../server/behaviour.js';
import { Refusal } from '../server/replies.js';
import { allow, open, type Variant } from './variant.js';

/** Refuses pets of some names. */
function refuseNames(test: (name: string) => boolean): Change {
  return (base) => ({
    readNewPet: (body, exchange): NewPet | Refusal => {
      const pet = base.readNewPet(body, exchange);
      if (pet instanceof Refusal || typeof pet.name !== 'string' || !test(pet.name)) return pet;
      return new Refusal(400, 'invalid_name', 'No pet can have this name.');
    },
  });
}

/** RFC 6750 section 2.1: what a bearer token can be written with. */
const CREDENTIALS = /^\S+( +[\w.~+/-]+=*)?$/;
const RESERVED = new Set(['null', 'undefined', 'true', 'false', 'no', 'yes', '~', 'constructor', '__proto__']);

/** Lets others create pets when a request of some kind comes. */
function othersCreate(test: (exchange: Exchange) => boolean): Change {
  return (base) => ({
    intercept: (exchange) => {
      const { id: _id, createdAt: _createdAt, ...pet } = makeSeedPet(exchange.number);
      if (test(exchange)) void exchange.server.createPet(pet, exchange);
      return base.intercept(exchange);
    },
  });
}

/** Legal answers to what hardly anybody sends. */
export const oddRequestVariants = {
  ...allow(open.unreadable, {
    'no-json-422: a body that is not JSON gives 422': (base) => ({
      parseBody: (exchange) => {
        const read = base.parseBody(exchange);
        return read instanceof Refusal ? new Refusal(422, 'unreadable', 'The body is not JSON.') : read;
      },
    }),
  }),
  ...allow(open.nameLimits, {
    'reserved-words-refused: a name that is a word of a programming language gives 400': refuseNames((name) =>
      RESERVED.has(name),
    ),
    'names-begin-with-a-letter: a name that does not begin with a letter gives 400': refuseNames(
      (name) => !/^\p{L}/u.test(name),
    ),
  }),
  ...allow('RFC 6750 section 3.1: 400 for a request that is malformed', {
    'malformed-credentials-400: credentials that are no token, or stand twice, give 400': (base) => ({
      refuseKey: (exchange) => {
        const { authorization } = exchange.headers;
        const fields = exchange.fieldNames.filter((name) => name.toLowerCase() === 'authorization');
        const isFine = authorization === undefined || (fields.length === 1 && CREDENTIALS.test(authorization));
        return isFine
          ? base.refuseKey(exchange)
          : new Refusal(400, 'invalid_request', 'The credentials are malformed.');
      },
    }),
  }),
  ...allow('4: how soon a new pet is visible to other operations is not stated', {
    'unknown-ids-remembered: that an id is unknown is remembered for 700 ms': (base) => {
      const unknown = new Map<bigint, number>();
      return {
        findPet: (id, exchange) => {
          if (Date.now() - (unknown.get(id) ?? 0) < 700) return undefined;
          const found = base.findPet(id, exchange);
          if (found === undefined) unknown.set(id, Date.now());
          return found;
        },
      };
    },
  }),
  ...allow('RFC 9110 section 15.5.12: 411', {
    'length-required: a body whose length is not told before gives 411': (base) => ({
      parseBody: (exchange) =>
        exchange.headers['transfer-encoding'] === undefined
          ? base.parseBody(exchange)
          : new Refusal(411, 'length_required', 'Say how long the body is.'),
    }),
  }),
  ...allow('RFC 6454 section 7.3: a service may look at who asks', {
    'other-sites-forbidden: a page of another site gets 403': (base) => ({
      intercept: (exchange) =>
        exchange.headers.origin !== undefined && base.hasValidKey(exchange)
          ? new Refusal(403, 'other_site', 'This site may not ask.')
          : base.intercept(exchange),
    }),
  }),
  ...allow('RFC 8259 section 9: a parser may accept extensions', {
    'commas-too-many: a comma behind the last member is read': (base) => ({
      parseBody: (exchange) => {
        const body = Buffer.from(exchange.body.toString().replace(/,\s*\}\s*$/, '}'));
        return base.parseBody({ ...exchange, body });
      },
    }),
  }),
  ...allow('1: the service has other clients', {
    'others-create-while-refused: others create a pet at every ninth creation that is sent': (base) => {
      let posts = 0;
      return othersCreate(({ method }) => method === 'POST' && ++posts % 9 === 0)(base);
    },
    // At no regular times: what repeats as often as they come meets them each time.
    'others-create-at-times: others create a pet at about every nineteenth request': othersCreate(({ number }) =>
      [0, 13, 36, 53, 82, 93].includes(number % 113),
    ),
    'others-create-in-bursts: others create five pets at every hundredth request': othersCreate(
      ({ number }) => number % 100 < 5,
    ),
  }),
  ...allow('2: an id is any int64, assigned by the service', {
    'ids-in-order-with-others: ids are given in order, and others take every second one': (base) => ({
      nextId: (store, pet) => {
        base.nextId(store, pet);
        return base.nextId(store, pet);
      },
    }),
  }),
} satisfies Record<string, Variant>;
