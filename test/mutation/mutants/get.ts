import { replaceFields, type Pet } from '../server/pets.js';
import type { Change, Exchange } from '../server/behaviour.js';
import type { JsonValue } from '../server/exact-json.js';
import { isInt64 } from '../server/integers.js';
import type { Refusal } from '../server/replies.js';
import { breaking, type Mutant } from './mutant.js';
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
  ...breaking(stated.getOnePet, ['record']).by({
    'get-returns-neighbour: the pet with the next id is returned': changeFound(
      (found, _id, { store }) => found && (store.pets[store.pets.indexOf(found) + 1] ?? found),
    ),
    'get-returns-first: the first pet is returned for every known id': changeFound(
      (found, _id, { store }) => found && store.pets[0],
    ),
    'get-by-six-bits-of-the-id: pets are found by the last six bits of their ids, so that a late one takes the place of an early one':
      changeFound(
        (found, id, { store }) =>
          found && store.pets.findLast((pet) => BigInt.asUintN(6, pet.id) === BigInt.asUintN(6, id)),
      ),
  }),
  ...breaking(stated.notFound, ['status']).by({
    'get-returns-newest-for-unknown: the newest pet is returned for an unknown id': changeFound(
      (found, _id, { store }) => found ?? store.pets.at(-1),
    ),
    'get-invents-unknown: a pet is made up for an unknown id': changeFound(
      (found, id) => found ?? { id, name: 'doggie', categoryId: 1n, status: 'available', createdAt: 0 },
    ),
    'get-unknown-204: 204 for an unknown id': answerUnknown(undefined, 204),
    'get-unknown-400: 400 for an unknown id': unknownWith(400),
    'get-unknown-403: 403 for an unknown id': unknownWith(403),
    'get-unknown-410: 410 for an id that never was': unknownWith(410),
  }),
  ...breaking(stated.notFound, ['record']).by({
    'get-0-returns-first: id 0 returns the first pet': changeFound(
      (found, id, { store }) => found ?? (id === 0n ? store.pets[0] : undefined),
    ),
    'get-ignores-sign: a negative id returns the pet with the positive one': changeFound(
      (found, id, { store }) => found ?? store.pets.find((pet) => pet.id === -id),
    ),
    'get-id-wraps-at-2-32: an id is cut to 32 bits, so that id + 2^32 finds the pet too': changeFound(
      (found, id, { store }) => found ?? store.pets.find((pet) => pet.id === BigInt.asIntN(32, id)),
    ),
    'get-id-prefix-match: an unknown id finds the first pet whose id starts with its digits': changeFound(
      (found, id, { store }) => found ?? store.pets.find((pet) => String(pet.id).startsWith(String(id))),
    ),
    'get-id-read-as-far-as-it-is-digits: an id is read up to what is no digit: 12.5 and 12abc find pet 12': (base) => ({
      readPetId: (text, exchange) => base.readPetId(/^\d+/.exec(text)?.[0] ?? text, exchange),
    }),
  }),
  ...breaking(stated.getOnePet, ['record'], { needs: sharedIds }).by({
    'get-id-rounded: ids past 2^53 are rounded, so that a neighbour is found': changeFound((_found, id, { store }) =>
      store.pets.find((pet) => roundToDouble(pet.id) === roundToDouble(id)),
    ),
  }),
  ...breaking(stated.getOnePet, ['status']).by({
    'get-misses-created: pets created since the start cannot be fetched': changeFound((found) =>
      found?.createdAt === 0 ? found : undefined,
    ),
    'get-misses-sold: sold pets cannot be fetched': changeFound((found) =>
      found?.status === 'sold' ? undefined : found,
    ),
    'get-misses-without-status: pets without a status cannot be fetched (inner join)': changeFound((found) =>
      found?.status === undefined ? undefined : found,
    ),
    'get-every-second-404: the second fetch of a pet gives 404': (base) => {
      const fetched = new Set<bigint>();
      return {
        findPet: (id, exchange) => {
          if (fetched.delete(id)) return undefined;
          fetched.add(id);
          return base.findPet(id, exchange);
        },
      };
    },
  }),
  ...breaking(stated.notFound, ['body']).by({
    'get-unknown-null: null at 200 for an unknown id': answerUnknown(null),
    'get-unknown-empty-object: {} at 200 for an unknown id': answerUnknown({}),
    'get-unknown-empty-list: [] at 200 for an unknown id': answerUnknown([]),
    'get-unknown-error-200: the Error for an unknown id comes with 200': changeStatus(isNotFound, 200),
  }),
  ...breaking(stated.notFound, ['status', 'body']).by({
    'get-unknown-empty-body: an empty 200 for an unknown id': answerUnknown(undefined),
  }),
  ...breaking(stated.notFound, ['server-error']).by({
    'get-unknown-500: an unknown id makes it crash': unknownWith(500),
    'get-negative-500: a negative id makes it crash': refuseId((text) => /^-\d+$/.test(text), 500),
    'get-past-int32-500: an id past int32 makes it crash': refuseId(
      (_text, id) => typeof id === 'bigint' && id >= 2n ** 31n,
      500,
    ),
    'get-largest-id-500: the largest int64 as id makes it crash': refuseId((_text, id) => id === 2n ** 63n - 1n, 500),
  }),
  ...breaking('4.3: a petId that no pet can have is answered with 200, 401 or 404', ['server-error']).by({
    'get-past-int64-500: an id past int64 makes it crash': refuseId(
      (text) => isDigits(text) && !isInt64(BigInt(text)),
      500,
    ),
    'get-text-id-500: an id that is no number makes it crash': refuseId((text) => !isDigits(text), 500),
  }),
} satisfies Record<string, Mutant>;
