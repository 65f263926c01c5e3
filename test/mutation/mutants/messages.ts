import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Change, OperationId } from '../server/behaviour.js';
import type { Reply } from '../server/replies.js';
import { isObject } from '../server/exact-json.js';
import { answerVariants } from '../variants/answers.js';
import { mendBody } from './create.js';
import { breaking, type Mutant } from './mutant.js';
import { acceptWhen, adjust, answers, changeBytes, instead, isSuccess, makeRefusal } from './planting.js';
import { refuseWhen, sendPage, type Test } from './planting.js';
import { stated } from './stated.js';

/** Whether a header field of a request has a value. */
function has(name: string, value: RegExp): Test {
  return ({ headers }) => value.test(String(headers[name] ?? ''));
}

const isListing: Test = ({ operation }) => operation === 'listPets';

/** Refuses requests with a header field. */
function refuse(status: number, name: string, value: RegExp): Change {
  return refuseWhen(status, has(name, value));
}

/** Sends a page in place of an Error, to those who send a header field. */
function errorPage(status: number, name: string, value: RegExp): Change {
  return sendPage(
    (reply, exchange) => reply.status === status && exchange.operation !== undefined && has(name, value)(exchange),
  );
}

/** Answers in ISO 8859-1, in which a letter beyond ASCII is one byte, where that is asked for. */
function sendLatin1(applies: (reply: Reply, ...asked: Parameters<Test>) => boolean): Change {
  return changeBytes(
    (reply, exchange) => applies(reply, exchange) && has('accept-charset', LATIN1)(exchange),
    (bytes) => Buffer.from(bytes.toString().replace('{', '{"é":1,'), 'latin1'),
  );
}

const BROWSER = /^text\/html/;
const CURL = /^\*\/\*$/;
const GERMAN = /^de-CH/;
const LATIN1 = /^iso-8859-1/;

/** Refuses a new pet whose text looks so. */
function refuseText(status: number, pattern: RegExp): Change {
  return refuseWhen(status, ({ body, operation }) => operation === 'createPet' && pattern.test(body.toString()));
}

const needs = answerVariants['etag-and-304'].change;

/** Whether a request has a tag of that variant. */
function hasTag(wanted: OperationId): Test {
  return ({ headers, operation }) => operation === wanted && /^"[\da-f]{40}"$/.test(headers['if-none-match'] ?? '');
}

/** Gives a list the ETag of a part of it, which does not change with the rest. */
function tagBy(part: (text: string) => string): Change {
  return (base) => ({
    encode: (reply, exchange) => {
      const encoded = base.encode(reply, exchange);
      if (exchange.operation !== 'listPets' || encoded.status !== 200) return encoded;
      const etag = `"${createHash('sha1').update(part(encoded.bytes.toString())).digest('hex')}"`;
      return { ...encoded, headers: { ...encoded.headers, etag } };
    },
  });
}

/** Looks at the tag before it looks at the key. */
function opens(operation: OperationId): Change {
  return instead('intercept', (exchange) =>
    exchange.headers.authorization === undefined && hasTag(operation)(exchange)
      ? { status: 304, headers: {}, json: undefined }
      : undefined,
  );
}

