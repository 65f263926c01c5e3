import type { Socket } from 'node:net';
import type { Change, Exchange } from '../server/behaviour.js';
import { isObject, type JsonObject } from '../server/exact-json.js';
import { breaking, type Mutant } from './mutant.js';
import { answers, changeBytes, refuseWhen, sendPage } from './planting.js';
import { stated } from './stated.js';

/** Whether the text of a new pet looks so. */
function isText(pattern: RegExp): (exchange: Exchange) => boolean {
  return ({ body, operation }) => operation === 'createPet' && pattern.test(body.toString());
}

/** Hangs up on a message that looks so. */
function hangUpOn(pattern: RegExp): Change {
  return () => ({
    tuneServer: (server) => {
      server.on('connection', (socket: Socket) =>
        socket.on('data', (bytes: Buffer) => {
          if (pattern.test(bytes.toString('latin1'))) socket.destroy();
        }),
      );
    },
  });
}

/** Takes for a new pet what it makes of an object. */
function readingAs(change: (body: JsonObject) => JsonObject): Change {
  return (base) => ({
    readNewPet: (body, exchange) => base.readNewPet(isObject(body) ? change(body) : body, exchange),
  });
}

/** Mutants that the head of a real client shows on a request that is sent anyway, and messages and bodies in another form. */
export const otherFormMutants = {
  ...breaking(stated.everyOperation, ['server-error', 'status']).by({
    'percent-cookie-500: a percent sign in a cookie makes it fail': refuseWhen(500, ({ headers }) =>
      /%(?![\da-f]{2})/i.test(headers.cookie ?? ''),
    ),
    'proxied-need-no-key: what a proxy names by X-Real-IP needs no key': (base) => ({
      hasValidKey: (exchange) => base.hasValidKey(exchange) || exchange.headers['x-real-ip'] !== undefined,
    }),
  }),
  ...breaking(stated.errorBody, ['content-type', 'json', 'body', 'error-body']).by({
    '400-page-without-accept: whoever states no type gets the 400 as a page': sendPage(
      (reply, { headers }) => reply.status === 400 && headers.accept === undefined,
    ),
    '404-code-in-chinese: the code of a 404 is no text for Chinese clients': (base) => ({
      printError: (refusal, exchange) => {
        const error = base.printError(refusal, exchange);
        const isChinese = exchange.headers['accept-language']?.startsWith('zh-CN') === true;
        return isChinese && refusal.status === 404 ? { ...error, code: null } : error;
      },
    }),
  }),
  ...breaking(stated.getAnswer, ['json', 'record', 'own-records']).by({
    'letters-in-latin1: letters of a record are in ISO 8859-1 where that is asked for': changeBytes(
      (reply, exchange) =>
        answers('getPet', 200)(reply, exchange) && String(exchange.headers['accept-charset']).startsWith('iso-8859-1'),
      (bytes) => Buffer.from(bytes.toString(), 'latin1'),
    ),
  }),
  ...breaking(stated.getAnswer, ['answered']).by({
    'spaces-are-required: a header field without a space before its value ends the connection':
      hangUpOn(/^accept:(?! )/im),
  }),
  ...breaking(stated.created, ['answered', 'status']).by({
    'chunk-extensions-unread: a chunk with an extension ends the connection': hangUpOn(/;x-no-such=/),
    'first-chunk-alone: of a body in chunks, the first one is read': (base) => ({
      parseBody: (exchange) => {
        const isInChunks = exchange.headers['transfer-encoding'] !== undefined && exchange.pieces.length > 1;
        return base.parseBody(isInChunks ? { ...exchange, body: exchange.pieces[0] ?? exchange.body } : exchange);
      },
    }),
    'exponents-unread: an integer with an exponent gets 400': refuseWhen(400, isText(/:\s*-?[\d.]+[eE]\d\D/)),
    'surrogates-unread: an escaped letter of two code units gets 400': refuseWhen(400, isText(/\\ud[89ab]..\\ud/i)),
    'creates-need-an-accept: a create without Accept gets 406': refuseWhen(
      406,
      ({ headers, operation }) => operation === 'createPet' && headers.accept === undefined,
    ),
  }),
  ...breaking(stated.refused, ['status']).by({
    'capital-members-are-read: Name is read as name': readingAs(({ Name: name, ...body }) =>
      name === undefined ? body : { ...body, name },
    ),
  }),
  ...breaking(stated.refused, ['server-error']).by({
    'comma-behind-the-last-500: a comma behind the last member makes it fail': refuseWhen(500, isText(/,\}/)),
    'single-quotes-500: single quotes around a name make it fail': refuseWhen(500, isText(/\{'/)),
    'comments-500: a comment makes it fail': refuseWhen(500, isText(/\/\*/)),
    'not-a-number-500: NaN makes it fail': refuseWhen(500, isText(/:NaN/)),
  }),
} satisfies Record<string, Mutant>;
