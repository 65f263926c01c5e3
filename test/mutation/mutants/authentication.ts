import { readBearerToken } from '../server/default-behaviour.js';
import type { Change, OperationId } from '../server/behaviour.js';
import { printRefusal } from '../server/handle-exchange.js';
import { Refusal } from '../server/replies.js';
import { breaking, type Mutant } from './mutant.js';
import { acceptWhen, adjust, always, answers, changeErrors, changeReply, hasStatus } from './planting.js';
import { makeRefusal, refuseWhen, replaceBody, sendPage } from './planting.js';
import { stated } from './stated.js';

function leaveOpen(...operations: OperationId[]): Change {
  return acceptWhen(({ operation }) => operation !== undefined && operations.includes(operation));
}

function acceptToken(test: (token: string, key: string) => boolean, at?: OperationId): Change {
  return acceptWhen(
    ({ operation = at, server }, token) =>
      (at ?? operation) === operation && token !== undefined && test(token, server.apiKey),
  );
}

function acceptHeader(test: (field: string | undefined, key: string) => boolean): Change {
  return acceptWhen(({ headers, server }) => test(headers.authorization, server.apiKey));
}

/** Decides anew, by whether the key is valid and by what each decision keeps for the next. */
function decide<State>(
  start: State,
  next: (isValid: boolean, state: State) => [passes: boolean, state: State],
): Change {
  return (base) => {
    let decided: [boolean, State] = [false, start];
    return adjust('hasValidKey', (isValid) => (decided = next(isValid, decided[1]))[0])(base);
  };
}

/** Refuses a bad key by the status that is given, or as the base does. */
function refuseKeyWith(choose: (field: string | undefined, operation?: OperationId) => number | undefined): Change {
  return adjust('refuseKey', (refusal, { headers, operation }) => {
    const status = choose(headers.authorization, operation);
    return status === undefined ? refusal : makeRefusal(status);
  });
}

const is401 = hasStatus(401);