/** Mutants that a message shows which every server has to read, or one header field of a client, which changes nothing. */
export const messageMutants = {
  ...breaking(stated.listAnswer, ['status', 'content-type', 'json']).by({
    'page-for-browsers': sendPage((reply, exchange) => isSuccess(reply, exchange) && has('accept', BROWSER)(exchange)),
    'german-unknown-400: by lists': refuseWhen(400, (at) => isListing(at) && has('accept-language', GERMAN)(at)),
    'chinese-script-400: a language with a script gets 400': refuse(400, 'accept-language', /Hant/),
    'health-checks-are-not-served: a health check gets 404': refuse(404, 'user-agent', /^kube-probe/),
    'origin-400: an Origin gets 400': refuse(400, 'origin', /./),
    'forwarded-element-400: an address of IPv6 in Forwarded gets 400': refuse(400, 'forwarded', /\[2001/),
    'no-agent-403: whoever does not name itself gets 403': refuse(403, 'user-agent', /^$/),
    'no-coding-406: whoever asks for no content coding gets 406': refuse(406, 'accept-encoding', /^$/),
    'brotli-alone-406: whoever takes brotli alone gets 406': refuse(406, 'accept-encoding', /^br$/),
    'upgrade-426: an offer of HTTP/2 gets 426': refuse(426, 'upgrade', /h2c/),
    'tags-unread-412: If-None-Match with two tags gets 412': refuse(412, 'if-none-match', /", W/),
    'other-range-416: a Range of an unknown unit gets 416': refuse(416, 'range', /^x-/),
    'unknown-field-400': refuseWhen(400, ({ fieldNames }) => fieldNames.some((name) => name.includes('#'))),
  }),
  ...breaking(stated.getAnswer, ['status', 'content-type', 'json']).by({
    'media-type-has-a-case: Application/JSON is another type': refuse(406, 'accept', /^Application\/JSON$/),
    'weights-have-a-case: Q is no weight and gets 406': refuse(406, 'accept', /;Q=/),
    'empty-accept-items-406: an empty item of Accept gets 406': refuse(406, 'accept', /^, /),
    'french-alone-406: a single language that there is not gets 406': refuse(406, 'accept-language', /^fr$/),
    'records-in-latin1: a record is in ISO 8859-1 where that is asked for': sendLatin1(answers('getPet', 200)),
    'coding-has-a-case: GZip is another coding than gzip and gets 406': refuse(406, 'accept-encoding', /GZip/),
    'comments-in-agents-400: a comment within a comment gets 400': refuse(400, 'user-agent', /\(and one/),
    'quoted-cookie-400: a cookie in quotation marks gets 400': refuse(400, 'cookie', /"dark"/),
    'forwarded-for-403: what a load balancer forwards gets 403': refuse(403, 'x-forwarded-for', /./),
    'traced-400: a traceparent gets 400': refuse(400, 'traceparent', /./),
    'old-dates-400: a date in its old form gets 400': refuse(400, 'if-modified-since', /^Sunday/),
    'unknown-directive-400: an unknown directive of Cache-Control gets 400': refuse(400, 'cache-control', /x-no/),
  }),
  ...breaking(stated.everyOperation, ['status']).by({
    'health-checks-need-no-key: a health check needs no key': acceptWhen(has('user-agent', /^kube-probe/)),
    'cookies-need-no-key: a cookie counts as a session': acceptWhen(has('cookie', /./)),
    'origin-needs-no-key: a page of another site needs no key': acceptWhen(has('origin', /./)),
    'local-address-needs-no-key: what says to be local needs none': acceptWhen(has('x-forwarded-for', /^127\./)),
  }),
  ...breaking(stated.errorBody, ['content-type', 'json', 'body']).by({
    '401-page-for-curl: who takes anything gets the 401 as a page': errorPage(401, 'accept', CURL),
    '401-page-for-browsers: who prefers HTML gets the 401 as a page': errorPage(401, 'accept', BROWSER),
    '401-page-in-german: the 401 is a page in one language': errorPage(401, 'accept-language', GERMAN),
    '401-page-by-charset: the 401 is a page where a charset is asked for': errorPage(401, 'accept-charset', LATIN1),
    '404-page-for-curl: who takes anything gets the 404 as a page': errorPage(404, 'accept', CURL),
    '404-page-for-browsers: who prefers HTML gets the 404 as a page': errorPage(404, 'accept', BROWSER),
    '404-page-in-german: the 404 is a page in one language': errorPage(404, 'accept-language', GERMAN),
    '404-in-latin1: the 404 is in ISO 8859-1 where that is asked for': sendLatin1(answers('getPet', 404)),
    '400-page-for-curl: who takes anything gets the 400 as a page': errorPage(400, 'accept', CURL),
    '400-page-for-browsers: who prefers HTML gets the 400 as a page': errorPage(400, 'accept', BROWSER),
    '400-page-in-german: the 400 is a page in one language': errorPage(400, 'accept-language', GERMAN),
    '400-page-by-charset: the 400 is a page where a charset is asked for': errorPage(400, 'accept-charset', LATIN1),
  }),
  // ---- A form of a message (RFC 9112)
  ...breaking(stated.getAnswer, ['status']).by({
    'absolute-form-400: a target that is a URL gets 400': refuseWhen(400, ({ target }) => target.startsWith('http')),
    'capitals-unread: names in capitals are not': refuseWhen(400, ({ fieldNames }) => fieldNames.includes('ACCEPT')),
    'empty-query-400: a query without a parameter gets 400': refuseWhen(400, ({ target }) => target.endsWith('?')),
  }),
  ...breaking(stated.getAnswer, ['answered']).by({
    'head-read-at-once: a head that is not there at once is none': () => ({
      tuneServer: (server) => {
        server.on('connection', (socket: Socket) =>
          socket.once('data', (bytes: Buffer) => {
            if (bytes.toString('latin1').startsWith('GET ') && !bytes.includes('\r\n\r\n')) socket.destroy();
          }),
        );
      },
    }),
  }),
  ...breaking(stated.created, ['status', 'record']).by({
    'expectation-forgets-the-body: a body that is asked for is not read': () => ({
      tuneServer: (server) => {
        server.on('checkContinue', (_, response) => {
          response.writeHead(400, { 'content-type': 'application/json' });
          response.end('{"code":"empty","message":"There is no body.","status":400}');
        });
      },
    }),
    'trailers-400: a body with trailers gets 400': refuse(400, 'trailer', /./),
  }),
  // ---- The same, spelt in another way, and what is not the same
  ...breaking(stated.getOnePet, ['status']).by({
    'second-escape-400: only one percent escape of an id is read': refuseWhen(400, ({ path }) => /%.*%/.test(path)),
  }),
  ...breaking(stated.created, ['status']).by({
    'first-member-is-the-name: a pet whose first member is not its name is rejected': adjust(
      'readNewPet',
      (pet, body) => (isObject(body) && Object.keys(body)[0] === 'status' ? makeRefusal(400) : pet),
    ),
    'escaped-member-unknown: the name of a member is read without its escapes': refuseText(400, /"[^"]*\\u[^"]*"\s*:/),
    'escaped-letter-unread': refuseText(400, /:\s*"[^"]*\\u00(?:4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a])/i),
  }),
  ...breaking(stated.refused, ['status']).by({
    'wide-letters-are-folded: letters of a status are folded (NFKC)': mendBody(({ status, ...body }) =>
      typeof status === 'string' ? { ...body, status: status.normalize('NFKC') } : { ...body, status },
    ),
    'snake-case-is-read': mendBody(({ category_id: categoryId, ...body }) =>
      categoryId === undefined ? body : { ...body, categoryId },
    ),
  }),
  // ---- What the ETag of an earlier response shows
  ...breaking(stated.everyOperation, ['status'], { needs }).by({
    'known-list-needs-no-key: who has the ETag of a list gets 304 without a key': opens('listPets'),
    'known-pet-needs-no-key: who has the ETag of a pet gets 304 without a key': opens('getPet'),
  }),
  ...breaking(stated.getAnswer, ['status'], { needs }).by({ 'unchanged-pet-412': refuseWhen(412, hasTag('getPet')) }),
  ...breaking(stated.listAnswer, ['validators'], { needs }).by({
    'list-tag-of-its-first-pet: the ETag of a list is that of its first pet': tagBy((text) => text.slice(0, 80)),
  }),
} satisfies Record<string, Mutant>;
