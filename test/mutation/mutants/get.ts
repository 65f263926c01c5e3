import { replaceFields, type Pet } from '../server/pets.js';
import type { Change, Exchange } from '../server/behaviour.js';
import type { JsonValue } from '../server/exact-json.js';
import { isInt64 } from '../server/integers.js';
import type { Refusal } from '../server/replies.js';
import type { Mutant } from './mutant.js';
import { answers, changeReply, changeStatus, makeRefusal, roundToDouble } from './planting.js';
import { stated } from './stated.js';

/** Finds another pet than the one asked for, or none. */
function changeFound(change: (found: Pet | undefined, id: bigint, exchange: Exchange) => Pet | undefined): Change {
  return (base) => ({
    findPet: (id, exchange) => change(base.findPet(id, exchange), id, exchange),
  });
}

/** Answers 200 with something that is no pet instead of 404. */
function answerUnknown(json: JsonValue | undefined, status = 200): Change {
  return changeReply(isNotFound, () => ({ status, headers: {}, json }));
}

/** Refuses some ids before anything is looked up. */
function refuseId(test: (text: string, base: bigint | Refusal) => boolean, status: number): Change {
  return (base) => ({
    readPetId: (text, exchange) => {
      const id = base.readPetId(text, exchange);
      return test(text, id) ? makeRefusal(status) : id;
    },
  });
}

const isNotFound = answers('getPet', 404);
const isDigits = (text: string) => /^-?\d+$/.test(text);

function unknownWith(status: number): Change {
  return (base) => ({
    shape: (reply, exchange) => {
      const shaped = base.shape(reply, exchange);
      if (!isNotFound(shaped, exchange)) return shaped;
      return { status, headers: {}, json: base.printError(makeRefusal(status), exchange) };
    },
  });
}

/** Ids that differ by one and are the same as doubles. */
const sharedIds: Change = (base) => ({
  seed: () => replaceFields(base.seed(), (_pet, index) => ({ id: 2n ** 53n + BigInt(index) })),
});

