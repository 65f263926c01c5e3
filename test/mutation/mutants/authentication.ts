import { readBearerToken } from '../server/default-behaviour.js';
import type { Change, Exchange, OperationId } from '../server/behaviour.js';
import { printRefusal } from '../server/handle-exchange.js';
import { Refusal } from '../server/replies.js';
import type { Mutant } from './mutant.js';
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
  'list-needs-no-key': {
    title: 'listPets is open to everybody',
    breaks: stated.everyOperation,
    foundBy: ['status'],
    change: leaveOpen('listPets'),
  },
  'create-needs-no-key': {
    title: 'createPet is open to everybody',
    breaks: stated.everyOperation,
    foundBy: ['status'],
    change: leaveOpen('createPet'),
  },
  'get-needs-no-key': {
    title: 'getPet is open to everybody',
    breaks: stated.everyOperation,
    foundBy: ['status'],
    change: leaveOpen('getPet'),
  },
  'reads-need-no-key': {
    title: 'both GET operations are open',
    breaks: stated.everyOperation,
    foundBy: ['status'],
    change: leaveOpen('listPets', 'getPet'),
  },
  'any-token-accepted': {
    title: 'every bearer token is accepted',
    breaks: stated.unauthorized,
    foundBy: ['status'],
    change: acceptWhen((_exchange, token) => token !== undefined),
  },
  'any-token-accepted-on-create': {
    title: 'createPet only looks whether there is a token',
    breaks: stated.unauthorized,
    foundBy: ['status'],
    change: acceptWhen(({ operation }, token) => operation === 'createPet' && token !== undefined),
  },
  'any-token-accepted-on-get': {
    title: 'getPet only looks whether there is a token',
    breaks: stated.unauthorized,
    foundBy: ['status'],
    change: acceptWhen(({ operation }, token) => operation === 'getPet' && token !== undefined),
  },
  'missing-key-accepted': {
    title: 'the key is checked only when the header is there',
    breaks: stated.unauthorized,
    foundBy: ['status'],
    change: acceptWhen(hasNoKey),
  },
  'key-prefix-accepted': {
    title: 'the first characters of the key are enough',
    breaks: stated.unauthorized,
    foundBy: ['status'],
    change: acceptWhen(({ server }, token) => token !== undefined && server.apiKey.startsWith(token)),
  },
  'key-with-suffix-accepted': {
    title: 'characters after the key are ignored',
    breaks: stated.unauthorized,
    foundBy: ['status'],
    change: acceptWhen(({ server }, token) => token?.startsWith(server.apiKey) ?? false),
  },
  'key-with-more-before-it-accepted': {
    title: 'the key is looked for at the end of what was sent',
    breaks: stated.unauthorized,
    foundBy: ['status'],
    change: acceptWhen(({ server }, token) => token?.endsWith(server.apiKey) ?? false),
  },
  'key-truncated-to-eight': {
    title: 'only the first eight characters of the key are compared',
    breaks: stated.unauthorized,
    foundBy: ['status'],
    change: acceptWhen(({ server }, token) => token?.slice(0, 8) === server.apiKey.slice(0, 8)),
  },
  'key-length-compared': {
    title: 'every token as long as the key is accepted',
    breaks: stated.unauthorized,
    foundBy: ['status'],
    change: acceptWhen(({ server }, token) => token?.length === server.apiKey.length),
  },
  'key-case-ignored': {
    title: 'the key is compared without regard to case',
    breaks: stated.unauthorized,
    foundBy: ['status'],
    change: acceptWhen(({ server }, token) => token?.toLowerCase() === server.apiKey.toLowerCase()),
  },
  'empty-bearer-accepted': {
    title: 'the bare word Bearer is accepted',
    breaks: stated.unauthorized,
    foundBy: ['status'],
    change: acceptWhen(({ headers }) => /^bearer *$/i.test(headers.authorization ?? '')),
  },
  'basic-scheme-accepted': {
    title: 'the key is accepted after the word Basic',
    breaks: stated.keyAsBearer,
    foundBy: ['status'],
    reading: 'only-bearer',
    change: acceptWhen(({ headers, server }) => headers.authorization === `Basic ${server.apiKey}`),
  },
  'bare-key-accepted': {
    title: 'the key is accepted without a scheme',
    breaks: stated.keyAsBearer,
    foundBy: ['status'],
    reading: 'only-bearer',
    change: acceptWhen(({ headers, server }) => headers.authorization === server.apiKey),
  },
  'key-checked-once-per-connection': {
    title: 'after one valid call a connection needs no key any more',
    breaks: stated.everyOperation,
    foundBy: ['status'],
    change: (base) => {
      const trusted = new WeakSet<object>();
      return {
        hasValidKey: (exchange) => {
          if (base.hasValidKey(exchange)) trusted.add(exchange.connection);
          return trusted.has(exchange.connection);
        },
      };
    },
  },
  'call-after-a-valid-one-unchecked': {
    title: 'the first keyless call after a valid one goes through',
    breaks: stated.everyOperation,
    foundBy: ['status'],
    change: (base) => {
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
  },
  'only-three-refusals': {
    title: 'the check gives up after it refused three times',
    breaks: stated.unauthorized,
    foundBy: ['status'],
    change: (base) => {
      let refused = 0;
      return {
        hasValidKey: (exchange) => {
          if (base.hasValidKey(exchange) || refused >= 3) return true;
          refused += 1;
          return false;
        },
      };
    },
  },
  'refusal-sticks': {
    title: 'the valid call after a refused one is refused too',
    breaks: stated.keyWorks,
    foundBy: ['status'],
    change: (base) => {
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
  },
  'body-checked-before-key': {
    title: 'an invalid body without a key gets 400',
    breaks: stated.unauthorized,
    foundBy: ['status'],
    change: checkKeyLast('createPet', (exchange) => {
      const body = exchange.server.parseBody(exchange);
      return body instanceof Refusal || exchange.server.readNewPet(body, exchange) instanceof Refusal;
    }),
  },
  'pet-looked-up-before-key': {
    title: 'an unknown id without a key gets 404',
    breaks: stated.unauthorized,
    foundBy: ['status'],
    change: checkKeyLast('getPet', (exchange) => {
      const id = exchange.server.readPetId(exchange.path.slice('/pets/'.length), exchange);
      return !(id instanceof Refusal) && exchange.server.findPet(id, exchange) === undefined;
    }),
  },
  'refused-create-still-stored': {
    title: 'createPet stores the pet before it checks the key',
    breaks: stated.unauthorized,
    foundBy: ['records'],
    change: (base) => ({
      intercept: async (exchange) => {
        if (exchange.operation !== 'createPet' || base.hasValidKey(exchange)) return base.intercept(exchange);
        const body = exchange.server.parseBody(exchange);
        const pet = body instanceof Refusal ? body : exchange.server.readNewPet(body, exchange);
        if (!(pet instanceof Refusal)) await exchange.server.createPet(pet, exchange);
        return printRefusal(exchange.server.refuseKey(exchange), exchange);
      },
    }),
  },
} satisfies Record<string, Mutant>;
