import type { Change } from '../server/behaviour.js';
import { isObject, type JsonValue } from '../server/exact-json.js';
import { Refusal } from '../server/replies.js';
import type { Mutant } from './mutant.js';
import { answers, changeErrors, changeStatus, htmlPage, makeRefusal, replaceBody } from './planting.js';
import { stated } from './stated.js';

/** Answers a refused body with another status than 400. */
function refuseWith(status: number, isMeant: (body: JsonValue | undefined) => boolean): Change {
  return (base) => ({
    parseBody: (exchange) => {
      const body = base.parseBody(exchange);
      return body instanceof Refusal && isMeant(undefined) ? makeRefusal(status) : body;
    },
    readNewPet: (body, exchange) => {
      const pet = base.readNewPet(body, exchange);
      return pet instanceof Refusal && isMeant(body) ? makeRefusal(status) : pet;
    },
  });
}

const isRefused = answers('createPet', 400);

const lacksField = (body: JsonValue | undefined) =>
  isObject(body) && (body.name === undefined || body.categoryId === undefined);

/** Mutants that refuse a body in another way than with 400 and the Error body. */
export const createRefusalMutants = {
  'create-malformed-500': {
    title: 'a body that is not JSON makes it crash',
    breaks: stated.refused,
    foundBy: ['server-error'],
    change: refuseWith(500, (body) => body === undefined),
  },
  'create-wrong-type-500': {
    title: 'a field of the wrong type makes it crash',
    breaks: stated.refused,
    foundBy: ['server-error'],
    change: refuseWith(500, (body) => isObject(body) && !lacksField(body)),
  },
  'create-no-object-500': {
    title: 'a body that is JSON but no object makes it crash',
    breaks: stated.refused,
    foundBy: ['server-error'],
    change: refuseWith(500, (body) => body !== undefined && !isObject(body)),
  },
  'create-missing-field-422': {
    title: 'a missing field gives 422',
    breaks: stated.refused,
    foundBy: ['status'],
    change: refuseWith(422, lacksField),
  },
  'create-invalid-value-422': {
    title: 'an invalid value gives 422',
    breaks: stated.refused,
    foundBy: ['status'],
    change: refuseWith(422, (body) => isObject(body) && !lacksField(body)),
  },
  'create-missing-field-500': {
    title: 'a missing field makes it crash (NOT NULL)',
    breaks: stated.refused,
    foundBy: ['server-error'],
    change: refuseWith(500, lacksField),
  },
  'create-invalid-200': {
    title: 'an invalid body is answered with its Error and 200',
    breaks: stated.refused,
    foundBy: ['status'],
    change: changeStatus(isRefused, 200),
  },
  '400-without-body': {
    title: '400 has no body',
    breaks: stated.errorBody,
    foundBy: ['error-body'],
    change: changeErrors(400, () => undefined),
  },
  '400-html': {
    title: '400 is an HTML page',
    breaks: stated.errorBody,
    foundBy: ['content-type', 'json'],
    change: replaceBody(isRefused, 'text/html', htmlPage),
  },
  '400-says-422': {
    title: 'the status field of a 400 is 422',
    breaks: stated.errorStatus,
    foundBy: ['error-body'],
    change: changeErrors(400, (error) => ({ ...error, status: 422n })),
  },
  '400-lists-errors': {
    title: 'the body of a 400 is a list of errors by field',
    breaks: stated.errorBody,
    foundBy: ['error-body'],
    change: changeErrors(400, ({ message }) => ({ errors: [{ field: 'name', message }] })),
  },
  '400-code-number': {
    title: 'code of a 400 is a number',
    breaks: stated.errorFields,
    foundBy: ['error-body'],
    change: changeErrors(400, (error) => ({ ...error, code: 400n })),
  },
  '400-message-list': {
    title: 'message of a 400 is a list',
    breaks: stated.errorFields,
    foundBy: ['error-body'],
    change: changeErrors(400, (error) => ({ ...error, message: [error.message ?? ''] })),
  },
} satisfies Record<string, Mutant>;
