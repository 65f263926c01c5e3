import { Refusal } from '../server/replies.js';
import { breaking, type Mutant } from './mutant.js';
import { makeRefusal, readParameter } from './planting.js';
import { stated } from './stated.js';

/** Mutants that show only with the right request, or after the right one. */
export const deepRequestMutants = {
  ...breaking(stated.collection, ['own-records']).by({
    'sold-duplicate-not-created: a second pet that is sold and like the first is not created, the first is answered': (
      base,
    ) => ({
      createPet: (pet, exchange) => {
        const duplicate = exchange.store.pets.find(
          ({ name, status, createdAt }) => createdAt > 0 && status === 'sold' && name === pet.name,
        );
        return duplicate !== undefined && pet.status === 'sold' ? duplicate : base.createPet(pet, exchange);
      },
    }),
  }),
  ...breaking(stated.mediaType, ['status']).by({
    'media-type-with-charset-refused: application/json with a charset is refused (the header is compared as text)': (
      base,
    ) => ({
      parseBody: (exchange) =>
        /;/.test(exchange.headers['content-type'] ?? '') ? makeRefusal(415) : base.parseBody(exchange),
    }),
  }),
  ...breaking(stated.keyWorks, ['status']).by({
    'field-names-compared-by-case: the key is read from Authorization, and from no field called authorization': (
      base,
    ) => ({
      hasValidKey: (exchange) => exchange.fieldNames.includes('Authorization') && base.hasValidKey(exchange),
    }),
    'refused-body-left-unread: the body of a creation without a key is left on the connection, where the next request should be':
      (base) => {
        const spoilt = new WeakSet<object>();
        return {
          intercept: (exchange) => (spoilt.delete(exchange.connection) ? makeRefusal(400) : base.intercept(exchange)),
          refuseKey: (exchange) => {
            if (exchange.operation === 'createPet') spoilt.add(exchange.connection);
            return base.refuseKey(exchange);
          },
        };
      },
  }),
  ...breaking(stated.limitIsMaximum, ['records', 'own-records']).by({
    'limit-16-one-more: limit=16 gives one pet more': (base) => ({
      readLimit: (texts, exchange) => {
        const limit = base.readLimit(texts, exchange);
        return limit instanceof Refusal || limit !== 16 ? limit : 17;
      },
    }),
  }),
  ...breaking(stated.statusFilter, ['records'], { reading: 'full-pages' }).by({
    'pending-limit-10-one-less: limit=10 gives nine pets that are pending': (base) => ({
      readLimit: (texts, exchange) => {
        const limit = base.readLimit(texts, exchange);
        const isMeant = limit === 10 && readParameter(exchange, 'status') === 'pending';
        return isMeant ? 9 : limit;
      },
    }),
  }),
  ...breaking(stated.everyOperation, ['status']).by({
    'longest-list-needs-no-key: the unfiltered list with limit=100 is open to everybody (the export path)': (base) => ({
      hasValidKey: (exchange) =>
        base.hasValidKey(exchange) ||
        (exchange.operation === 'listPets' && exchange.query.size === 1 && readParameter(exchange, 'limit') === '100'),
    }),
    'huge-ids-need-no-key: an id past 2^53 is looked up before the key is': (base) => ({
      hasValidKey: (exchange) =>
        base.hasValidKey(exchange) ||
        (exchange.operation === 'getPet' && Number(exchange.path.slice('/pets/'.length)) > 2 ** 53),
    }),
  }),
} satisfies Record<string, Mutant>;
