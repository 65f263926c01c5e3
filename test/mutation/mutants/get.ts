import { replaceFields, type Pet } from '../server/pets.js';
import type { Change, Exchange } from '../server/behaviour.js';
import type { JsonValue } from '../server/exact-json.js';
import { isInt64 } from '../server/integers.js';
import type { Refusal } from '../server/replies.js';
import { breaking, type Mutant } from './mutant.js';
import { adjust, answers, changeBody, changeErrors, changeReply, feed, fetched, gone } from './planting.js';
import { makeRefusal, replaceBody, roundToDouble, sendPage } from './planting.js';
import { stated } from './stated.js';

type Found = Pet | undefined;

/** Finds another pet than the one asked for, or none. */
function changeFound(change: (found: Found, id: bigint, pets: Pet[], exchange: Exchange) => Found): Change {
  return adjust('findPet', (found, id, exchange) => change(found, id, exchange.store.pets, exchange));
}

/** Finds a pet for some of the ids that are unknown. */
function findAnyway(find: (id: bigint, pets: Pet[]) => Found): Change {
  return changeFound((found, id, pets) => found ?? find(id, pets));
}

/** Finds no pet of some. */
function misses(test: (pet: Pet) => boolean): Change {
  return changeFound((found) => (found !== undefined && test(found) ? undefined : found));
}

/** Answers 200 with something that is no pet instead of 404. */
function answerUnknown(json: JsonValue | undefined, status = 200): Change {
  return changeReply(isNotFound, { status, headers: {}, json });
}

function unknownWith(status: number): Change {
  return (base) =>
    changeReply(isNotFound, (_reply, exchange) => ({
      status,
      headers: {},
      json: base.printError(makeRefusal(status), exchange),
    }))(base);
}

/** Crashes at some ids before anything is looked up. */
function crashAt(test: (text: string, id: bigint | Refusal) => boolean): Change {
  return adjust('readPetId', (id, text) => (test(text, id) ? makeRefusal(500) : id));
}

const isNotFound = answers('getPet', 404);
const isDigits = (text: string) => /^-?\d+$/.test(text);
const lastSix = (id: bigint) => BigInt.asUintN(6, id);

/** Ids that differ by one and are the same as doubles. */
const sharedIds = adjust('seed', (pets) => replaceFields(pets, (_pet, index) => ({ id: 2n ** 53n + BigInt(index) })));

