import type { Pet } from '../server/pets.js';
import type { Change } from '../server/behaviour.js';
import { printJson, type JsonObject } from '../server/exact-json.js';
import { breaking, type Mutant } from './mutant.js';
import {
  answers,
  changeBody,
  changeErrors,
  changeNames,
  changePets,
  changeStatus,
  htmlPage,
  replaceBody,
  roundToDouble,
} from './planting.js';
import { stated } from './stated.js';

/** Changes how a pet looks when it is fetched. */
function changeFetched(change: (printed: JsonObject, pet: Pet) => JsonObject): Change {
  return changePets('getPet', change);
}

const isNotFound = answers('getPet', 404);
const isFound = answers('getPet', 200);

/** Mutants in what getPet shows of the right pet, and in its 404. */
export const getAnswerMutants = {
  ...breaking(stated.getAnswer, ['body']).by({
    'get-in-array: the pet comes in an array': changeBody('getPet', (pet) => [pet]),
    'get-in-envelope: the pet comes as {"pet": Pet}': changeBody('getPet', (pet) => ({ pet })),
    'get-empty-body: the pet comes without a body': changeBody('getPet', () => undefined),
  }),
  ...breaking(stated.getAnswer, ['status']).by({
    'get-201: the pet comes with status 201': changeStatus(isFound, 201),
  }),
  ...breaking(stated.petId, ['body']).by({
    'get-id-missing: a fetched pet has no id': changeFetched((pet) => ({ ...pet, id: undefined })),
    'get-id-as-text: the id of a fetched pet is a string': changeFetched((pet) => ({
      ...pet,
      id: printJson(pet.id ?? null),
    })),
  }),
  ...breaking(stated.getOnePet, ['record', 'own-records']).by({
    'get-id-off-by-one: a fetched pet shows the next id': changeFetched((pet, { id }) => ({ ...pet, id: id + 1n })),
  }),
  ...breaking(stated.petName, ['body']).by({
    'get-name-missing: a fetched pet has no name': changeFetched((pet) => ({ ...pet, name: undefined })),
  }),
  ...breaking(stated.petName, ['record', 'own-records']).by({
    'get-name-differs: a fetched name is in capitals': changeNames('getPet', (name) => name.toUpperCase()),
    'get-name-trimmed: a fetched name has lost its outer spaces': changeNames('getPet', (name) => name.trim()),
    'get-name-truncated: a fetched name ends after 255 characters': changeNames('getPet', (name) => name.slice(0, 255)),
  }),
  ...breaking(stated.petCategory, ['body']).by({
    'get-category-missing: a fetched pet has no categoryId': changeFetched((pet) => ({
      ...pet,
      categoryId: undefined,
    })),
    'get-category-as-text: the categoryId of a fetched pet is a string': changeFetched((pet) => ({
      ...pet,
      categoryId: printJson(pet.categoryId ?? null),
    })),
    'get-category-rounded: categories past 2^53 are rounded when fetched': changeFetched((pet) => ({
      ...pet,
      categoryId: roundToDouble(pet.categoryId),
    })),
  }),
  ...breaking(stated.petFields, ['record'], { reading: 'same-everywhere' }).by({
    'get-status-missing: a fetched pet does not show its status': changeFetched((pet) => ({
      ...pet,
      status: undefined,
    })),
  }),
  ...breaking(stated.petStatus, ['body']).by({
    'get-status-null: status is null for a fetched pet without one': changeFetched((pet) => ({
      ...pet,
      status: pet.status ?? null,
    })),
    'get-status-title-case: a fetched status starts with a capital': changeFetched((pet) =>
      typeof pet.status === 'string'
        ? { ...pet, status: pet.status.replace(/^./, (first) => first.toUpperCase()) }
        : pet,
    ),
  }),
  ...breaking(stated.petFields, ['record']).by({
    'get-status-always-available: every fetched pet is available': changeFetched((pet) => ({
      ...pet,
      status: 'available',
    })),
  }),
  ...breaking(stated.errorBody, ['error-body']).by({
    '404-without-body: 404 has no body': changeErrors(404, () => undefined),
    '404-framework-shape: the body of a 404 is the one of the framework': changeErrors(404, () => ({
      statusCode: 404n,
      error: 'Not Found',
      message: 'Not Found',
    })),
  }),
  ...breaking(stated.errorBody, ['content-type', 'json']).by({
    '404-html: 404 is an HTML page': replaceBody(isNotFound, 'text/html', htmlPage),
    '404-plain-text: 404 is plain text': replaceBody(isNotFound, 'text/plain', 'Not Found'),
  }),
  ...breaking(stated.errorStatus, ['error-body']).by({
    '404-says-400: the status field of a 404 is 400': changeErrors(404, (error) => ({ ...error, status: 400n })),
  }),
  ...breaking(stated.errorFields, ['error-body']).by({
    '404-without-code: the Error of a 404 has no code': changeErrors(404, (error) => ({ ...error, code: undefined })),
    '404-message-object: message of a 404 is an object': changeErrors(404, (error) => ({
      ...error,
      message: { text: error.message },
    })),
  }),
} satisfies Record<string, Mutant>;
