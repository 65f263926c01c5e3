import { Refusal } from '../server/replies.js';
import type { Mutant } from './mutant.js';
import { makeRefusal, readParameter } from './planting.js';
import { stated } from './stated.js';

/** Mutants that show only with the right request, or after the right one. */
export const deepRequestMutants = {
  'sold-duplicate-not-created': {
    title: 'a second pet that is sold and like the first is not created, the first is answered',
    breaks: stated.collection,
    foundBy: ['own-records'],
    change: (base) => ({
      createPet: (pet, exchange) => {
        const duplicate = exchange.store.pets.find(
          ({ name, status, createdAt }) => createdAt > 0 && status === 'sold' && name === pet.name,
        );
        return duplicate !== undefined && pet.status === 'sold' ? duplicate : base.createPet(pet, exchange);
      },
    }),
  },
  'media-type-with-charset-refused': {
    title: 'application/json with a charset is refused (the header is compared as text)',
    breaks: stated.mediaType,
    foundBy: ['status'],
    change: (base) => ({
      parseBody: (exchange) =>
        /;/.test(exchange.headers['content-type'] ?? '') ? makeRefusal(415) : base.parseBody(exchange),
    }),
  },
  'field-names-compared-by-case': {
    title: 'the key is read from Authorization, and from no field called authorization',
    breaks: stated.keyWorks,
    foundBy: ['status'],
    change: (base) => ({
      hasValidKey: (exchange) => exchange.fieldNames.includes('Authorization') && base.hasValidKey(exchange),
    }),
  },
  'limit-16-one-more': {
    title: 'limit=16 gives one pet more',
    breaks: stated.limitIsMaximum,
    foundBy: ['records', 'own-records'],
    change: (base) => ({
      readLimit: (texts, exchange) => {
        const limit = base.readLimit(texts, exchange);
        return limit instanceof Refusal || limit !== 16 ? limit : 17;
      },
    }),
  },
  'pending-limit-10-one-less': {
    title: 'limit=10 gives nine pets that are pending',
    breaks: stated.statusFilter,
    foundBy: ['records'],
    reading: 'full-pages',
    change: (base) => ({
      readLimit: (texts, exchange) => {
        const limit = base.readLimit(texts, exchange);
        const isMeant = limit === 10 && readParameter(exchange, 'status') === 'pending';
        return isMeant ? 9 : limit;
      },
    }),
  },
  'longest-list-needs-no-key': {
    title: 'the unfiltered list with limit=100 is open to everybody (the export path)',
    breaks: stated.everyOperation,
    foundBy: ['status'],
    change: (base) => ({
      hasValidKey: (exchange) =>
        base.hasValidKey(exchange) ||
        (exchange.operation === 'listPets' && exchange.query.size === 1 && readParameter(exchange, 'limit') === '100'),
    }),
  },
  'huge-ids-need-no-key': {
    title: 'an id past 2^53 is looked up before the key is',
    breaks: stated.everyOperation,
    foundBy: ['status'],
    change: (base) => ({
      hasValidKey: (exchange) =>
        base.hasValidKey(exchange) ||
        (exchange.operation === 'getPet' && Number(exchange.path.slice('/pets/'.length)) > 2 ** 53),
    }),
  },
  'refused-body-left-unread': {
    title: 'the body of a creation without a key is left on the connection, where the next request should be',
    breaks: stated.keyWorks,
    foundBy: ['status'],
    change: (base) => {
      const spoilt = new WeakSet<object>();
      return {
        intercept: (exchange) => (spoilt.delete(exchange.connection) ? makeRefusal(400) : base.intercept(exchange)),
        refuseKey: (exchange) => {
          if (exchange.operation === 'createPet') spoilt.add(exchange.connection);
          return base.refuseKey(exchange);
        },
      };
    },
  },
} satisfies Record<string, Mutant>;