/** Mutants in which pet getPet finds, what it shows of it, and what it does when it finds none. */
export const getMutants = {
  ...breaking(stated.getOnePet, ['record']).by({
    'get-returns-neighbour': changeFound((found, _id, pets) => found && (pets[pets.indexOf(found) + 1] ?? found)),
    'get-returns-first: for every known id': changeFound((found, _id, [first]) => found && first),
    'get-by-six-bits-of-the-id: a late pet takes the place of an early one': changeFound(
      (found, id, pets) => found && pets.findLast((pet) => lastSix(pet.id) === lastSix(id)),
    ),
  }),
  ...breaking(stated.notFound, ['status']).by({
    'get-returns-newest-for-unknown: the newest pet is returned': findAnyway((_id, pets) => pets.at(-1)),
    'get-invents-unknown: a pet is made up for an unknown id': findAnyway((id) => ({
      id,
      name: 'doggie',
      categoryId: 1n,
      status: 'available',
      createdAt: 0,
    })),
    'get-unknown-204: 204 for an unknown id': answerUnknown(undefined, 204),
    'get-unknown-400: 400 for an unknown id': unknownWith(400),
    'get-unknown-403: 403 for an unknown id': unknownWith(403),
    'get-unknown-410: 410 for an id that never was': unknownWith(410),
  }),
  ...breaking(stated.notFound, ['record']).by({
    'get-0-returns-first: id 0 returns the first pet': findAnyway((id, [first]) => (id === 0n ? first : undefined)),
    'get-ignores-sign: a negative id finds a pet': findAnyway((id, pets) => pets.find((pet) => pet.id === -id)),
    'get-id-wraps-at-2-32: at 32 bits': findAnyway((id, pets) => pets.find((pet) => pet.id === BigInt.asIntN(32, id))),
    'get-id-prefix-match': findAnyway((id, pets) => pets.find((pet) => String(pet.id).startsWith(String(id)))),
    'get-id-read-as-far-as-it-is-digits': feed('readPetId', (text) => /^\d+/.exec(text)?.[0] ?? text),
  }),
  ...breaking(stated.getOnePet, ['record'], { needs: sharedIds }).by({
    'get-id-rounded': changeFound((_, id, pets) => pets.find((pet) => roundToDouble(pet.id) === roundToDouble(id))),
  }),
  ...breaking(stated.getOnePet, ['status']).by({
    'get-misses-created: pets created since the start cannot be fetched': misses(({ createdAt }) => createdAt > 0),
    'get-misses-sold: sold pets cannot be fetched': misses(({ status }) => status === 'sold'),
    'get-misses-without-status: those without a status (inner join)': misses(({ status }) => status === undefined),
    'get-every-second-404: the second fetch of a pet gives 404': (base) => {
      const seen = new Set<bigint>();
      return adjust('findPet', (found, id) => (seen.delete(id) || !seen.add(id) ? undefined : found))(base);
    },
  }),
  ...breaking(stated.notFound, ['body']).by({
    'get-unknown-null: null at 200 for an unknown id': answerUnknown(null),
    'get-unknown-empty-object: {} at 200 for an unknown id': answerUnknown({}),
    'get-unknown-empty-list: [] at 200 for an unknown id': answerUnknown([]),
    'get-unknown-error-200: the Error for an unknown id comes with 200': changeReply(isNotFound, { status: 200 }),
  }),
  ...breaking(stated.notFound, ['status', 'body']).by({ 'get-unknown-empty-body': answerUnknown(undefined) }),
  ...breaking(stated.notFound, ['server-error']).by({
    'get-unknown-500: an unknown id makes it crash': unknownWith(500),
    'get-negative-500: a negative id makes it crash': crashAt((text) => /^-\d+$/.test(text)),
    'get-past-int32-500: an id past int32 crashes': crashAt((_text, id) => typeof id === 'bigint' && id >= 2n ** 31n),
    'get-largest-id-500: the largest int64 as id makes it crash': crashAt((_text, id) => id === 2n ** 63n - 1n),
  }),
  ...breaking('4.3: a petId that no pet can have is answered with 200, 401 or 404', ['server-error']).by({
    'get-past-int64-500: an id past int64 crashes': crashAt((text) => isDigits(text) && !isInt64(BigInt(text))),
    'get-text-id-500: an id that is no number makes it crash': crashAt((text) => !isDigits(text)),
  }),
  // ---- The right pet, shown in another way, and the 404
  ...breaking(stated.getAnswer, ['body']).by({
    'get-in-array: the pet comes in an array': changeBody('getPet', (pet) => [pet]),
    'get-in-envelope: the pet comes as {"pet": Pet}': changeBody('getPet', (pet) => ({ pet })),
    'get-empty-body: the pet comes without a body': changeBody('getPet', gone),
  }),
  ...breaking(stated.getAnswer, ['status']).by({ 'get-201': changeReply(answers('getPet', 200), { status: 201 }) }),
  ...breaking(stated.petId, ['body']).by({
    'get-id-missing: a fetched pet has no id': fetched.id(gone),
    'get-id-as-text: the id of a fetched pet is a string': fetched.id(String),
  }),
  ...breaking(stated.getOnePet, ['record', 'own-records']).by({ 'get-id-off-by-one': fetched.id((id) => id + 1n) }),
  ...breaking(stated.petName, ['body']).by({ 'get-name-missing: a fetched pet has no name': fetched.name(gone) }),
  ...breaking(stated.petName, ['record', 'own-records']).by({
    'get-name-differs: a fetched name is in capitals': fetched.name((name) => name.toUpperCase()),
    'get-name-trimmed: a fetched name has lost its outer spaces': fetched.name((name) => name.trim()),
    'get-name-truncated: a fetched name ends after 255 characters': fetched.name((name) => name.slice(0, 255)),
  }),
  ...breaking(stated.petCategory, ['body']).by({
    'get-category-missing: a fetched pet has no categoryId': fetched.categoryId(gone),
    'get-category-as-text: the categoryId of a fetched pet is a string': fetched.categoryId(String),
    'get-category-rounded: categories past 2^53 are rounded when fetched': fetched.categoryId(roundToDouble),
  }),
  ...breaking(stated.petFields, ['record'], { reading: 'same-everywhere' }).by({
    'get-status-missing: a fetched pet does not show its status': fetched.status(gone),
  }),
  ...breaking(stated.petStatus, ['body']).by({
    'get-status-null: status is null for a fetched pet without one': fetched.status((status) => status ?? null),
    'get-status-title-case': fetched.status((status) => status?.replace(/^./, (first) => first.toUpperCase())),
  }),
  ...breaking(stated.petFields, ['record']).by({ 'get-status-always-available': fetched.status(() => 'available') }),
  ...breaking(stated.errorBody, ['error-body']).by({
    '404-without-body: 404 has no body': changeErrors(404, gone),
    '404-framework-shape': changeErrors(404, () => ({ statusCode: 404n, error: 'Not Found', message: 'Not Found' })),
  }),
  ...breaking(stated.errorBody, ['content-type', 'json']).by({
    '404-html: 404 is an HTML page': sendPage(isNotFound),
    '404-plain-text: 404 is plain text': replaceBody(isNotFound, 'text/plain', 'Not Found'),
  }),
  ...breaking(stated.errorStatus, ['error-body']).by({ '404-says-400': changeErrors(404, { status: 400n }) }),
  ...breaking(stated.errorFields, ['error-body']).by({
    '404-without-code: the Error of a 404 has no code': changeErrors(404, { code: undefined }),
    '404-message-object': changeErrors(404, (error) => ({ ...error, message: { text: error.message } })),
  }),
} satisfies Record<string, Mutant>;
