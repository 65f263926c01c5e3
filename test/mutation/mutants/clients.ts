import type { Change, Exchange } from '../server/behaviour.js';
import { breaking, type Mutant } from './mutant.js';
import { answers, changeBytes, htmlPage, isSuccess, refuseWhen, replaceBody } from './planting.js';
import { stated } from './stated.js';

/** Whether a header field of a request has a value. */
function has(name: string, value: RegExp): (exchange: Exchange) => boolean {
  return ({ headers }) => value.test(String(headers[name] ?? ''));
}

/** Needs no key for requests with a header field. */
function opens(name: string, value: RegExp): Change {
  return (base) => ({ hasValidKey: (exchange) => base.hasValidKey(exchange) || has(name, value)(exchange) });
}

/** Sends a page in place of an Error, to those who send a header field. */
function errorPage(status: number, name: string, value: RegExp): Change {
  return replaceBody(
    (reply, exchange) => reply.status === status && exchange.operation !== undefined && has(name, value)(exchange),
    'text/html',
    htmlPage,
  );
}

/** JSON in ISO 8859-1, in which a letter beyond ASCII is one byte. */
const toLatin1 = (bytes: Buffer): Buffer => Buffer.from(bytes.toString().replace('{', '{"é":1,'), 'latin1');

const BROWSER = /^text\/html/;
const CURL = /^\*\/\*$/;
const GERMAN = /^de-CH/;
const LATIN1 = /^iso-8859-1/;

/** Mutants that one header field of a client shows, which changes nothing. */
export const clientMutants = {
  ...breaking(stated.listAnswer, ['status', 'content-type', 'json']).by({
    'page-for-browsers: lists are a page for whoever prefers HTML': replaceBody(
      (reply, exchange) => isSuccess(reply, exchange) && has('accept', BROWSER)(exchange),
      'text/html',
      htmlPage,
    ),
    'german-unknown-400: lists know no language with a region': refuseWhen(
      (exchange) => exchange.operation === 'listPets' && has('accept-language', GERMAN)(exchange),
      400,
    ),
    'chinese-script-400: a language with a script gets 400': refuseWhen(has('accept-language', /Hant/), 400),
    'health-checks-are-not-served: a health check gets 404': refuseWhen(has('user-agent', /^kube-probe/), 404),
    'origin-400: an Origin gets 400': refuseWhen(has('origin', /./), 400),
    'forwarded-element-400: an address of IPv6 in Forwarded gets 400': refuseWhen(has('forwarded', /\[2001/), 400),
    'no-agent-403: whoever does not name itself gets 403': refuseWhen(
      ({ headers }) => headers['user-agent'] === undefined,
      403,
    ),
    'no-coding-406: whoever asks for no content coding gets 406': refuseWhen(
      ({ headers }) => headers['accept-encoding'] === undefined,
      406,
    ),
    'brotli-alone-406: whoever takes brotli alone gets 406': refuseWhen(has('accept-encoding', /^br$/), 406),
    'upgrade-426: an offer of HTTP/2 gets 426': refuseWhen(has('upgrade', /h2c/), 426),
    'tags-unread-412: If-None-Match with two tags gets 412': refuseWhen(has('if-none-match', /", W/), 412),
    'other-range-416: a Range of an unknown unit gets 416': refuseWhen(has('range', /^x-/), 416),
    'unknown-field-400: a field name with signs in it gets 400': refuseWhen(
      ({ fieldNames }) => fieldNames.some((name) => name.includes('#')),
      400,
    ),
  }),
  ...breaking(stated.getAnswer, ['status', 'content-type', 'json']).by({
    'media-type-has-a-case: Application/JSON is another type and gets 406': refuseWhen(
      has('accept', /^Application\/JSON$/),
      406,
    ),
    'weights-have-a-case: Q is no weight and gets 406': refuseWhen(has('accept', /;Q=/), 406),
    'empty-accept-items-406: an empty item of Accept gets 406': refuseWhen(has('accept', /^, /), 406),
    'french-alone-406: a single language that there is not gets 406': refuseWhen(has('accept-language', /^fr$/), 406),
    'records-in-latin1: a record is in ISO 8859-1 where that is asked for': changeBytes(
      (reply, exchange) => answers('getPet', 200)(reply, exchange) && has('accept-charset', LATIN1)(exchange),
      toLatin1,
    ),
    'coding-has-a-case: GZip is another coding than gzip and gets 406': refuseWhen(has('accept-encoding', /GZip/), 406),
    'comments-in-agents-400: a comment within a comment gets 400': refuseWhen(has('user-agent', /\(and one/), 400),
    'quoted-cookie-400: a cookie in quotation marks gets 400': refuseWhen(has('cookie', /"dark"/), 400),
    'forwarded-for-403: what a load balancer forwards gets 403': refuseWhen(has('x-forwarded-for', /./), 403),
    'traced-400: a traceparent gets 400': refuseWhen(has('traceparent', /./), 400),
    'old-dates-400: a date in its old form gets 400': refuseWhen(has('if-modified-since', /^Sunday/), 400),
    'unknown-directive-400: an unknown directive of Cache-Control gets 400': refuseWhen(
      has('cache-control', /x-no/),
      400,
    ),
  }),
  ...breaking(stated.everyOperation, ['status']).by({
    'health-checks-need-no-key: a health check needs no key': opens('user-agent', /^kube-probe/),
    'cookies-need-no-key: a cookie counts as a session': opens('cookie', /./),
    'origin-needs-no-key: a page of another site needs no key': opens('origin', /./),
    'local-address-needs-no-key: what says to come from this machine needs no key': opens('x-forwarded-for', /^127\./),
  }),
  ...breaking(stated.errorBody, ['content-type', 'json', 'body']).by({
    '401-page-for-curl: who takes anything gets the 401 as a page': errorPage(401, 'accept', CURL),
    '401-page-for-browsers: who prefers HTML gets the 401 as a page': errorPage(401, 'accept', BROWSER),
    '401-page-in-german: the 401 is a page in one language': errorPage(401, 'accept-language', GERMAN),
    '401-page-by-charset: the 401 is a page where a charset is asked for': errorPage(401, 'accept-charset', LATIN1),
    '404-page-for-curl: who takes anything gets the 404 as a page': errorPage(404, 'accept', CURL),
    '404-page-for-browsers: who prefers HTML gets the 404 as a page': errorPage(404, 'accept', BROWSER),
    '404-page-in-german: the 404 is a page in one language': errorPage(404, 'accept-language', GERMAN),
    '404-in-latin1: the 404 is in ISO 8859-1 where that is asked for': changeBytes(
      (reply, exchange) => answers('getPet', 404)(reply, exchange) && has('accept-charset', LATIN1)(exchange),
      toLatin1,
    ),
    '400-page-for-curl: who takes anything gets the 400 as a page': errorPage(400, 'accept', CURL),
    '400-page-for-browsers: who prefers HTML gets the 400 as a page': errorPage(400, 'accept', BROWSER),
    '400-page-in-german: the 400 is a page in one language': errorPage(400, 'accept-language', GERMAN),
    '400-page-by-charset: the 400 is a page where a charset is asked for': errorPage(400, 'accept-charset', LATIN1),
  }),
} satisfies Record<string, Mutant>;
