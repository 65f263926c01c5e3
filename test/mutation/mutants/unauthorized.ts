import { readBearerToken } from '../server/default-behaviour.js';
import { breaking, type Mutant } from './mutant.js';
import { changeErrors, changeStatus, htmlPage, makeRefusal, replaceBody, changeReply } from './planting.js';
import { stated } from './stated.js';
import { hasNoKey } from './authentication.js';

const is401 = ({ status }: { status: number }) => status === 401;

/** Mutants that refuse a key in another way than with 401 and the Error body. */
export const unauthorizedMutants = {
  ...breaking(stated.unauthorized, ['status']).by({
    'bad-key-403: 403 instead of 401': () => ({ refuseKey: () => makeRefusal(403) }),
    'wrong-key-403: 403 for a wrong key, 401 only for a missing one': (base) => ({
      refuseKey: (exchange) => (hasNoKey(exchange) ? base.refuseKey(exchange) : makeRefusal(403)),
    }),
    'missing-key-400: 400 for a missing key': (base) => ({
      refuseKey: (exchange) => (hasNoKey(exchange) ? makeRefusal(400) : base.refuseKey(exchange)),
    }),
    'bad-key-404: the whole API hides behind 404 from callers without a key': () => ({
      refuseKey: () => makeRefusal(404),
    }),
    'bad-key-404-on-get: getPet hides pets behind 404 from callers without a key': (base) => ({
      refuseKey: (exchange) => (exchange.operation === 'getPet' ? makeRefusal(404) : base.refuseKey(exchange)),
    }),
    'bad-key-200: the Error for a bad key comes with status 200': changeStatus(is401, 200),
    'bad-key-redirected: callers without a key are sent to a login page': changeReply(is401, () => ({
      status: 302,
      headers: { location: '/login' },
      json: undefined,
    })),
  }),
  ...breaking(stated.unauthorized, ['server-error']).by({
    'odd-authorization-500: an Authorization header without a token makes it crash': (base) => ({
      refuseKey: (exchange) =>
        hasNoKey(exchange) || readBearerToken(exchange) !== undefined ? base.refuseKey(exchange) : makeRefusal(500),
    }),
  }),
  ...breaking(stated.unauthorized, ['error-body']).by({
    '401-without-body: 401 has no body': changeErrors(401, () => undefined),
    '401-without-body-on-create: 401 has no body for createPet': changeReply(
      (reply, { operation }) => is401(reply) && operation === 'createPet',
      (reply) => ({ ...reply, json: undefined }),
    ),
  }),
  ...breaking(stated.unauthorized, ['content-type', 'json']).by({
    '401-html: 401 is an HTML page': replaceBody(is401, 'text/html', htmlPage),
    '401-plain-text: 401 is plain text': replaceBody(is401, 'text/plain', 'Unauthorized'),
  }),
  ...breaking(stated.errorStatus, ['error-body']).by({
    '401-says-403: the status field of a 401 is 403': changeErrors(401, (error) => ({ ...error, status: 403n })),
  }),
  ...breaking(stated.errorFields, ['error-body']).by({
    '401-without-code: the Error of a 401 has no code': changeErrors(401, (error) => ({ ...error, code: undefined })),
    '401-without-message: the Error of a 401 has no message': changeErrors(401, (error) => ({
      ...error,
      message: undefined,
    })),
  }),
  ...breaking(stated.errorBody, ['error-body']).by({
    '401-oauth-shape: the body of a 401 is the one of OAuth': changeErrors(401, () => ({
      error: 'invalid_token',
      error_description: 'The token is not valid.',
    })),
  }),
} satisfies Record<string, Mutant>;
