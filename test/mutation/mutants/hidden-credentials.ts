import type { Change, Exchange } from '../server/behaviour.js';
import type { Mutant } from './mutant.js';
import { makeRefusal } from './planting.js';
import { stated } from './stated.js';

/** What stands behind the word Bearer, with spaces and all. */
function readCredentials({ headers }: Exchange): string | undefined {
  return /^bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1];
}

function acceptCredentials(test: (credentials: string, key: string) => boolean): Change {
  return (base) => ({
    hasValidKey: (exchange) => {
      const credentials = readCredentials(exchange);
      return base.hasValidKey(exchange) || (credentials !== undefined && test(credentials, exchange.server.apiKey));
    },
  });
}

function crashOn(test: (exchange: Exchange) => boolean): Change {
  return (base) => ({
    intercept: (exchange) =>
      exchange.operation !== undefined && test(exchange) ? makeRefusal(500) : base.intercept(exchange),
  });
}

/** Mutants that show only with credentials that hardly anybody sends. */
export const hiddenCredentialMutants = {
  'first-of-two-tokens-accepted': {
    title: 'what follows the key after a space is not looked at',
    breaks: stated.unauthorized,
    foundBy: ['status'],
    change: acceptCredentials((credentials, key) => credentials.split(' ')[0] === key),
  },
  'last-of-two-tokens-accepted': {
    title: 'the last of several tokens is the one that counts',
    breaks: stated.unauthorized,
    foundBy: ['status'],
    change: acceptCredentials((credentials, key) => credentials.split(' ').at(-1) === key),
  },
  'key-in-a-list-accepted': {
    title: 'the key is accepted among others in a list with commas',
    breaks: stated.unauthorized,
    foundBy: ['status'],
    change: acceptCredentials((credentials, key) => credentials.split(/ *, */).includes(key)),
  },
  'undefined-as-key-accepted': {
    title: 'the word undefined is a key (a variable that is not set)',
    breaks: stated.unauthorized,
    foundBy: ['status'],
    change: acceptCredentials((credentials) => credentials === 'undefined'),
  },
  'null-as-key-accepted': {
    title: 'getPet takes the word null for a key',
    breaks: stated.unauthorized,
    foundBy: ['status'],
    change: (base) => ({
      hasValidKey: (exchange) =>
        base.hasValidKey(exchange) || (exchange.operation === 'getPet' && readCredentials(exchange) === 'null'),
    }),
  },
  'star-as-key-accepted': {
    title: 'a star is a key (it matches every one)',
    breaks: stated.unauthorized,
    foundBy: ['status'],
    change: acceptCredentials((credentials) => credentials === '*'),
  },
  'letters-beyond-ascii-left-out': {
    title: 'letters beyond ASCII are left out before the key is compared',
    breaks: stated.unauthorized,
    foundBy: ['status'],
    change: acceptCredentials((credentials, key) => credentials.replace(/[^\x20-\x7E]/g, '') === key),
  },
  'key-beyond-ascii-500': {
    title: 'letters beyond ASCII in the key make it crash (buffers of two lengths are compared)',
    breaks: stated.unauthorized,
    foundBy: ['server-error'],
    change: crashOn(({ headers }) => /[^\x20-\x7E]/.test(headers.authorization ?? '')),
  },
  'quoted-key-accepted': {
    title: 'the key is accepted in quotation marks',
    breaks: stated.unauthorized,
    foundBy: ['status'],
    change: acceptCredentials((credentials, key) => credentials === `"${key}"`),
  },
  'two-authorization-fields-500': {
    title: 'two Authorization fields make it crash',
    breaks: stated.unauthorized,
    foundBy: ['server-error'],
    change: crashOn(({ fieldNames }) => fieldNames.filter((name) => /^authorization$/i.test(name)).length > 1),
  },
} satisfies Record<string, Mutant>;
