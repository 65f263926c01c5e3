import type { Pet } from '../server/pets.js';
import type { Change } from '../server/behaviour.js';
import { printJson, type JsonObject } from '../server/exact-json.js';
import type { Mutant } from './mutant.js';
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
  'get-in-array': {
    title: 'the pet comes in an array',
    breaks: stated.getAnswer,
    foundBy: ['body'],
    change: changeBody('getPet', (pet) => [pet]),
  },
  'get-in-envelope': {
    title: 'the pet comes as {"pet": Pet}',
    breaks: stated.getAnswer,
    foundBy: ['body'],
    change: changeBody('getPet', (pet) => ({ pet })),
  },
  'get-201': {
    title: 'the pet comes with status 201',
    breaks: stated.getAnswer,
    foundBy: ['status'],
    change: changeStatus(isFound, 201),
  },
  'get-empty-body': {
    title: 'the pet comes without a body',
    breaks: stated.getAnswer,
    foundBy: ['body'],
    change: changeBody('getPet', () => undefined),
  },
  'get-id-missing': {
    title: 'a fetched pet has no id',
    breaks: stated.petId,
    foundBy: ['body'],
    change: changeFetched((pet) => ({ ...pet, id: undefined })),
  },
  'get-id-as-text': {
    title: 'the id of a fetched pet is a string',
    breaks: stated.petId,
    foundBy: ['body'],
    change: changeFetched((pet) => ({ ...pet, id: printJson(pet.id ?? null) })),
  },
  'get-id-off-by-one': {
    title: 'a fetched pet shows the next id',
    breaks: stated.getOnePet,
    foundBy: ['record', 'own-records'],
    change: changeFetched((pet, { id }) => ({ ...pet, id: id + 1n })),
  },
  'get-name-missing': {
    title: 'a fetched pet has no name',
    breaks: stated.petName,
    foundBy: ['body'],
    change: changeFetched((pet) => ({ ...pet, name: undefined })),
  },
  'get-name-differs': {
    title: 'a fetched name is in capitals',
    breaks: stated.petName,
    foundBy: ['record', 'own-records'],
    change: changeNames('getPet', (name) => name.toUpperCase()),
  },
  'get-name-trimmed': {
    title: 'a fetched name has lost its outer spaces',
    breaks: stated.petName,
    foundBy: ['record', 'own-records'],
    change: changeNames('getPet', (name) => name.trim()),
  },
  'get-name-truncated': {
    title: 'a fetched name ends after 255 characters',
    breaks: stated.petName,
    foundBy: ['record', 'own-records'],
    change: changeNames('getPet', (name) => name.slice(0, 255)),
  },
  'get-category-missing': {
    title: 'a fetched pet has no categoryId',
    breaks: stated.petCategory,
    foundBy: ['body'],
    change: changeFetched((pet) => ({ ...pet, categoryId: undefined })),
  },
  'get-category-as-text': {
    title: 'the categoryId of a fetched pet is a string',
    breaks: stated.petCategory,
    foundBy: ['body'],
    change: changeFetched((pet) => ({ ...pet, categoryId: printJson(pet.categoryId ?? null) })),
  },
  'get-category-rounded': {
    title: 'categories past 2^53 are rounded when fetched',
    breaks: stated.petCategory,
    foundBy: ['body'],
    change: changeFetched((pet) => ({ ...pet, categoryId: roundToDouble(pet.categoryId) })),
  },
  'get-status-missing': {
    title: 'a fetched pet does not show its status',
    breaks: stated.petFields,
    foundBy: ['record'],
    reading: 'same-everywhere',
    change: changeFetched((pet) => ({ ...pet, status: undefined })),
  },
  'get-status-null': {
    title: 'status is null for a fetched pet without one',
    breaks: stated.petStatus,
    foundBy: ['body'],
    change: changeFetched((pet) => ({ ...pet, status: pet.status ?? null })),
  },
  'get-status-always-available': {
    title: 'every fetched pet is available',
    breaks: stated.petFields,
    foundBy: ['record'],
    change: changeFetched((pet) => ({ ...pet, status: 'available' })),
  },
  'get-status-title-case': {
    title: 'a fetched status starts with a capital',
    breaks: stated.petStatus,
    foundBy: ['body'],
    change: changeFetched((pet) =>
      typeof pet.status === 'string'
        ? { ...pet, status: pet.status.replace(/^./, (first) => first.toUpperCase()) }
        : pet,
    ),
  },
  '404-without-body': {
    title: '404 has no body',
    breaks: stated.errorBody,
    foundBy: ['error-body'],
    change: changeErrors(404, () => undefined),
  },
  '404-html': {
    title: '404 is an HTML page',
    breaks: stated.errorBody,
    foundBy: ['content-type', 'json'],
    change: replaceBody(isNotFound, 'text/html', htmlPage),
  },
  '404-plain-text': {
    title: '404 is plain text',
    breaks: stated.errorBody,
    foundBy: ['content-type', 'json'],
    change: replaceBody(isNotFound, 'text/plain', 'Not Found'),
  },
  '404-framework-shape': {
    title: 'the body of a 404 is the one of the framework',
    breaks: stated.errorBody,
    foundBy: ['error-body'],
    change: changeErrors(404, () => ({ statusCode: 404n, error: 'Not Found', message: 'Not Found' })),
  },
  '404-says-400': {
    title: 'the status field of a 404 is 400',
    breaks: stated.errorStatus,
    foundBy: ['error-body'],
    change: changeErrors(404, (error) => ({ ...error, status: 400n })),
  },
  '404-without-code': {
    title: 'the Error of a 404 has no code',
    breaks: stated.errorFields,
    foundBy: ['error-body'],
    change: changeErrors(404, (error) => ({ ...error, code: undefined })),
  },
  '404-message-object': {
    title: 'message of a 404 is an object',
    breaks: stated.errorFields,
    foundBy: ['error-body'],
    change: changeErrors(404, (error) => ({ ...error, message: { text: error.message } })),
  },
} satisfies Record<string, Mutant>;
