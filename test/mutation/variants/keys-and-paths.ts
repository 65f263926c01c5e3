import type { Change, Exchange } from '../server/behaviour.js';
import { printRefusal } from '../server/handle-exchange.js';
import { Refusal, type Reply } from '../server/replies.js';
import { allow, open, type Variant } from './variant.js';

function challengeWith(header: string | undefined): Change {
  return (base) => ({
    refuseKey: (exchange) => {
      const { status, code, message } = base.refuseKey(exchange);
      return new Refusal(status, code, message, header === undefined ? {} : { 'www-authenticate': header });
    },
  });
}

/** Answers requests outside the three operations. */
function answerOthers(answer: (exchange: Exchange) => Reply | Refusal | undefined): Change {
  return (base) => ({ refuseRoute: (exchange) => answer(exchange) ?? base.refuseRoute(exchange) });
}

function redirect(status: number, location: string): Reply {
  return { status, headers: { location }, json: undefined };
}

export const keyAndPathVariants = {
  ...allow('5: the header is not described', {
    'no-challenge: 401 without WWW-Authenticate': challengeWith(undefined),
  }),
  ...allow('RFC 6750 section 3', {
    'detailed-challenge: WWW-Authenticate with realm and error': challengeWith(
      'Bearer realm="petstore", error="invalid_token", error_description="unknown key"',
    ),
  }),
  ...allow('5: the header is described as Bearer; other spellings are not', {
    'scheme-is-case-sensitive: only Bearer with a capital is read': (base) => ({
      hasValidKey: (exchange) =>
        base.hasValidKey(exchange) && (exchange.headers.authorization ?? '').startsWith('Bearer '),
    }),
  }),
  ...allow(open.otherPaths, {
    'other-paths-401: paths outside the interface need a key too': (base) => ({
      refuseRoute: (exchange) => (base.hasValidKey(exchange) ? base.refuseRoute(exchange) : base.refuseKey(exchange)),
    }),
    'other-paths-403: paths outside the interface are forbidden': answerOthers(
      () => new Refusal(403, 'forbidden', 'Not for you.'),
    ),
    // Only below the base path: the documentation itself must not redirect again.
    'other-paths-redirected: paths outside the interface redirect to the documentation': answerOthers(({ path }) =>
      /^\/(?!pets)/.test(path) ? redirect(302, '/docs') : undefined,
    ),
    'wrong-methods-404: other methods get 404': answerOthers(
      () => new Refusal(404, 'not_found', 'There is nothing here.'),
    ),
    'options-204: OPTIONS gets 204 with CORS headers': answerOthers(({ method }) =>
      method === 'OPTIONS'
        ? {
            status: 204,
            headers: { 'access-control-allow-origin': '*', 'access-control-allow-methods': 'GET, POST' },
            json: undefined,
          }
        : undefined,
    ),
    'head-405: HEAD gets 405': (base) => ({
      intercept: (exchange) =>
        exchange.method === 'HEAD'
          ? new Refusal(405, 'method_not_allowed', 'No HEAD here.', { allow: 'GET, POST' })
          : base.intercept(exchange),
    }),
    'trailing-slash-redirected: /pets/ redirects to /pets': answerOthers(({ path }) =>
      path === '/pets/' ? redirect(308, '/v1/pets') : undefined,
    ),
    'other-paths-hang-up: paths and methods outside the interface get no answer, the connection is closed': (base) => ({
      send: (reply, exchange, response) =>
        exchange.operation === undefined ? void response.socket?.destroy() : base.send(reply, exchange, response),
    }),
  }),
  ...allow('1: further operations are referred to, their shape is not shown', {
    'store-orders-exist: there is a /store/orders': (base) => ({
      refuseRoute: (exchange) => {
        if (!exchange.path.startsWith('/store/')) return base.refuseRoute(exchange);
        if (!base.hasValidKey(exchange)) return printRefusal(base.refuseKey(exchange), exchange);
        return { status: 200, headers: {}, json: { orders: [] } };
      },
    }),
  }),
  ...allow('2 Error: what message says is not stated', {
    'refused-key-named: the message of a 401 quotes what was sent as a key': () => ({
      refuseKey: (exchange) => {
        const sent = exchange.headers.authorization?.replace(/^Bearer */, '') ?? '';
        return new Refusal(401, 'unauthorized', `"${sent}" is no API key.`);
      },
    }),
  }),
} satisfies Record<string, Variant>;
