import { setTimeout as wait } from 'node:timers/promises';
import type { NewPet } from '../server/pets.js';
import type { Change } from '../server/behaviour.js';
import { isObject, printJson, type JsonObject, type JsonValue } from '../server/exact-json.js';
import type { Mutant } from './mutant.js';
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
  'create-200': {
    title: 'createPet returns 200 instead of 201',
    breaks: stated.created,
    foundBy: ['status'],
    change: changeStatus(isCreated, 200),
  },
  'create-202': {
    title: 'createPet answers 202',
    breaks: stated.created,
    foundBy: ['status'],
    change: changeStatus(isCreated, 202),
  },
  'create-204': {
    title: 'createPet answers 204 without a body',
    breaks: stated.created,
    foundBy: ['status'],
    change: changeStatus(isCreated, 204),
  },
  'create-303': {
    title: 'createPet redirects to the new pet',
    breaks: stated.created,
    foundBy: ['status'],
    change: changeReply(isCreated, ({ json }) => ({
      status: 303,
      headers: { location: `/v1/pets/${isObject(json) ? printJson(json.id ?? null) : ''}` },
      json: undefined,
    })),
  },
  'create-empty-body': {
    title: '201 has no body',
    breaks: stated.created,
    foundBy: ['body'],
    change: changeBody('createPet', () => undefined),
  },
  'create-null': {
    title: 'the body of 201 is null',
    breaks: stated.created,
    foundBy: ['body'],
    change: changeBody('createPet', () => null),
  },
  'create-id-only': {
    title: '201 carries the id alone',
    breaks: stated.created,
    foundBy: ['record'],
    change: changeCreated(({ id }) => ({ id })),
  },
  'create-bare-id': {
    title: 'the body of 201 is the id as a number',
    breaks: stated.created,
    foundBy: ['body'],
    change: changeBody('createPet', (body) => (isObject(body) ? (body.id ?? null) : body)),
  },
  'create-in-array': {
    title: '201 carries an array of one',
    breaks: stated.created,
    foundBy: ['body'],
    change: changeBody('createPet', (body) => [body]),
  },
  'create-in-envelope': {
    title: '201 carries {"data": Pet}',
    breaks: stated.created,
    foundBy: ['body'],
    change: changeBody('createPet', (data) => ({ data })),
  },
  'create-success-message': {
    title: '201 carries {"success": true}',
    breaks: stated.created,
    foundBy: ['body'],
    change: changeBody('createPet', () => ({ success: true })),
  },
  'create-id-missing': {
    title: '201 has no id',
    breaks: stated.created,
    foundBy: ['body'],
    change: changeCreated((pet) => ({ ...pet, id: undefined })),
  },
  'create-id-null': {
    title: 'the id in 201 is null (read before the insert)',
    breaks: stated.petId,
    foundBy: ['body'],
    change: changeCreated((pet) => ({ ...pet, id: null })),
  },
  'create-id-as-text': {
    title: 'the id in 201 is a string',
    breaks: stated.petId,
    foundBy: ['body'],
    change: changeCreated((pet) => ({ ...pet, id: printJson(pet.id ?? null) })),
  },
  'create-id-zero': {
    title: 'the id in 201 is always 0',
    breaks: stated.uniqueId,
    foundBy: ['status'],
    change: changeCreated((pet) => ({ ...pet, id: 0n })),
  },
  'create-id-of-other': {
    title: 'the id in 201 is the one of the pet before',
    breaks: stated.uniqueId,
    foundBy: ['record', 'records', 'own-records'],
    change: changeCreated((pet) => (typeof pet.id === 'bigint' ? { ...pet, id: pet.id - 1n } : pet)),
  },
  'create-id-repeats': {
    title: 'every second pet gets the id of the one before',
    breaks: stated.uniqueId,
    foundBy: ['record', 'records', 'own-records'],
    change: (base) => {
      let created = 0;
      return {
        nextId: (store, pet) => {
          created += 1;
          return created % 2 === 0 ? (store.pets.at(-1)?.id ?? 1n) : base.nextId(store, pet);
        },
      };
    },
  },
  'create-id-race': {
    title: 'pets created at the same time get the same id',
    breaks: stated.uniqueId,
    foundBy: ['record', 'own-records'],
    change: (base) => {
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
  },
  'create-name-missing': {
    title: '201 has no name',
    breaks: stated.created,
    foundBy: ['record'],
    change: changeCreated((pet) => ({ ...pet, name: undefined })),
  },
  'create-name-lower-case': {
    title: '201 shows the name in lower case',
    breaks: stated.created,
    foundBy: ['record'],
    change: changeNames('createPet', (name) => name.toLowerCase()),
  },
  'create-name-cut': {
    title: 'names are cut after 255 characters as they are stored',
    breaks: stated.created,
    foundBy: ['record'],
    change: (base) => ({
      createPet: (pet, exchange) =>
        base.createPet({ ...pet, name: typeof pet.name === 'string' ? pet.name.slice(0, 255) : pet.name }, exchange),
    }),
  },
  'create-category-missing': {
    title: '201 has no categoryId',
    breaks: stated.created,
    foundBy: ['record'],
    change: changeCreated((pet) => ({ ...pet, categoryId: undefined })),
  },
  'create-category-as-text': {
    title: 'categoryId in 201 is a string',
    breaks: stated.petCategory,
    foundBy: ['record'],
    change: changeCreated((pet) => ({ ...pet, categoryId: printJson(pet.categoryId ?? null) })),
  },
  'create-status-missing': {
    title: '201 does not show the status that was sent',
    breaks: stated.created,
    foundBy: ['record'],
    reading: 'same-everywhere',
    change: changeCreated((pet) => ({ ...pet, status: undefined })),
  },
  'create-status-null': {
    title: '201 shows status null when none was sent',
    breaks: stated.petStatus,
    foundBy: ['body'],
    change: changeCreated((pet) => ({ ...pet, status: pet.status ?? null })),
  },
  'create-status-shown-as-sent': {
    title: '201 shows the status that was sent, stored is another',
    breaks: stated.created,
    foundBy: ['record'],
    change: (base) => ({
      createPet: async (pet, exchange) => {
        const created = await base.createPet(withStatus(pet, 'available'), exchange);
        return pet.status === undefined ? created : { ...created, status: pet.status };
      },
    }),
  },
  'create-status-not-stored': {
    title: 'status is dropped at creation',
    breaks: stated.created,
    foundBy: ['record', 'records'],
    change: changeStored(withoutStatus),
  },
  'create-status-overwritten': {
    title: 'every new pet is available, whatever was sent',
    breaks: stated.created,
    foundBy: ['record'],
    change: changeStored((pet) => withStatus(pet, 'available')),
  },
  'create-sold-becomes-pending': {
    title: 'a pet created as sold is pending',
    breaks: stated.created,
    foundBy: ['record'],
    change: changeStored((pet) => (pet.status === 'sold' ? withStatus(pet, 'pending') : pet)),
  },
  'create-default-status-unknown': {
    title: 'a pet created without a status gets the status new',
    breaks: stated.petStatus,
    foundBy: ['body'],
    change: changeStored((pet) => (pet.status === undefined ? withStatus(pet, 'new') : pet)),
  },
  'create-category-overwritten': {
    title: 'every new pet is put into category 1',
    breaks: stated.created,
    foundBy: ['record'],
    change: changeStored((pet) => ({ ...pet, categoryId: 1n })),
  },
  'create-category-int32': {
    title: 'categories wrap around at 2^31',
    breaks: stated.petCategory,
    foundBy: ['record'],
    change: changeStored((pet) =>
      typeof pet.categoryId === 'bigint' ? { ...pet, categoryId: BigInt.asIntN(32, pet.categoryId) } : pet,
    ),
  },
  'create-name-misdecoded': {
    title: 'names are read as Latin-1 although they are sent as UTF-8',
    breaks: stated.mediaType,
    foundBy: ['record'],
    change: changeStored((pet) => ({ ...pet, name: readLatin1AsUtf8(pet.name) })),
  },
  'create-not-stored': {
    title: '201, but the pet is not kept',
    breaks: stated.collection,
    foundBy: ['status'],
    change: (base) => ({
      createPet: async (pet, exchange) => {
        const created = await base.createPet(pet, exchange);
        exchange.store.pets.splice(exchange.store.pets.indexOf(created), 1);
        return created;
      },
    }),
  },
  'create-stores-twice': {
    title: 'one call adds two pets',
    breaks: stated.collection,
    foundBy: ['own-records'],
    change: (base) => ({
      createPet: async (pet, exchange) => {
        await base.createPet(pet, exchange);
        return base.createPet(pet, exchange);
      },
    }),
  },
  'create-same-name-once': {
    title: 'a second pet of the same name is not created, the first is answered',
    breaks: stated.collection,
    foundBy: ['record', 'own-records'],
    change: (base) => ({
      createPet: (pet, exchange) =>
        exchange.store.pets.find(({ name, createdAt }) => createdAt > 0 && name === pet.name) ??
        base.createPet(pet, exchange),
    }),
  },
} satisfies Record<string, Mutant>;
