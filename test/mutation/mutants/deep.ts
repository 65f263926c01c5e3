import type { Change, Exchange } from '../server/behaviour.js';
import { isObject, printJson, type JsonObject, type JsonValue } from '../server/exact-json.js';
import { Refusal, type Reply } from '../server/replies.js';
import { breaking, type Mutant } from './mutant.js';
import {
  answers,
  changeItem,
  changeList,
  changePets,
  changeReply,
  htmlPage,
  isList,
  readParameter,
  refuseWhen,
  replaceBody,
  roundToDouble,
} from './planting.js';
import { stated } from './stated.js';

const isCreated = answers('createPet', 201);

/** A change that sets in with the n-th answer of a kind, or with every n-th. */
function countedReplies(
  applies: (reply: Reply, exchange: Exchange) => boolean,
  isMeant: (count: number) => boolean,
  change: (reply: Reply) => Reply,
): Change {
  return (base) => {
    let count = 0;
    return changeReply(applies, (reply) => {
      count += 1;
      return isMeant(count) ? change(reply) : reply;
    })(base);
  };
}

function changeObject(reply: Reply, change: (body: JsonObject) => JsonValue): Reply {
  return isObject(reply.json) ? { ...reply, json: change(reply.json) } : reply;
}

/** Mutants that show only in the right place or at the right time. */
export const deepMutants = {
  ...breaking(stated.created, ['body']).by({
    'tenth-create-lacks-id: from the tenth creation on, 201 has no id': countedReplies(
      isCreated,
      (count) => count >= 10,
      (reply) => changeObject(reply, (pet) => ({ ...pet, id: undefined })),
    ),
  }),
  ...breaking(stated.uniqueId, ['record', 'own-records']).by({
    'fifth-create-reuses-id: the fifth pet created gets the id of the first one created': (base) => {
      const given: bigint[] = [];
      return {
        nextId: (store, pet) => {
          const id = given.length === 4 ? (given[0] ?? 1n) : base.nextId(store, pet);
          given.push(id);
          return id;
        },
      };
    },
  }),
  ...breaking(stated.created, ['status']).by({
    'third-create-200: the third creation answers 200': countedReplies(
      isCreated,
      (count) => count === 3,
      (reply) => ({ ...reply, status: 200 }),
    ),
  }),
  ...breaking(stated.uniqueId, ['own-records']).by({
    'fifth-list-repeats: every fifth list shows its first pet twice': countedReplies(
      isList,
      (count) => count % 5 === 0,
      (reply) =>
        Array.isArray(reply.json) ? { ...reply, json: [...reply.json.slice(0, 1), ...reply.json.slice(0, -1)] } : reply,
    ),
  }),
  ...breaking(stated.statusFilter, ['records']).by({
    'second-request-unfiltered: from the second request of a connection on, the filter is ignored': (base) => {
      const seen = new WeakSet<object>();
      return {
        matchesFilter: (pet, status, exchange) =>
          seen.has(exchange.connection) || base.matchesFilter(pet, status, exchange),
        shape: (reply, exchange) => {
          seen.add(exchange.connection);
          return base.shape(reply, exchange);
        },
      };
    },
    'pending-limit-leaks: only pending with a limit lists sold ones too': (base) => ({
      matchesFilter: (pet, status, exchange) =>
        base.matchesFilter(pet, status, exchange) ||
        (status === 'pending' && pet.status === 'sold' && exchange.query.has('limit')),
    }),
  }),
  ...breaking(stated.listAnswer, ['status']).by({
    'repeated-list-304: the second list of the same URL is 304, though nobody asked': (base) => {
      const seen = new Set<string>();
      return changeReply(isList, (reply, { query }) => {
        if (seen.delete(String(query))) return { status: 304, headers: {}, json: undefined };
        seen.add(String(query));
        return reply;
      })(base);
    },
  }),
  ...breaking(stated.collection, ['records'], { reading: 'complete-lists' }).by({
    'list-cached-for-good: a list is never computed twice for one URL': (base) => {
      const cached = new Map<string, Reply>();
      return changeReply(isList, (reply, { query }) => {
        const known = cached.get(String(query)) ?? reply;
        cached.set(String(query), known);
        return known;
      })(base);
    },
  }),
  ...breaking(stated.unauthorized, ['status']).by({
    'cached-list-needs-no-key: a list that was served before is served without a key': (base) => {
      const served = new Set<string>();
      return {
        hasValidKey: (exchange) => {
          const isValid = base.hasValidKey(exchange);
          if (exchange.operation !== 'listPets') return isValid;
          if (isValid) served.add(String(exchange.query));
          return served.has(String(exchange.query));
        },
      };
    },
    'list-401-at-200: listPets without a key is answered with an empty list': changeReply(
      answers('listPets', 401),
      () => ({ status: 200, headers: {}, json: [] }),
    ),
  }),
  ...breaking(stated.petStatus, ['body']).by({
    'last-item-shouts: only the last pet of a list has its status in capitals': changeItem(-1, (pet) =>
      typeof pet.status === 'string' ? { ...pet, status: pet.status.toUpperCase() } : pet,
    ),
  }),
  ...breaking(stated.petName, ['body']).by({
    'twenty-first-item-nameless: the 21st pet of a list has no name (a lazy page was not loaded)': changeItem(
      20,
      (pet) => ({ ...pet, name: undefined }),
    ),
  }),
  ...breaking(stated.petId, ['body']).by({
    'id-text-past-50: ids are strings from the 51st pet of a list on': changeList((items) =>
      items.map((item, index) => (index >= 50 && isObject(item) ? { ...item, id: printJson(item.id ?? null) } : item)),
    ),
  }),
  ...breaking(stated.limitIsMaximum, ['records', 'own-records']).by({
    'odd-limit-one-more: an odd limit above ten gives one pet more': (base) => ({
      readLimit: (texts, exchange) => {
        const limit = base.readLimit(texts, exchange);
        return !(limit instanceof Refusal) && limit > 10 && limit % 2 === 1 ? limit + 1 : limit;
      },
    }),
  }),
  ...breaking(stated.listAnswer, ['server-error']).by({
    'limit-100-and-filter-500: limit=100 together with a filter makes it crash': refuseWhen(
      (exchange) =>
        exchange.operation === 'listPets' && readParameter(exchange, 'limit') === '100' && exchange.query.has('status'),
      500,
    ),
  }),
  ...breaking(stated.getOnePet, ['record']).by({
    'created-sold-fetched-available: a pet created as sold is available when fetched': changePets(
      'getPet',
      (pet, { createdAt }) => (createdAt > 0 && pet.status === 'sold' ? { ...pet, status: 'available' } : pet),
    ),
  }),
  ...breaking(stated.collection, ['status', 'records']).by({
    'same-category-replaces: a second new pet of one category replaces the first': (base) => ({
      createPet: async (pet, exchange) => {
        const { pets } = exchange.store;
        const rival = pets.find(({ createdAt, categoryId }) => createdAt > 0 && categoryId === pet.categoryId);
        const created = await base.createPet(pet, exchange);
        if (rival !== undefined) pets.splice(pets.indexOf(rival), 1);
        return created;
      },
    }),
  }),
  ...breaking(stated.created, ['record']).by({
    'long-name-drops-status: a pet with a name above 64 characters is created without its status': (base) => ({
      createPet: (pet, exchange) => {
        const { name, categoryId } = pet;
        return base.createPet(typeof name === 'string' && name.length > 64 ? { name, categoryId } : pet, exchange);
      },
    }),
  }),
  ...breaking(stated.uniqueId, ['records', 'own-records'], {
    needs: () => ({ nextId: ({ pets }) => 2n ** 60n + BigInt(pets.length) }),
  }).by({
    'ids-rounded-in-lists: ids past 2^53 are rounded in lists': changePets('listPets', (pet) => ({
      ...pet,
      id: roundToDouble(pet.id),
    })),
  }),
  ...breaking(stated.mediaType, ['content-type', 'json']).by({
    'html-without-accept: a request without an Accept header gets HTML': replaceBody(
      (_reply, { headers }) => headers.accept === undefined,
      'text/html',
      htmlPage,
    ),
    'html-for-any-accept: Accept: */* gets HTML': replaceBody(
      (_reply, { headers }) => headers.accept === '*/*',
      'text/html',
      htmlPage,
    ),
  }),
  ...breaking(stated.errorBody, ['error-body']).by({
    'second-404-without-body: every second 404 has no body': countedReplies(
      answers('getPet', 404),
      (count) => count % 2 === 0,
      (reply) => ({ ...reply, json: undefined }),
    ),
  }),
  ...breaking(stated.errorFields, ['error-body']).by({
    'empty-body-message-null: message is null when the body is empty': changeReply(
      (reply, { operation, body }) => operation === 'createPet' && reply.status === 400 && body.length === 0,
      (reply) => changeObject(reply, (error) => ({ ...error, message: null })),
    ),
  }),
} satisfies Record<string, Mutant>;
