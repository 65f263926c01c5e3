import type { Change, Exchange } from '../server/behaviour.js';
import { isObject, printJson, type JsonObject, type JsonValue } from '../server/exact-json.js';
import { Refusal, type Reply } from '../server/replies.js';
import type { Mutant } from './mutant.js';
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
  'tenth-create-lacks-id': {
    title: 'from the tenth creation on, 201 has no id',
    breaks: stated.created,
    foundBy: ['body'],
    change: countedReplies(
      isCreated,
      (count) => count >= 10,
      (reply) => changeObject(reply, (pet) => ({ ...pet, id: undefined })),
    ),
  },
  'fifth-create-reuses-id': {
    title: 'the fifth pet created gets the id of the first one created',
    breaks: stated.uniqueId,
    foundBy: ['record', 'own-records'],
    change: (base) => {
      const given: bigint[] = [];
      return {
        nextId: (store, pet) => {
          const id = given.length === 4 ? (given[0] ?? 1n) : base.nextId(store, pet);
          given.push(id);
          return id;
        },
      };
    },
  },
  'third-create-200': {
    title: 'the third creation answers 200',
    breaks: stated.created,
    foundBy: ['status'],
    change: countedReplies(
      isCreated,
      (count) => count === 3,
      (reply) => ({ ...reply, status: 200 }),
    ),
  },
  'fifth-list-repeats': {
    title: 'every fifth list shows its first pet twice',
    breaks: stated.uniqueId,
    foundBy: ['own-records'],
    change: countedReplies(
      isList,
      (count) => count % 5 === 0,
      (reply) =>
        Array.isArray(reply.json) ? { ...reply, json: [...reply.json.slice(0, 1), ...reply.json.slice(0, -1)] } : reply,
    ),
  },
  'second-request-unfiltered': {
    title: 'from the second request of a connection on, the filter is ignored',
    breaks: stated.statusFilter,
    foundBy: ['records'],
    change: (base) => {
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
  },
  'repeated-list-304': {
    title: 'the second list of the same URL is 304, though nobody asked',
    breaks: stated.listAnswer,
    foundBy: ['status'],
    change: (base) => {
      const seen = new Set<string>();
      return changeReply(isList, (reply, { query }) => {
        if (seen.delete(String(query))) return { status: 304, headers: {}, json: undefined };
        seen.add(String(query));
        return reply;
      })(base);
    },
  },
  'list-cached-for-good': {
    title: 'a list is never computed twice for one URL',
    breaks: stated.collection,
    foundBy: ['records'],
    reading: 'complete-lists',
    change: (base) => {
      const cached = new Map<string, Reply>();
      return changeReply(isList, (reply, { query }) => {
        const known = cached.get(String(query)) ?? reply;
        cached.set(String(query), known);
        return known;
      })(base);
    },
  },
  'cached-list-needs-no-key': {
    title: 'a list that was served before is served without a key',
    breaks: stated.unauthorized,
    foundBy: ['status'],
    change: (base) => {
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
  },
  'last-item-shouts': {
    title: 'only the last pet of a list has its status in capitals',
    breaks: stated.petStatus,
    foundBy: ['body'],
    change: changeItem(-1, (pet) =>
      typeof pet.status === 'string' ? { ...pet, status: pet.status.toUpperCase() } : pet,
    ),
  },
  'twenty-first-item-nameless': {
    title: 'the 21st pet of a list has no name (a lazy page was not loaded)',
    breaks: stated.petName,
    foundBy: ['body'],
    change: changeItem(20, (pet) => ({ ...pet, name: undefined })),
  },
  'id-text-past-50': {
    title: 'ids are strings from the 51st pet of a list on',
    breaks: stated.petId,
    foundBy: ['body'],
    change: changeList((items) =>
      items.map((item, index) => (index >= 50 && isObject(item) ? { ...item, id: printJson(item.id ?? null) } : item)),
    ),
  },
  'pending-limit-leaks': {
    title: 'only pending with a limit lists sold ones too',
    breaks: stated.statusFilter,
    foundBy: ['records'],
    change: (base) => ({
      matchesFilter: (pet, status, exchange) =>
        base.matchesFilter(pet, status, exchange) ||
        (status === 'pending' && pet.status === 'sold' && exchange.query.has('limit')),
    }),
  },
  'odd-limit-one-more': {
    title: 'an odd limit above ten gives one pet more',
    breaks: stated.limitIsMaximum,
    foundBy: ['records', 'own-records'],
    change: (base) => ({
      readLimit: (texts, exchange) => {
        const limit = base.readLimit(texts, exchange);
        return !(limit instanceof Refusal) && limit > 10 && limit % 2 === 1 ? limit + 1 : limit;
      },
    }),
  },
  'limit-100-and-filter-500': {
    title: 'limit=100 together with a filter makes it crash',
    breaks: stated.listAnswer,
    foundBy: ['server-error'],
    change: refuseWhen(
      (exchange) =>
        exchange.operation === 'listPets' && readParameter(exchange, 'limit') === '100' && exchange.query.has('status'),
      500,
    ),
  },
  'created-sold-fetched-available': {
    title: 'a pet created as sold is available when fetched',
    breaks: stated.getOnePet,
    foundBy: ['record'],
    change: changePets('getPet', (pet, { createdAt }) =>
      createdAt > 0 && pet.status === 'sold' ? { ...pet, status: 'available' } : pet,
    ),
  },
  'same-category-replaces': {
    title: 'a second new pet of one category replaces the first',
    breaks: stated.collection,
    foundBy: ['status', 'records'],
    change: (base) => ({
      createPet: async (pet, exchange) => {
        const { pets } = exchange.store;
        const rival = pets.find(({ createdAt, categoryId }) => createdAt > 0 && categoryId === pet.categoryId);
        const created = await base.createPet(pet, exchange);
        if (rival !== undefined) pets.splice(pets.indexOf(rival), 1);
        return created;
      },
    }),
  },
  'long-name-drops-status': {
    title: 'a pet with a name above 64 characters is created without its status',
    breaks: stated.created,
    foundBy: ['record'],
    change: (base) => ({
      createPet: (pet, exchange) => {
        const { name, categoryId } = pet;
        return base.createPet(typeof name === 'string' && name.length > 64 ? { name, categoryId } : pet, exchange);
      },
    }),
  },
  'ids-rounded-in-lists': {
    title: 'ids past 2^53 are rounded in lists',
    breaks: stated.uniqueId,
    foundBy: ['records', 'own-records'],
    needs: () => ({ nextId: ({ pets }) => 2n ** 60n + BigInt(pets.length) }),
    change: changePets('listPets', (pet) => ({ ...pet, id: roundToDouble(pet.id) })),
  },
  'html-without-accept': {
    title: 'a request without an Accept header gets HTML',
    breaks: stated.mediaType,
    foundBy: ['content-type', 'json'],
    change: replaceBody((_reply, { headers }) => headers.accept === undefined, 'text/html', htmlPage),
  },
  'html-for-any-accept': {
    title: 'Accept: */* gets HTML',
    breaks: stated.mediaType,
    foundBy: ['content-type', 'json'],
    change: replaceBody((_reply, { headers }) => headers.accept === '*/*', 'text/html', htmlPage),
  },
  'list-401-at-200': {
    title: 'listPets without a key is answered with an empty list',
    breaks: stated.unauthorized,
    foundBy: ['status'],
    change: changeReply(answers('listPets', 401), () => ({ status: 200, headers: {}, json: [] })),
  },
  'second-404-without-body': {
    title: 'every second 404 has no body',
    breaks: stated.errorBody,
    foundBy: ['error-body'],
    change: countedReplies(
      answers('getPet', 404),
      (count) => count % 2 === 0,
      (reply) => ({ ...reply, json: undefined }),
    ),
  },
  'empty-body-message-null': {
    title: 'message is null when the body is empty',
    breaks: stated.errorFields,
    foundBy: ['error-body'],
    change: changeReply(
      (reply, { operation, body }) => operation === 'createPet' && reply.status === 400 && body.length === 0,
      (reply) => changeObject(reply, (error) => ({ ...error, message: null })),
    ),
  },
} satisfies Record<string, Mutant>;
