import type { Change, Exchange } from '../server/behaviour.js';
import { breaking, type Mutant } from './mutant.js';
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
  ...breaking(stated.unauthorized, ['status']).by({
    'first-of-two-tokens-accepted: what follows the key after a space is not looked at': acceptCredentials(
      (credentials, key) => credentials.split(' ')[0] === key,
    ),
    'last-of-two-tokens-accepted: the last of several tokens is the one that counts': acceptCredentials(
      (credentials, key) => credentials.split(' ').at(-1) === key,
    ),
    'key-in-a-list-accepted: the key is accepted among others in a list with commas': acceptCredentials(
      (credentials, key) => credentials.split(/ *, */).includes(key),
    ),
    'undefined-as-key-accepted: the word undefined is a key (a variable that is not set)': acceptCredentials(
      (credentials) => credentials === 'undefined',
    ),
    'null-as-key-accepted: getPet takes the word null for a key': (base) => ({
      hasValidKey: (exchange) =>
        base.hasValidKey(exchange) || (exchange.operation === 'getPet' && readCredentials(exchange) === 'null'),
    }),
    'star-as-key-accepted: a star is a key (it matches every one)': acceptCredentials(
      (credentials) => credentials === '*',
    ),
    'letters-beyond-ascii-left-out: letters beyond ASCII are left out before the key is compared': acceptCredentials(
      (credentials, key) => credentials.replace(/[^\x20-\x7E]/g, '') === key,
    ),
    'quoted-key-accepted: the key is accepted in quotation marks': acceptCredentials(
      (credentials, key) => credentials === `"${key}"`,
    ),
  }),
  ...breaking(stated.unauthorized, ['server-error']).by({
    'key-beyond-ascii-500: letters beyond ASCII in the key make it crash (buffers of two lengths are compared)':
      crashOn(({ headers }) => /[^\x20-\x7E]/.test(headers.authorization ?? '')),
    'two-authorization-fields-500: two Authorization fields make it crash': crashOn(
      ({ fieldNames }) => fieldNames.filter((name) => /^authorization$/i.test(name)).length > 1,
    ),
  }),
} satisfies Record<string, Mutant>;
