import { setTimeout as wait } from 'node:timers/promises';
import type { Pet, NewPet } from '../server/pets.js';
import type { Change, Exchange } from '../server/behaviour.js';
import { isObject, type JsonValue } from '../server/exact-json.js';
import { Refusal } from '../server/replies.js';
import { breaking, type Mutant } from './mutant.js';
import { stated } from './stated.js';

function leaveBehind(pet: NewPet, exchange: Exchange): void {
  void exchange.server.createPet(pet, exchange);
}

/** Refuses as the base does, and keeps something of what it refused. */
function keepRefused(keep: (body: JsonValue) => NewPet): Change {
  return (base) => ({
    readNewPet: (body, exchange) => {
      const pet = base.readNewPet(body, exchange);
      if (pet instanceof Refusal) leaveBehind(keep(body), exchange);
      return pet;
    },
  });
}

/** Mutants in what is kept, and under which id. */
export const hiddenRecordMutants = {
  ...breaking(stated.refused, ['status', 'body']).by({
    'refused-body-stored-nameless: an invalid body is refused, but a pet without its name stays in the collection':
      keepRefused((body) => ({
        name: 'unnamed',
        categoryId: isObject(body) && typeof body.categoryId === 'bigint' ? body.categoryId : 1n,
      })),
  }),
  ...breaking(stated.refused, ['status']).by({
    'refused-body-leaves-a-draft: an invalid body is refused, but a draft with nothing of it stays in the collection':
      keepRefused(() => ({ name: 'draft', categoryId: 1n, status: 'pending' })),
    'unknown-status-leaves-a-draft: an unknown status is refused, but an empty pet stays in the collection': (
      base,
    ) => ({
      readNewPet: (body, exchange) => {
        const pet = base.readNewPet(body, exchange);
        const isMeant = pet instanceof Refusal && isObject(body) && typeof body.status === 'string';
        if (isMeant) leaveBehind({ name: '', categoryId: 1n }, exchange);
        return pet;
      },
    }),
    'malformed-body-leaves-a-draft: a body that is no JSON is refused, but an empty pet stays in the collection': (
      base,
    ) => ({
      parseBody: (exchange) => {
        const body = base.parseBody(exchange);
        if (body instanceof Refusal) leaveBehind({ name: 'draft', categoryId: 1n }, exchange);
        return body;
      },
    }),
  }),
  ...breaking(stated.unauthorized, ['status']).by({
    'keyless-create-leaves-a-draft: a creation without a key is refused, but an empty pet stays in the collection': (
      base,
    ) => ({
      refuseKey: (exchange) => {
        if (exchange.operation === 'createPet') leaveBehind({ name: 'draft', categoryId: 1n }, exchange);
        return base.refuseKey(exchange);
      },
    }),
  }),
  ...breaking(stated.collection, ['record']).by({
    'equal-creates-at-once-are-one: two equal creations at the same time are taken for one': (base) => {
      const underWay = new Map<string, Promise<Pet>>();
      return {
        createPet: (pet, exchange) => {
          const key = exchange.body.toString('latin1');
          const known = underWay.get(key);
          if (known !== undefined) return known;
          const creating = wait(15).then(() => base.createPet(pet, exchange));
          underWay.set(key, creating);
          return creating.finally(() => underWay.delete(key));
        },
      };
    },
  }),
  ...breaking(stated.uniqueId, ['record', 'own-records']).by({
    'equal-creates-at-once-share-an-id: two equal creations at the same time get one id for two pets': (base) => {
      const given = new Map<string, bigint>();
      return {
        createPet: async (pet, exchange) => {
          const key = exchange.body.toString('latin1');
          const id = given.get(key) ?? base.nextId(exchange.store, pet);
          given.set(key, id);
          await wait(15);
          given.delete(key);
          const created = { ...pet, id, createdAt: Date.now() };
          exchange.store.pets.push(created);
          return created;
        },
      };
    },
  }),
  ...breaking(stated.getOnePet, ['status']).by({
    'asked-before-it-existed: a pet whose id was asked for before it existed is never found (404 is cached)': (
      base,
    ) => {
      const unknown = new Set<bigint>();
      return {
        findPet: (id, exchange) => {
          const found = unknown.has(id) ? undefined : base.findPet(id, exchange);
          if (found === undefined) unknown.add(id);
          return found;
        },
      };
    },
    'escaped-id-not-found: an id with a percent escape in it finds no pet': (base) => ({
      findPet: (id, exchange) => (exchange.path.includes('%') ? undefined : base.findPet(id, exchange)),
    }),
  }),
} satisfies Record<string, Mutant>;
