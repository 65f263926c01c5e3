import type { NewAnimal } from '../server/animals.js';
import type { Change } from '../server/behaviour.js';
import { Refusal } from '../server/replies.js';
import { open, type Variant } from './variant.js';

/** Refuses animals of some names. */
function refuseNames(test: (name: string) => boolean): Change {
  return (base) => ({
    readNewPet: (body, exchange): NewAnimal | Refusal => {
      const animal = base.readNewPet(body, exchange);
      if (animal instanceof Refusal || typeof animal.name !== 'string' || !test(animal.name)) return animal;
      return new Refusal(400, 'invalid_name', 'No animal can have this name.');
    },
  });
}

/** RFC 6750 section 2.1: what a bearer token can be written with. */
const CREDENTIALS = /^\S+( +[\w.~+/-]+=*)?$/;
const RESERVED = new Set(['null', 'undefined', 'true', 'false', 'no', 'yes', '~', 'constructor', '__proto__']);

/** Legal answers to what hardly anybody sends. */
export const oddRequestVariants = {
  'reserved-words-refused': {
    title: 'a name that is a word of a programming language gives 400',
    leavesOpen: open.nameLimits,
    change: refuseNames((name) => RESERVED.has(name)),
  },
  'names-begin-with-a-letter': {
    title: 'a name that does not begin with a letter gives 400',
    leavesOpen: open.nameLimits,
    change: refuseNames((name) => !/^\p{L}/u.test(name)),
  },
  'malformed-credentials-400': {
    title: 'credentials that are no token, or stand twice, give 400',
    leavesOpen: 'RFC 6750 section 3.1: 400 for a request that is malformed',
    change: (base) => ({
      refuseKey: (exchange) => {
        const { authorization } = exchange.headers;
        const fields = exchange.fieldNames.filter((name) => name.toLowerCase() === 'authorization');
        const isFine = authorization === undefined || (fields.length === 1 && CREDENTIALS.test(authorization));
        return isFine
          ? base.refuseKey(exchange)
          : new Refusal(400, 'invalid_request', 'The credentials are malformed.');
      },
    }),
  },
  'unknown-ids-remembered': {
    title: 'that an id is unknown is remembered for 700 ms',
    leavesOpen: '4: how soon a new animal is visible to other operations is not stated',
    change: (base) => {
      const unknown = new Map<bigint, number>();
      return {
        findAnimal: (id, exchange) => {
          if (Date.now() - (unknown.get(id) ?? 0) < 700) return undefined;
          const found = base.findAnimal(id, exchange);
          if (found === undefined) unknown.set(id, Date.now());
          return found;
        },
      };
    },
  },
} satisfies Record<string, Variant>;