/** Mutants in which pet getPet finds, and in what it does when it finds none. */
export const getMutants = {
  'get-returns-neighbour': {
    title: 'the pet with the next id is returned',
    breaks: stated.getOnePet,
    foundBy: ['record'],
    change: changeFound((found, _id, { store }) => found && (store.pets[store.pets.indexOf(found) + 1] ?? found)),
  },
  'get-returns-first': {
    title: 'the first pet is returned for every known id',
    breaks: stated.getOnePet,
    foundBy: ['record'],
    change: changeFound((found, _id, { store }) => found && store.pets[0]),
  },
  'get-returns-newest-for-unknown': {
    title: 'the newest pet is returned for an unknown id',
    breaks: stated.notFound,
    foundBy: ['status'],
    change: changeFound((found, _id, { store }) => found ?? store.pets.at(-1)),
  },
  'get-invents-unknown': {
    title: 'a pet is made up for an unknown id',
    breaks: stated.notFound,
    foundBy: ['status'],
    change: changeFound(
      (found, id) => found ?? { id, name: 'doggie', categoryId: 1n, status: 'available', createdAt: 0 },
    ),
  },
  'get-0-returns-first': {
    title: 'id 0 returns the first pet',
    breaks: stated.notFound,
    foundBy: ['record'],
    change: changeFound((found, id, { store }) => found ?? (id === 0n ? store.pets[0] : undefined)),
  },
  'get-ignores-sign': {
    title: 'a negative id returns the pet with the positive one',
    breaks: stated.notFound,
    foundBy: ['record'],
    change: changeFound((found, id, { store }) => found ?? store.pets.find((pet) => pet.id === -id)),
  },
  'get-id-wraps-at-2-32': {
    title: 'an id is cut to 32 bits, so that id + 2^32 finds the pet too',
    breaks: stated.notFound,
    foundBy: ['record'],
    change: changeFound((found, id, { store }) => found ?? store.pets.find((pet) => pet.id === BigInt.asIntN(32, id))),
  },
  'get-id-rounded': {
    title: 'ids past 2^53 are rounded, so that a neighbour is found',
    breaks: stated.getOnePet,
    foundBy: ['record'],
    needs: sharedIds,
    change: changeFound((_found, id, { store }) =>
      store.pets.find((pet) => roundToDouble(pet.id) === roundToDouble(id)),
    ),
  },
  'get-id-prefix-match': {
    title: 'an unknown id finds the first pet whose id starts with its digits',
    breaks: stated.notFound,
    foundBy: ['record'],
    change: changeFound(
      (found, id, { store }) => found ?? store.pets.find((pet) => String(pet.id).startsWith(String(id))),
    ),
  },
  'get-by-six-bits-of-the-id': {
    title: 'pets are found by the last six bits of their ids, so that a late one takes the place of an early one',
    breaks: stated.getOnePet,
    foundBy: ['record'],
    change: changeFound(
      (found, id, { store }) =>
        found && store.pets.findLast((pet) => BigInt.asUintN(6, pet.id) === BigInt.asUintN(6, id)),
    ),
  },
  'get-id-read-as-far-as-it-is-digits': {
    title: 'an id is read up to what is no digit: 12.5 and 12abc find pet 12',
    breaks: stated.notFound,
    foundBy: ['record'],
    change: (base) => ({
      readPetId: (text, exchange) => base.readPetId(/^\d+/.exec(text)?.[0] ?? text, exchange),
    }),
  },
  'get-misses-created': {
    title: 'pets created since the start cannot be fetched',
    breaks: stated.getOnePet,
    foundBy: ['status'],
    change: changeFound((found) => (found?.createdAt === 0 ? found : undefined)),
  },
  'get-misses-sold': {
    title: 'sold pets cannot be fetched',
    breaks: stated.getOnePet,
    foundBy: ['status'],
    change: changeFound((found) => (found?.status === 'sold' ? undefined : found)),
  },
  'get-misses-without-status': {
    title: 'pets without a status cannot be fetched (inner join)',
    breaks: stated.getOnePet,
    foundBy: ['status'],
    change: changeFound((found) => (found?.status === undefined ? undefined : found)),
  },
  'get-every-second-404': {
    title: 'the second fetch of a pet gives 404',
    breaks: stated.getOnePet,
    foundBy: ['status'],
    change: (base) => {
      const fetched = new Set<bigint>();
      return {
        findPet: (id, exchange) => {
          if (fetched.delete(id)) return undefined;
          fetched.add(id);
          return base.findPet(id, exchange);
        },
      };
    },
  },
  'get-unknown-null': {
    title: 'null at 200 for an unknown id',
    breaks: stated.notFound,
    foundBy: ['body'],
    change: answerUnknown(null),
  },
  'get-unknown-empty-object': {
    title: '{} at 200 for an unknown id',
    breaks: stated.notFound,
    foundBy: ['body'],
    change: answerUnknown({}),
  },
  'get-unknown-empty-list': {
    title: '[] at 200 for an unknown id',
    breaks: stated.notFound,
    foundBy: ['body'],
    change: answerUnknown([]),
  },
  'get-unknown-empty-body': {
    title: 'an empty 200 for an unknown id',
    breaks: stated.notFound,
    foundBy: ['status', 'body'],
    change: answerUnknown(undefined),
  },
  'get-unknown-204': {
    title: '204 for an unknown id',
    breaks: stated.notFound,
    foundBy: ['status'],
    change: answerUnknown(undefined, 204),
  },
  'get-unknown-error-200': {
    title: 'the Error for an unknown id comes with 200',
    breaks: stated.notFound,
    foundBy: ['body'],
    change: changeStatus(isNotFound, 200),
  },
  'get-unknown-400': {
    title: '400 for an unknown id',
    breaks: stated.notFound,
    foundBy: ['status'],
    change: unknownWith(400),
  },
  'get-unknown-403': {
    title: '403 for an unknown id',
    breaks: stated.notFound,
    foundBy: ['status'],
    change: unknownWith(403),
  },
  'get-unknown-410': {
    title: '410 for an id that never was',
    breaks: stated.notFound,
    foundBy: ['status'],
    change: unknownWith(410),
  },
  'get-unknown-500': {
    title: 'an unknown id makes it crash',
    breaks: stated.notFound,
    foundBy: ['server-error'],
    change: unknownWith(500),
  },
  'get-negative-500': {
    title: 'a negative id makes it crash',
    breaks: stated.notFound,
    foundBy: ['server-error'],
    change: refuseId((text) => /^-\d+$/.test(text), 500),
  },
  'get-past-int32-500': {
    title: 'an id past int32 makes it crash',
    breaks: stated.notFound,
    foundBy: ['server-error'],
    change: refuseId((_text, id) => typeof id === 'bigint' && id >= 2n ** 31n, 500),
  },
  'get-largest-id-500': {
    title: 'the largest int64 as id makes it crash',
    breaks: stated.notFound,
    foundBy: ['server-error'],
    change: refuseId((_text, id) => id === 2n ** 63n - 1n, 500),
  },
  'get-past-int64-500': {
    title: 'an id past int64 makes it crash',
    breaks: '4.3: a petId that no pet can have is answered with 200, 401 or 404',
    foundBy: ['server-error'],
    change: refuseId((text) => isDigits(text) && !isInt64(BigInt(text)), 500),
  },
  'get-text-id-500': {
    title: 'an id that is no number makes it crash',
    breaks: '4.3: a petId that no pet can have is answered with 200, 401 or 404',
    foundBy: ['server-error'],
    change: refuseId((text) => !isDigits(text), 500),
  },
} satisfies Record<string, Mutant>;
