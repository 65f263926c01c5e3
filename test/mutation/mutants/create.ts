import { setTimeout as wait } from 'node:timers/promises';
import type { NewAnimal } from '../server/animals.js';
import type { Change } from '../server/behaviour.js';
import { isObject, printJson, type JsonObject, type JsonValue } from '../server/exact-json.js';
import type { Fault } from './fault.js';
import { answers, changeBody, changeNames, changePets, changeReply, changeStatus } from './planting.js';
import { stated } from './stated.js';

/** Changes how an animal looks in the answer to createPet only. */
function changeCreated(change: (pet: JsonObject) => JsonObject): Change {
  return changePets('createPet', change);
}

/** Stores something else than what was sent. */
function changeStored(change: (animal: NewAnimal) => NewAnimal): Change {
  return (base) => ({ createAnimal: (animal, exchange) => base.createAnimal(change(animal), exchange) });
}

function withStatus(animal: NewAnimal, status: JsonValue): NewAnimal {
  return { ...animal, status };
}

function withoutStatus({ name, categoryId }: NewAnimal): NewAnimal {
  return { name, categoryId };
}

function readLatin1AsUtf8(name: JsonValue): JsonValue {
  return typeof name === 'string' ? Buffer.from(name).toString('latin1') : name;
}

const isCreated = answers('createPet', 201);

