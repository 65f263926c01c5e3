import { readBearerToken } from '../server/default-behaviour.js';
import type { Mutant } from './mutant.js';
import { changeErrors, changeStatus, htmlPage, makeRefusal, replaceBody, changeReply } from './planting.js';
import { stated } from './stated.js';
import { hasNoKey } from './authentication.js';

const is401 = ({ status }: { status: number }) => status === 401;

/** Mutants that refuse a key in another way than with 401 and the Error body. */
export const unauthorizedMutants = {
  'bad-key-403': {
    title: '403 instead of 401',
    breaks: stated.unauthorized,
    foundBy: ['status'],
    change: () => ({ refuseKey: () => makeRefusal(403) }),
  },
  'wrong-key-403': {
    title: '403 for a wrong key, 401 only for a missing one',
    breaks: stated.unauthorized,
    foundBy: ['status'],
    change: (base) => ({
      refuseKey: (exchange) => (hasNoKey(exchange) ? base.refuseKey(exchange) : makeRefusal(403)),
    }),
  },
  'missing-key-400': {
    title: '400 for a missing key',
    breaks: stated.unauthorized,
    foundBy: ['status'],
    change: (base) => ({
      refuseKey: (exchange) => (hasNoKey(exchange) ? makeRefusal(400) : base.refuseKey(exchange)),
    }),
  },
  'bad-key-404': {
    title: 'the whole API hides behind 404 from callers without a key',
    breaks: stated.unauthorized,
    foundBy: ['status'],
    change: () => ({ refuseKey: () => makeRefusal(404) }),
  },
  'bad-key-404-on-get': {
    title: 'getPet hides pets behind 404 from callers without a key',
    breaks: stated.unauthorized,
    foundBy: ['status'],
    change: (base) => ({
      refuseKey: (exchange) => (exchange.operation === 'getPet' ? makeRefusal(404) : base.refuseKey(exchange)),
    }),
  },
  'bad-key-200': {
    title: 'the Error for a bad key comes with status 200',
    breaks: stated.unauthorized,
    foundBy: ['status'],
    change: changeStatus(is401, 200),
  },
  'bad-key-redirected': {
    title: 'callers without a key are sent to a login page',
    breaks: stated.unauthorized,
    foundBy: ['status'],
    change: changeReply(is401, () => ({ status: 302, headers: { location: '/login' }, json: undefined })),
  },
  'odd-authorization-500': {
    title: 'an Authorization header without a token makes it crash',
    breaks: stated.unauthorized,
    foundBy: ['server-error'],
    change: (base) => ({
      refuseKey: (exchange) =>
        hasNoKey(exchange) || readBearerToken(exchange) !== undefined ? base.refuseKey(exchange) : makeRefusal(500),
    }),
  },
  '401-without-body': {
    title: '401 has no body',
    breaks: stated.unauthorized,
    foundBy: ['error-body'],
    change: changeErrors(401, () => undefined),
  },
  '401-html': {
    title: '401 is an HTML page',
    breaks: stated.unauthorized,
    foundBy: ['content-type', 'json'],
    change: replaceBody(is401, 'text/html', htmlPage),
  },
  '401-plain-text': {
    title: '401 is plain text',
    breaks: stated.unauthorized,
    foundBy: ['content-type', 'json'],
    change: replaceBody(is401, 'text/plain', 'Unauthorized'),
  },
  '401-says-403': {
    title: 'the status field of a 401 is 403',
    breaks: stated.errorStatus,
    foundBy: ['error-body'],
    change: changeErrors(401, (error) => ({ ...error, status: 403n })),
  },
  '401-without-code': {
    title: 'the Error of a 401 has no code',
    breaks: stated.errorFields,
    foundBy: ['error-body'],
    change: changeErrors(401, (error) => ({ ...error, code: undefined })),
  },
  '401-without-message': {
    title: 'the Error of a 401 has no message',
    breaks: stated.errorFields,
    foundBy: ['error-body'],
    change: changeErrors(401, (error) => ({ ...error, message: undefined })),
  },
  '401-oauth-shape': {
    title: 'the body of a 401 is the one of OAuth',
    breaks: stated.errorBody,
    foundBy: ['error-body'],
    change: changeErrors(401, () => ({ error: 'invalid_token', error_description: 'The token is not valid.' })),
  },
  '401-without-body-on-create': {
    title: '401 has no body for createPet',
    breaks: stated.unauthorized,
    foundBy: ['error-body'],
    change: changeReply(
      (reply, { operation }) => is401(reply) && operation === 'createPet',
      (reply) => ({ ...reply, json: undefined }),
    ),
  },
} satisfies Record<string, Mutant>;
