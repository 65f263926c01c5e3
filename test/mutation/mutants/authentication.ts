import { readBearerToken } from '../server/default-behaviour.js';
import type { Change, Exchange, OperationId } from '../server/behaviour.js';
import { printRefusal } from '../server/handle-exchange.js';
import { Refusal } from '../server/replies.js';
import { breaking, type Mutant } from './mutant.js';
import { stated } from './stated.js';

/** Lets requests through that the base would refuse for their key. */
function acceptWhen(test: (exchange: Exchange, token: string | undefined) => boolean): Change {
  return (base) => ({
    hasValidKey: (exchange) => base.hasValidKey(exchange) || test(exchange, readBearerToken(exchange)),
  });
}

function leaveOpen(...operations: OperationId[]): Change {
  return acceptWhen(({ operation }) => operation !== undefined && operations.includes(operation));
}

/** Answers for a bad key with what the operation would have refused anyway. */
function checkKeyLast(operation: OperationId, isRefused: (exchange: Exchange) => boolean): Change {
  return acceptWhen((exchange) => exchange.operation === operation && isRefused(exchange));
}

export const hasNoKey = ({ headers }: Exchange) => headers.authorization === undefined;

export const authenticationMutants = {
  ...breaking(stated.everyOperation, ['status']).by({
    'list-needs-no-key: listPets is open to everybody': leaveOpen('listPets'),
    'create-needs-no-key: createPet is open to everybody': leaveOpen('createPet'),
    'get-needs-no-key: getPet is open to everybody': leaveOpen('getPet'),
    'reads-need-no-key: both GET operations are open': leaveOpen('listPets', 'getPet'),
    'key-checked-once-per-connection: after one valid call a connection needs no key any more': (base) => {
      const trusted = new WeakSet<object>();
      return {
        hasValidKey: (exchange) => {
          if (base.hasValidKey(exchange)) trusted.add(exchange.connection);
          return trusted.has(exchange.connection);
        },
      };
    },
    'call-after-a-valid-one-unchecked: the first keyless call after a valid one goes through': (base) => {
      let isFree = false;
      return {
        hasValidKey: (exchange) => {
          const isValid = base.hasValidKey(exchange);
          const passes = isValid || isFree;
          isFree = isValid;
          return passes;
        },
      };
    },
  }),
  ...breaking(stated.unauthorized, ['status']).by({
    'any-token-accepted: every bearer token is accepted': acceptWhen((_exchange, token) => token !== undefined),
    'any-token-accepted-on-create: createPet only looks whether there is a token': acceptWhen(
      ({ operation }, token) => operation === 'createPet' && token !== undefined,
    ),
    'any-token-accepted-on-get: getPet only looks whether there is a token': acceptWhen(
      ({ operation }, token) => operation === 'getPet' && token !== undefined,
    ),
    'missing-key-accepted: the key is checked only when the header is there': acceptWhen(hasNoKey),
    'key-prefix-accepted: the first characters of the key are enough': acceptWhen(
      ({ server }, token) => token !== undefined && server.apiKey.startsWith(token),
    ),
    'key-with-suffix-accepted: characters after the key are ignored': acceptWhen(
      ({ server }, token) => token?.startsWith(server.apiKey) ?? false,
    ),
    'key-with-more-before-it-accepted: the key is looked for at the end of what was sent': acceptWhen(
      ({ server }, token) => token?.endsWith(server.apiKey) ?? false,
    ),
    'key-truncated-to-eight: only the first eight characters of the key are compared': acceptWhen(
      ({ server }, token) => token?.slice(0, 8) === server.apiKey.slice(0, 8),
    ),
    'key-length-compared: every token as long as the key is accepted': acceptWhen(
      ({ server }, token) => token?.length === server.apiKey.length,
    ),
    'key-case-ignored: the key is compared without regard to case': acceptWhen(
      ({ server }, token) => token?.toLowerCase() === server.apiKey.toLowerCase(),
    ),
    'empty-bearer-accepted: the bare word Bearer is accepted': acceptWhen(({ headers }) =>
      /^bearer *$/i.test(headers.authorization ?? ''),
    ),
    'only-three-refusals: the check gives up after it refused three times': (base) => {
      let refused = 0;
      return {
        hasValidKey: (exchange) => {
          if (base.hasValidKey(exchange) || refused >= 3) return true;
          refused += 1;
          return false;
        },
      };
    },
    'body-checked-before-key: an invalid body without a key gets 400': checkKeyLast('createPet', (exchange) => {
      const body = exchange.server.parseBody(exchange);
      return body instanceof Refusal || exchange.server.readNewPet(body, exchange) instanceof Refusal;
    }),
    'pet-looked-up-before-key: an unknown id without a key gets 404': checkKeyLast('getPet', (exchange) => {
      const id = exchange.server.readPetId(exchange.path.slice('/pets/'.length), exchange);
      return !(id instanceof Refusal) && exchange.server.findPet(id, exchange) === undefined;
    }),
  }),
  ...breaking(stated.keyAsBearer, ['status'], { reading: 'only-bearer' }).by({
    'basic-scheme-accepted: the key is accepted after the word Basic': acceptWhen(
      ({ headers, server }) => headers.authorization === `Basic ${server.apiKey}`,
    ),
    'bare-key-accepted: the key is accepted without a scheme': acceptWhen(
      ({ headers, server }) => headers.authorization === server.apiKey,
    ),
  }),
  ...breaking(stated.keyWorks, ['status']).by({
    'refusal-sticks: the valid call after a refused one is refused too': (base) => {
      let wasRefused = false;
      return {
        hasValidKey: (exchange) => {
          const isValid = base.hasValidKey(exchange);
          const passes = isValid && !wasRefused;
          wasRefused = !isValid;
          return passes;
        },
      };
    },
  }),
  ...breaking(stated.unauthorized, ['records']).by({
    'refused-create-still-stored: createPet stores the pet before it checks the key': (base) => ({
      intercept: async (exchange) => {
        if (exchange.operation !== 'createPet' || base.hasValidKey(exchange)) return base.intercept(exchange);
        const body = exchange.server.parseBody(exchange);
        const pet = body instanceof Refusal ? body : exchange.server.readNewPet(body, exchange);
        if (!(pet instanceof Refusal)) await exchange.server.createPet(pet, exchange);
        return printRefusal(exchange.server.refuseKey(exchange), exchange);
      },
    }),
  }),
} satisfies Record<string, Mutant>;