/** Faults in what createPet answers to and does with a valid body. */
export const createFaults = {
  'create-200': {
    title: 'createPet answers 200 instead of 201',
    breaks: stated.created,
    change: changeStatus(isCreated, 200),
  },
  'create-202': { title: 'createPet answers 202', breaks: stated.created, change: changeStatus(isCreated, 202) },
  'create-204': {
    title: 'createPet answers 204 without a body',
    breaks: stated.created,
    change: changeStatus(isCreated, 204),
  },
  'create-303': {
    title: 'createPet redirects to the new animal',
    breaks: stated.created,
    change: changeReply(isCreated, ({ json }) => ({
      status: 303,
      headers: { location: `/v1/pets/${isObject(json) ? printJson(json.id ?? null) : ''}` },
      json: undefined,
    })),
  },
  'create-empty-body': {
    title: '201 has no body',
    breaks: stated.created,
    change: changeBody('createPet', () => undefined),
  },
  'create-null': {
    title: 'the body of 201 is null',
    breaks: stated.created,
    change: changeBody('createPet', () => null),
  },
  'create-id-only': {
    title: '201 carries the id alone',
    breaks: stated.created,
    change: changeCreated(({ id }) => ({ id })),
  },
  'create-bare-id': {
    title: 'the body of 201 is the id as a number',
    breaks: stated.created,
    change: changeBody('createPet', (body) => (isObject(body) ? (body.id ?? null) : body)),
  },
  'create-in-array': {
    title: '201 carries an array of one',
    breaks: stated.created,
    change: changeBody('createPet', (body) => [body]),
  },
  'create-in-envelope': {
    title: '201 carries {"data": Pet}',
    breaks: stated.created,
    change: changeBody('createPet', (data) => ({ data })),
  },
  'create-success-message': {
    title: '201 carries {"success": true}',
    breaks: stated.created,
    change: changeBody('createPet', () => ({ success: true })),
  },
  'create-id-missing': {
    title: '201 has no id',
    breaks: stated.created,
    change: changeCreated((pet) => ({ ...pet, id: undefined })),
  },
  'create-id-null': {
    title: 'the id in 201 is null (read before the insert)',
    breaks: stated.petId,
    change: changeCreated((pet) => ({ ...pet, id: null })),
  },
  'create-id-as-text': {
    title: 'the id in 201 is a string',
    breaks: stated.petId,
    change: changeCreated((pet) => ({ ...pet, id: printJson(pet.id ?? null) })),
  },
  'create-id-zero': {
    title: 'the id in 201 is always 0',
    breaks: stated.uniqueId,
    change: changeCreated((pet) => ({ ...pet, id: 0n })),
  },
  'create-id-of-other': {
    title: 'the id in 201 is the one of the animal before',
    breaks: stated.uniqueId,
    change: changeCreated((pet) => (typeof pet.id === 'bigint' ? { ...pet, id: pet.id - 1n } : pet)),
  },
  'create-id-repeats': {
    title: 'every second animal gets the id of the one before',
    breaks: stated.uniqueId,
    change: (base) => {
      let created = 0;
      return {
        nextId: (store, animal) => {
          created += 1;
          return created % 2 === 0 ? (store.animals.at(-1)?.id ?? 1n) : base.nextId(store, animal);
        },
      };
    },
  },
  'create-id-race': {
    title: 'animals created at the same time get the same id',
    breaks: stated.uniqueId,
    change: (base) => {
      let inFlight: bigint | undefined;
      return {
        createAnimal: async (animal, exchange) => {
          const id = (inFlight ??= base.nextId(exchange.store, animal));
          await wait(10);
          inFlight = undefined;
          const created = { ...animal, id, createdAt: Date.now() };
          exchange.store.animals.push(created);
          return created;
        },
      };
    },
  },
  'create-name-missing': {
    title: '201 has no name',
    breaks: stated.created,
    change: changeCreated((pet) => ({ ...pet, name: undefined })),
  },
  'create-name-lower-case': {
    title: '201 shows the name in lower case',
    breaks: stated.created,
    change: changeNames('createPet', (name) => name.toLowerCase()),
  },
  'create-category-missing': {
    title: '201 has no categoryId',
    breaks: stated.created,
    change: changeCreated((pet) => ({ ...pet, categoryId: undefined })),
  },
  'create-category-as-text': {
    title: 'categoryId in 201 is a string',
    breaks: stated.petCategory,
    change: changeCreated((pet) => ({ ...pet, categoryId: printJson(pet.categoryId ?? null) })),
  },
  'create-status-missing': {
    title: '201 does not show the status that was sent',
    breaks: stated.created,
    reading: 'same-everywhere',
    change: changeCreated((pet) => ({ ...pet, status: undefined })),
  },
  'create-status-null': {
    title: '201 shows status null when none was sent',
    breaks: stated.petStatus,
    change: changeCreated((pet) => ({ ...pet, status: pet.status ?? null })),
  },
  'create-status-shown-as-sent': {
    title: '201 shows the status that was sent, stored is another',
    breaks: stated.created,
    change: (base) => ({
      createAnimal: async (animal, exchange) => {
        const created = await base.createAnimal(withStatus(animal, 'available'), exchange);
        return animal.status === undefined ? created : { ...created, status: animal.status };
      },
    }),
  },
  'create-status-not-stored': {
    title: 'status is dropped at creation',
    breaks: stated.created,
    change: changeStored(withoutStatus),
  },
  'create-status-overwritten': {
    title: 'every new animal is available, whatever was sent',
    breaks: stated.created,
    change: changeStored((animal) => withStatus(animal, 'available')),
  },
  'create-sold-becomes-pending': {
    title: 'an animal created as sold is pending',
    breaks: stated.created,
    change: changeStored((animal) => (animal.status === 'sold' ? withStatus(animal, 'pending') : animal)),
  },
  'create-default-status-unknown': {
    title: 'an animal created without a status gets the status new',
    breaks: stated.petStatus,
    change: changeStored((animal) => (animal.status === undefined ? withStatus(animal, 'new') : animal)),
  },
  'create-category-overwritten': {
    title: 'every new animal is put into category 1',
    breaks: stated.created,
    change: changeStored((animal) => ({ ...animal, categoryId: 1n })),
  },
  'create-category-int32': {
    title: 'categories wrap around at 2^31',
    breaks: stated.petCategory,
    change: changeStored((animal) =>
      typeof animal.categoryId === 'bigint' ? { ...animal, categoryId: BigInt.asIntN(32, animal.categoryId) } : animal,
    ),
  },
  'create-name-misdecoded': {
    title: 'names are read as Latin-1 although they are sent as UTF-8',
    breaks: stated.mediaType,
    change: changeStored((animal) => ({ ...animal, name: readLatin1AsUtf8(animal.name) })),
  },
  'create-not-stored': {
    title: '201, but the animal is not kept',
    breaks: stated.collection,
    change: (base) => ({
      createAnimal: async (animal, exchange) => {
        const created = await base.createAnimal(animal, exchange);
        exchange.store.animals.splice(exchange.store.animals.indexOf(created), 1);
        return created;
      },
    }),
  },
  'create-stores-twice': {
    title: 'one call adds two animals',
    breaks: stated.collection,
    change: (base) => ({
      createAnimal: async (animal, exchange) => {
        await base.createAnimal(animal, exchange);
        return base.createAnimal(animal, exchange);
      },
    }),
  },
  'create-same-name-once': {
    title: 'a second animal of the same name is not created, the first is answered',
    breaks: stated.collection,
    change: (base) => ({
      createAnimal: (animal, exchange) =>
        exchange.store.animals.find(({ name, createdAt }) => createdAt > 0 && name === animal.name) ??
        base.createAnimal(animal, exchange),
    }),
  },
} satisfies Record<string, Fault>;
