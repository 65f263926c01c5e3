import type { Change, Exchange } from '../server/behaviour.js';
import { printRefusal } from '../server/handle-exchange.js';
import { Refusal, type Reply } from '../server/replies.js';
import { open, type Variant } from './variant.js';

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
  'no-challenge': {
    title: '401 without WWW-Authenticate',
    leavesOpen: '5: the header is not described',
    change: challengeWith(undefined),
  },
  'detailed-challenge': {
    title: 'WWW-Authenticate with realm and error',
    leavesOpen: 'RFC 6750 section 3',
    change: challengeWith('Bearer realm="petstore", error="invalid_token", error_description="unknown key"'),
  },
  'scheme-is-case-sensitive': {
    title: 'only Bearer with a capital is read',
    leavesOpen: '5: the header is described as Bearer; other spellings are not',
    change: (base) => ({
      hasValidKey: (exchange) =>
        base.hasValidKey(exchange) && (exchange.headers.authorization ?? '').startsWith('Bearer '),
    }),
  },
  'other-paths-401': {
    title: 'paths outside the interface need a key too',
    leavesOpen: open.otherPaths,
    change: (base) => ({
      refuseRoute: (exchange) => (base.hasValidKey(exchange) ? base.refuseRoute(exchange) : base.refuseKey(exchange)),
    }),
  },
  'other-paths-403': {
    title: 'paths outside the interface are forbidden',
    leavesOpen: open.otherPaths,
    change: answerOthers(() => new Refusal(403, 'forbidden', 'Not for you.')),
  },
  'other-paths-redirected': {
    title: 'paths outside the interface redirect to the documentation',
    leavesOpen: open.otherPaths,
    // Only below the base path: the documentation itself must not redirect again.
    change: answerOthers(({ path }) => (/^\/(?!pets)/.test(path) ? redirect(302, '/docs') : undefined)),
  },
  'wrong-methods-404': {
    title: 'other methods get 404',
    leavesOpen: open.otherPaths,
    change: answerOthers(() => new Refusal(404, 'not_found', 'There is nothing here.')),
  },
  'options-204': {
    title: 'OPTIONS gets 204 with CORS headers',
    leavesOpen: open.otherPaths,
    change: answerOthers(({ method }) =>
      method === 'OPTIONS'
        ? {
            status: 204,
            headers: { 'access-control-allow-origin': '*', 'access-control-allow-methods': 'GET, POST' },
            json: undefined,
          }
        : undefined,
    ),
  },
  'head-405': {
    title: 'HEAD gets 405',
    leavesOpen: open.otherPaths,
    change: (base) => ({
      intercept: (exchange) =>
        exchange.method === 'HEAD'
          ? new Refusal(405, 'method_not_allowed', 'No HEAD here.', { allow: 'GET, POST' })
          : base.intercept(exchange),
    }),
  },
  'trailing-slash-redirected': {
    title: '/pets/ redirects to /pets',
    leavesOpen: open.otherPaths,
    change: answerOthers(({ path }) => (path === '/pets/' ? redirect(308, '/v1/pets') : undefined)),
  },
  'store-orders-exist': {
    title: 'there is a /store/orders',
    leavesOpen: '1: further operations are referred to, their shape is not shown',
    change: (base) => ({
      refuseRoute: (exchange) => {
        if (!exchange.path.startsWith('/store/')) return base.refuseRoute(exchange);
        if (!base.hasValidKey(exchange)) return printRefusal(base.refuseKey(exchange), exchange);
        return { status: 200, headers: {}, json: { orders: [] } };
      },
    }),
  },
  'other-paths-hang-up': {
    title: 'paths and methods outside the interface get no answer, the connection is closed',
    leavesOpen: open.otherPaths,
    change: (base) => ({
      send: (reply, exchange, response) =>
        exchange.operation === undefined ? void response.socket?.destroy() : base.send(reply, exchange, response),
    }),
  },
  'refused-key-named': {
    title: 'the message of a 401 quotes what was sent as a key',
    leavesOpen: '2 Error: what message says is not stated',
    change: () => ({
      refuseKey: (exchange) => {
        const sent = exchange.headers.authorization?.replace(/^Bearer */, '') ?? '';
        return new Refusal(401, 'unauthorized', `"${sent}" is no API key.`);
      },
    }),
  },
} satisfies Record<string, Variant>;
