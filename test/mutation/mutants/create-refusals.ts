import type { Change } from '../server/behaviour.js';
import { isObject, type JsonValue } from '../server/exact-json.js';
import { Refusal } from '../server/replies.js';
import { breaking, type Mutant } from './mutant.js';
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
  ...breaking(stated.refused, ['server-error']).by({
    'create-malformed-500: a body that is not JSON makes it crash': refuseWith(500, (body) => body === undefined),
    'create-wrong-type-500: a field of the wrong type makes it crash': refuseWith(
      500,
      (body) => isObject(body) && !lacksField(body),
    ),
    'create-no-object-500: a body that is JSON but no object makes it crash': refuseWith(
      500,
      (body) => body !== undefined && !isObject(body),
    ),
    'create-missing-field-500: a missing field makes it crash (NOT NULL)': refuseWith(500, lacksField),
  }),
  ...breaking(stated.refused, ['status']).by({
    'create-missing-field-422: a missing field gives 422': refuseWith(422, lacksField),
    'create-invalid-value-422: an invalid value gives 422': refuseWith(
      422,
      (body) => isObject(body) && !lacksField(body),
    ),
    'create-invalid-200: an invalid body is answered with its Error and 200': changeStatus(isRefused, 200),
  }),
  ...breaking(stated.errorBody, ['error-body']).by({
    '400-without-body: 400 has no body': changeErrors(400, () => undefined),
    '400-lists-errors: the body of a 400 is a list of errors by field': changeErrors(400, ({ message }) => ({
      errors: [{ field: 'name', message }],
    })),
  }),
  ...breaking(stated.errorBody, ['content-type', 'json']).by({
    '400-html: 400 is an HTML page': replaceBody(isRefused, 'text/html', htmlPage),
  }),
  ...breaking(stated.errorStatus, ['error-body']).by({
    '400-says-422: the status field of a 400 is 422': changeErrors(400, (error) => ({ ...error, status: 422n })),
  }),
  ...breaking(stated.errorFields, ['error-body']).by({
    '400-code-number: code of a 400 is a number': changeErrors(400, (error) => ({ ...error, code: 400n })),
    '400-message-list: message of a 400 is a list': changeErrors(400, (error) => ({
      ...error,
      message: [error.message ?? ''],
    })),
  }),
} satisfies Record<string, Mutant>;
