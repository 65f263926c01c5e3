import type { Change, Exchange } from '../server/behaviour.js';
import { printRefusal } from '../server/handle-exchange.js';
import { Refusal, type Reply } from '../server/replies.js';
import { adjust, instead } from '../mutants/planting.js';
import { allow, open, type Variant } from './variant.js';

function challengeWith(headers: Record<string, string>): Change {
  return adjust('refuseKey', ({ status, code, message }) => new Refusal(status, code, message, headers));
}

/** Answers requests outside the three operations. */
function answerOthers(answer: (exchange: Exchange) => Reply | Refusal | undefined): Change {
  return instead('refuseRoute', answer);
}

function redirect(status: number, location: string): Reply {
  return { status, headers: { location }, json: undefined };
}

const cors = { 'access-control-allow-origin': '*', 'access-control-allow-methods': 'GET, POST' };
const toOptions = { status: 204, headers: cors, json: undefined };
const noHead = new Refusal(405, 'method_not_allowed', 'No HEAD here.', { allow: 'GET, POST' });

export const keyAndPathVariants = {
  ...allow('5: the header is not described', { 'no-challenge: 401 without WWW-Authenticate': challengeWith({}) }),
  ...allow('RFC 6750 section 3', {
    'detailed-challenge: WWW-Authenticate with realm and error': challengeWith({
      'www-authenticate': 'Bearer realm="petstore", error="invalid_token", error_description="unknown key"',
    }),
  }),
  ...allow('5: the header is described as Bearer; other spellings are not', {
    'scheme-is-case-sensitive: only Bearer with a capital is read': adjust(
      'hasValidKey',
      (isValid, { headers }) => isValid && headers.authorization?.startsWith('Bearer ') === true,
    ),
  }),
  ...allow(open.otherPaths, {
    'other-paths-401: paths outside the interface need a key too': (base) => ({
      refuseRoute: (exchange) => (base.hasValidKey(exchange) ? base.refuseRoute(exchange) : base.refuseKey(exchange)),
    }),
    'other-paths-403': answerOthers(() => new Refusal(403, 'forbidden', 'Not for you.')),
    // Only below the base path: the documentation itself must not redirect again.
    'other-paths-redirected': answerOthers(({ path }) =>
      /^\/(?!pets)/.test(path) ? redirect(302, '/docs') : undefined,
    ),
    'wrong-methods-404': answerOthers(() => new Refusal(404, 'not_found', 'There is nothing here.')),
    'options-204: with CORS headers': answerOthers(({ method }) => (method === 'OPTIONS' ? toOptions : undefined)),
    'head-405: HEAD gets 405': instead('intercept', ({ method }) => (method === 'HEAD' ? noHead : undefined)),
    'trailing-slash-redirected': answerOthers(({ path }) =>
      path === '/pets/' ? redirect(308, '/v1/pets') : undefined,
    ),
    'other-paths-hang-up: paths and methods outside the interface get no answer, the connection is closed': (base) => ({
      send: (reply, exchange, response) =>
        exchange.operation === undefined ? void response.socket?.destroy() : base.send(reply, exchange, response),
    }),
  }),
  ...allow('1: further operations are referred to, their shape is not shown', {
    'store-orders-exist: there is a /store/orders': (base) =>
      answerOthers((exchange) => {
        if (!exchange.path.startsWith('/store/')) return undefined;
        if (!base.hasValidKey(exchange)) return printRefusal(base.refuseKey(exchange), exchange);
        return { status: 200, headers: {}, json: { orders: [] } };
      })(base),
  }),
  ...allow('2 Error: what message says is not stated', {
    'refused-key-named: the message of a 401 quotes what was sent as a key': () => ({
      refuseKey: ({ headers }) => {
        const sent = headers.authorization?.replace(/^Bearer */, '') ?? '';
        return new Refusal(401, 'unauthorized', `"${sent}" is no API key.`);
      },
    }),
  }),
} satisfies Record<string, Variant>;