/** Mutants in whom they let in, in how they refuse the others, and in who may see what. */
export const authenticationMutants = {
  ...breaking(stated.everyOperation, ['status']).by({
    'list-needs-no-key: listPets is open to everybody': leaveOpen('listPets'),
    'create-needs-no-key: createPet is open to everybody': leaveOpen('createPet'),
    'get-needs-no-key: getPet is open to everybody': leaveOpen('getPet'),
    'reads-need-no-key: both GET operations are open': leaveOpen('listPets', 'getPet'),
    'key-checked-once-per-connection: after one valid call a connection needs no key any more': (base) => {
      const trusted = new WeakSet<object>();
      return adjust('hasValidKey', (isValid, { connection }) =>
        (isValid ? trusted.add(connection) : trusted).has(connection),
      )(base);
    },
    'call-after-a-valid-one-unchecked': decide(false, (isValid, isFree) => [isValid || isFree, isValid]),
  }),
  ...breaking(stated.unauthorized, ['status']).by({
    'any-token-accepted: every bearer token is accepted': acceptToken(always),
    'any-token-accepted-on-create: createPet only looks whether there is a token': acceptToken(always, 'createPet'),
    'any-token-accepted-on-get: getPet only looks whether there is a token': acceptToken(always, 'getPet'),
    'missing-key-accepted: without the header nothing is checked': acceptHeader((sent) => sent === undefined),
    'key-prefix-accepted: the first characters of the key suffice': acceptToken((sent, key) => key.startsWith(sent)),
    'key-with-suffix-accepted: characters after the key are ignored': acceptToken((sent, key) => sent.startsWith(key)),
    'key-with-more-before-it-accepted': acceptToken((sent, key) => sent.endsWith(key)),
    'key-truncated-to-eight': acceptToken((sent, key) => sent.slice(0, 8) === key.slice(0, 8)),
    'key-length-compared: any token as long as the key will do': acceptToken((sent, key) => sent.length === key.length),
    'key-case-ignored': acceptToken((sent, key) => sent.toLowerCase() === key.toLowerCase()),
    'empty-bearer-accepted: the bare word Bearer is accepted': acceptHeader((sent = '') => /^bearer *$/i.test(sent)),
    'only-three-refusals': decide(0, (isValid, no) => (isValid || no >= 3 ? [true, no] : [false, no + 1])),
    'body-checked-before-key: an invalid body without a key gets 400': acceptWhen((exchange) => {
      if (exchange.operation !== 'createPet') return false;
      const body = exchange.server.parseBody(exchange);
      return body instanceof Refusal || exchange.server.readNewPet(body, exchange) instanceof Refusal;
    }),
    'pet-looked-up-before-key: an unknown id without a key gets 404': acceptWhen((exchange) => {
      if (exchange.operation !== 'getPet') return false;
      const id = exchange.server.readPetId(exchange.path.slice('/pets/'.length), exchange);
      return !(id instanceof Refusal) && exchange.server.findPet(id, exchange) === undefined;
    }),
  }),
  ...breaking(stated.keyAsBearer, ['status'], { reading: 'only-bearer' }).by({
    'basic-scheme-accepted: the key is accepted after Basic': acceptHeader((sent, key) => sent === `Basic ${key}`),
    'bare-key-accepted: the key is accepted without a scheme': acceptHeader((sent, key) => sent === key),
  }),
  ...breaking(stated.keyWorks, ['status']).by({
    'refusal-sticks: the next valid call is refused too': decide(false, (isValid, was) => [isValid && !was, !isValid]),
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
  // ---- Another refusal than 401 with the Error body
  ...breaking(stated.unauthorized, ['status']).by({
    'bad-key-403: 403 instead of 401': refuseKeyWith(() => 403),
    'wrong-key-403: 401 only for a missing one': refuseKeyWith((sent) => (sent === undefined ? undefined : 403)),
    'missing-key-400: 400 for a missing key': refuseKeyWith((sent) => (sent === undefined ? 400 : undefined)),
    'bad-key-404: the whole API hides behind 404 from callers without a key': refuseKeyWith(() => 404),
    'bad-key-404-on-get': refuseKeyWith((_, operation) => (operation === 'getPet' ? 404 : undefined)),
    'bad-key-200: the Error for a bad key comes with status 200': changeReply(is401, { status: 200 }),
    'bad-key-redirected': changeReply(is401, { status: 302, headers: { location: '/login' }, json: undefined }),
  }),
  ...breaking(stated.unauthorized, ['server-error']).by({
    'odd-authorization-500: an Authorization header without a token makes it crash': adjust(
      'refuseKey',
      (given, asked) =>
        asked.headers.authorization === undefined || readBearerToken(asked) !== undefined ? given : makeRefusal(500),
    ),
  }),
  ...breaking(stated.unauthorized, ['error-body']).by({
    '401-without-body: 401 has no body': changeReply(is401, { json: undefined }),
    '401-without-body-on-create': changeReply(answers('createPet', 401), { json: undefined }),
  }),
  ...breaking(stated.unauthorized, ['content-type', 'json']).by({
    '401-html: 401 is an HTML page': sendPage(is401),
    '401-plain-text: 401 is plain text': replaceBody(is401, 'text/plain', 'Unauthorized'),
  }),
  ...breaking(stated.errorStatus, ['error-body']).by({ '401-says-403': changeErrors(401, { status: 403n }) }),
  ...breaking(stated.errorFields, ['error-body']).by({
    '401-without-code: the Error of a 401 has no code': changeErrors(401, { code: undefined }),
    '401-without-message: the Error of a 401 has no message': changeErrors(401, { message: undefined }),
  }),
  ...breaking(stated.errorBody, ['error-body']).by({
    '401-oauth-shape': changeErrors(401, () => ({
      error: 'invalid_token',
      error_description: 'The token is not valid.',
    })),
  }),
  ...breaking(stated.getAnswer, ['status']).by({
    'listed-pets-are-forbidden: getPet forbids every pet': refuseWhen(403, ({ operation }) => operation === 'getPet'),
    'last-of-a-page-is-forbidden: the last pet that a list shows is forbidden to the same key': refuseWhen(
      403,
      ({ operation, path }) => operation === 'getPet' && path === '/pets/120',
    ),
  }),
} satisfies Record<string, Mutant>;
