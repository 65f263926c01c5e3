import { setTimeout as wait } from 'node:timers/promises';
import type { NewPet } from '../server/pets.js';
import type { Change } from '../server/behaviour.js';
import { isObject, printJson, type JsonObject, type JsonValue } from '../server/exact-json.js';
import { breaking, type Mutant } from './mutant.js';
import { answers, changeBody, changeNames, changePets, changeReply, changeStatus } from './planting.js';
import { stated } from './stated.js';

/** Changes how a pet looks in the answer to createPet only. */
function changeCreated(change: (pet: JsonObject) => JsonObject): Change {
  return changePets('createPet', change);
}

/** Stores something else than what was sent. */
function changeStored(change: (pet: NewPet) => NewPet): Change {
  return (base) => ({ createPet: (pet, exchange) => base.createPet(change(pet), exchange) });
}

function withStatus(pet: NewPet, status: JsonValue): NewPet {
  return { ...pet, status };
}

function withoutStatus({ name, categoryId }: NewPet): NewPet {
  return { name, categoryId };
}

function readLatin1AsUtf8(name: JsonValue): JsonValue {
  return typeof name === 'string' ? Buffer.from(name).toString('latin1') : name;
}

const isCreated = answers('createPet', 201);

/** Mutants in what createPet answers to and does with a valid body. */
export const createMutants = {
  ...breaking(stated.created, ['status']).by({
    'create-200: createPet returns 200 instead of 201': changeStatus(isCreated, 200),
    'create-202: createPet answers 202': changeStatus(isCreated, 202),
    'create-204: createPet answers 204 without a body': changeStatus(isCreated, 204),
    'create-303: createPet redirects to the new pet': changeReply(isCreated, ({ json }) => ({
      status: 303,
      headers: { location: `/v1/pets/${isObject(json) ? printJson(json.id ?? null) : ''}` },
      json: undefined,
    })),
  }),
  ...breaking(stated.created, ['body']).by({
    'create-empty-body: 201 has no body': changeBody('createPet', () => undefined),
    'create-null: the body of 201 is null': changeBody('createPet', () => null),
    'create-bare-id: the body of 201 is the id as a number': changeBody('createPet', (body) =>
      isObject(body) ? (body.id ?? null) : body,
    ),
    'create-in-array: 201 carries an array of one': changeBody('createPet', (body) => [body]),
    'create-in-envelope: 201 carries {"data": Pet}': changeBody('createPet', (data) => ({ data })),
    'create-success-message: 201 carries {"success": true}': changeBody('createPet', () => ({ success: true })),
    'create-id-missing: 201 has no id': changeCreated((pet) => ({ ...pet, id: undefined })),
  }),
  ...breaking(stated.created, ['record']).by({
    'create-id-only: 201 carries the id alone': changeCreated(({ id }) => ({ id })),
    'create-name-missing: 201 has no name': changeCreated((pet) => ({ ...pet, name: undefined })),
    'create-name-lower-case: 201 shows the name in lower case': changeNames('createPet', (name) => name.toLowerCase()),
    'create-name-cut: names are cut after 255 characters as they are stored': (base) => ({
      createPet: (pet, exchange) =>
        base.createPet({ ...pet, name: typeof pet.name === 'string' ? pet.name.slice(0, 255) : pet.name }, exchange),
    }),
    'create-category-missing: 201 has no categoryId': changeCreated((pet) => ({ ...pet, categoryId: undefined })),
    'create-status-shown-as-sent: 201 shows the status that was sent, stored is another': (base) => ({
      createPet: async (pet, exchange) => {
        const created = await base.createPet(withStatus(pet, 'available'), exchange);
        return pet.status === undefined ? created : { ...created, status: pet.status };
      },
    }),
    'create-status-overwritten: every new pet is available, whatever was sent': changeStored((pet) =>
      withStatus(pet, 'available'),
    ),
    'create-sold-becomes-pending: a pet created as sold is pending': changeStored((pet) =>
      pet.status === 'sold' ? withStatus(pet, 'pending') : pet,
    ),
    'create-category-overwritten: every new pet is put into category 1': changeStored((pet) => ({
      ...pet,
      categoryId: 1n,
    })),
  }),
  ...breaking(stated.petId, ['body']).by({
    'create-id-null: the id in 201 is null (read before the insert)': changeCreated((pet) => ({ ...pet, id: null })),
    'create-id-as-text: the id in 201 is a string': changeCreated((pet) => ({ ...pet, id: printJson(pet.id ?? null) })),
  }),
  ...breaking(stated.uniqueId, ['status']).by({
    'create-id-zero: the id in 201 is always 0': changeCreated((pet) => ({ ...pet, id: 0n })),
  }),
  ...breaking(stated.uniqueId, ['record', 'records', 'own-records']).by({
    'create-id-of-other: the id in 201 is the one of the pet before': changeCreated((pet) =>
      typeof pet.id === 'bigint' ? { ...pet, id: pet.id - 1n } : pet,
    ),
    'create-id-repeats: every second pet gets the id of the one before': (base) => {
      let created = 0;
      return {
        nextId: (store, pet) => {
          created += 1;
          return created % 2 === 0 ? (store.pets.at(-1)?.id ?? 1n) : base.nextId(store, pet);
        },
      };
    },
  }),
  ...breaking(stated.uniqueId, ['record', 'own-records']).by({
    'create-id-race: pets created at the same time get the same id': (base) => {
      let inFlight: bigint | undefined;
      return {
        createPet: async (pet, exchange) => {
          const id = (inFlight ??= base.nextId(exchange.store, pet));
          await wait(10);
          inFlight = undefined;
          const created = { ...pet, id, createdAt: Date.now() };
          exchange.store.pets.push(created);
          return created;
        },
      };
    },
  }),
  ...breaking(stated.petCategory, ['record']).by({
    'create-category-as-text: categoryId in 201 is a string': changeCreated((pet) => ({
      ...pet,
      categoryId: printJson(pet.categoryId ?? null),
    })),
    'create-category-int32: categories wrap around at 2^31': changeStored((pet) =>
      typeof pet.categoryId === 'bigint' ? { ...pet, categoryId: BigInt.asIntN(32, pet.categoryId) } : pet,
    ),
  }),
  ...breaking(stated.created, ['record'], { reading: 'same-everywhere' }).by({
    'create-status-missing: 201 does not show the status that was sent': changeCreated((pet) => ({
      ...pet,
      status: undefined,
    })),
  }),
  ...breaking(stated.petStatus, ['body']).by({
    'create-status-null: 201 shows status null when none was sent': changeCreated((pet) => ({
      ...pet,
      status: pet.status ?? null,
    })),
    'create-default-status-unknown: a pet created without a status gets the status new': changeStored((pet) =>
      pet.status === undefined ? withStatus(pet, 'new') : pet,
    ),
  }),
  ...breaking(stated.created, ['record', 'records']).by({
    'create-status-not-stored: status is dropped at creation': changeStored(withoutStatus),
  }),
  ...breaking(stated.mediaType, ['record']).by({
    'create-name-misdecoded: names are read as Latin-1 although they are sent as UTF-8': changeStored((pet) => ({
      ...pet,
      name: readLatin1AsUtf8(pet.name),
    })),
  }),
  ...breaking(stated.collection, ['status']).by({
    'create-not-stored: 201, but the pet is not kept': (base) => ({
      createPet: async (pet, exchange) => {
        const created = await base.createPet(pet, exchange);
        exchange.store.pets.splice(exchange.store.pets.indexOf(created), 1);
        return created;
      },
    }),
  }),
  ...breaking(stated.collection, ['own-records']).by({
    'create-stores-twice: one call adds two pets': (base) => ({
      createPet: async (pet, exchange) => {
        await base.createPet(pet, exchange);
        return base.createPet(pet, exchange);
      },
    }),
  }),
  ...breaking(stated.collection, ['record', 'own-records']).by({
    'create-same-name-once: a second pet of the same name is not created, the first is answered': (base) => ({
      createPet: (pet, exchange) =>
        exchange.store.pets.find(({ name, createdAt }) => createdAt > 0 && name === pet.name) ??
        base.createPet(pet, exchange),
    }),
  }),
} satisfies Record<string, Mutant>;
