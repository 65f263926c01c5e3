import { makeSeedPet } from '../server/pets.js';
import type { Change, Exchange } from '../server/behaviour.js';
import { Refusal } from '../server/replies.js';
import { words } from '../../support/words.js';
import { adjust, feed, instead } from '../mutants/planting.js';
import { refuseNames } from './creation.js';
import { allow, open, type Variant } from './variant.js';

/** RFC 6750 section 2.1: what a bearer token can be written with. */
const CREDENTIALS = /^\S+( +[\w.~+/-]+=*)?$/;
const RESERVED = words`null undefined true false no yes ~ constructor __proto__`;

/** Refuses a body that was read, or that was not. */
function refuseBody(refusal: Refusal, test: (exchange: Exchange, isRead: boolean) => boolean): Change {
  return adjust('parseBody', (body, exchange) => (test(exchange, !(body instanceof Refusal)) ? refusal : body));
}

/** Lets others create pets when a request of some kind comes. */
export function othersCreate(test: (exchange: Exchange) => boolean): Change {
  return instead('intercept', (exchange) => {
    const { id: _id, createdAt: _createdAt, ...pet } = makeSeedPet(exchange.number);
    if (test(exchange)) void exchange.server.createPet(pet, exchange);
    return undefined;
  });
}

const malformed = new Refusal(400, 'invalid_request', 'The credentials are malformed.');
const unreadable = new Refusal(422, 'unreadable', 'The body is not JSON.');
const noLength = new Refusal(411, 'length_required', 'Say how long the body is.');
const otherSite = new Refusal(403, 'other_site', 'This site may not ask.');

/** Legal answers to what hardly anybody sends. */
export const oddRequestVariants = {
  ...allow(open.unreadable, { 'no-json-422': refuseBody(unreadable, (_exchange, isRead) => !isRead) }),
  ...allow(open.nameLimits, {
    'reserved-words-refused: words of programming languages': refuseNames((name) => RESERVED.includes(name)),
    'names-begin-with-a-letter: other names give 400': refuseNames((name) => !/^\p{L}/u.test(name)),
  }),
  ...allow('RFC 6750 section 3.1: 400 for a request that is malformed', {
    'malformed-credentials-400: credentials that are no token, or stand twice, give 400': adjust(
      'refuseKey',
      (refusal, { headers, fieldNames }) => {
        const { authorization } = headers;
        const fields = fieldNames.filter((name) => name.toLowerCase() === 'authorization');
        const isFine = authorization === undefined || (fields.length === 1 && CREDENTIALS.test(authorization));
        return isFine ? refusal : malformed;
      },
    ),
  }),
  ...allow('4: how soon a new pet is visible to other operations is not stated', {
    'unknown-ids-remembered: that an id is unknown is remembered for 700 ms': (base) => {
      const unknown = new Map<bigint, number>();
      return adjust('findPet', (found, id) => {
        if (Date.now() - (unknown.get(id) ?? 0) < 700) return undefined;
        if (found === undefined) unknown.set(id, Date.now());
        return found;
      })(base);
    },
  }),
  ...allow('RFC 9110 section 15.5.12: 411', {
    'length-required': refuseBody(noLength, ({ headers }) => headers['transfer-encoding'] !== undefined),
  }),
  ...allow('RFC 9110 section 15.5.18: 417', {
    'no-expectations: a body that waits to be asked for gives 417': () => ({
      tuneServer: (server) => {
        server.on('checkContinue', (_, response) => {
          response.writeHead(417, { 'content-type': 'application/json' });
          response.end('{"code":"no_expectations","message":"Send the body at once.","status":417}');
        });
      },
    }),
  }),
  ...allow('RFC 6454 section 7.3: a service may look at who asks', {
    'other-sites-forbidden: a page of another site gets 403': (base) =>
      instead('intercept', (exchange) =>
        exchange.headers.origin !== undefined && base.hasValidKey(exchange) ? otherSite : undefined,
      )(base),
  }),
  ...allow('RFC 8259 section 9: a parser may accept extensions', {
    'commas-too-many: a comma behind the last member is read': feed('parseBody', (exchange) => ({
      ...exchange,
      body: Buffer.from(exchange.body.toString().replace(/,\s*\}\s*$/, '}')),
    })),
  }),
  ...allow('1: the service has other clients', {
    'others-create-while-refused: others create a pet at every ninth creation that is sent': (base) => {
      let posts = 0;
      return othersCreate(({ method }) => method === 'POST' && ++posts % 9 === 0)(base);
    },
    // At no regular times: what repeats as often as they come meets them each time.
    'others-create-at-times': othersCreate(({ number }) => [0, 13, 36, 53, 82, 93].includes(number % 113)),
    'others-create-in-bursts: five pets at every hundredth request': othersCreate(({ number }) => number % 100 < 5),
  }),
  ...allow('2: an id is any int64, assigned by the service', {
    'ids-in-order-with-others': (base) => adjust('nextId', (_taken, store, pet) => base.nextId(store, pet))(base),
  }),
} satisfies Record<string, Variant>;
