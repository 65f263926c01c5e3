import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Change } from '../server/behaviour.js';
import { toNodeHeaders } from '../server/default-behaviour.js';
import { isArray, isObject, printJson, type JsonValue } from '../server/exact-json.js';
import { Refusal, type EncodedReply } from '../server/replies.js';
import { breaking, type Mutant } from './mutant.js';
import { adjust, always, changeBytes, changeErrors, changeReply, changeText, hasStatus } from './planting.js';
import { instead, isError, isList, isSuccess, labelAs, replaceBody, sendPage, withoutHeader } from './planting.js';
import { stated } from './stated.js';

/** Writes the head of an answer and its body past the server's own bookkeeping, then closes the connection. */
function breakOff(framing: (reply: EncodedReply) => Record<string, string>): Change {
  const write = (reply: EncodedReply, response: ServerResponse) => {
    response.writeHead(reply.status, { ...toNodeHeaders(reply.headers), ...framing(reply) });
    response.write(reply.bytes, () => response.socket?.destroySoon());
  };
  return (base) => ({
    send: (reply, exchange, response) =>
      reply.status === 200 && reply.bytes.length > 0 ? write(reply, response) : base.send(reply, exchange, response),
  });
}

/** Asks to come back at once, at every ninth request: legal as long as the error has its body. */
function busyAtTimes(status: number): Change {
  const refusal = new Refusal(status, 'busy', 'Come back later.', { 'retry-after': '0' });
  return instead('intercept', ({ number }) => (number % 9 === 0 ? refusal : undefined));
}

function encodeAs(encoding: BufferEncoding): Change {
  return changeBytes(isSuccess, (bytes) => Buffer.from(bytes.toString(), encoding));
}

function printXml(value: JsonValue, name: string): string {
  if (isArray(value)) return `<${name}>${value.map((item) => printXml(item, 'item')).join('')}</${name}>`;
  if (!isObject(value)) return `<${name}>${typeof value === 'string' ? value : printJson(value)}</${name}>`;
  const members = Object.entries(value).map(([key, member]) => printXml(member ?? null, key));
  return `<${name}>${members.join('')}</${name}>`;
}

const is429 = hasStatus(429);

/** Tells in each rejection which members that it does not know requests have had so far. */
const tellUnknown: Change = (base) => {
  const known = new Set<string>();
  return {
    printError: (refusal, exchange) => {
      for (const [, name = ''] of exchange.body.toString().matchAll(/"(noSuch\w+)"/g)) known.add(name);
      const printed = base.printError(refusal, exchange);
      return known.size === 0 ? printed : { ...printed, message: `Unknown: ${[...known].join(', ')}` };
    },
  };
};

/** Mutants in what errors say, in how answers are labelled and sent, and in bodies that are not the JSON of the interface. */
export const errorAndTransportMutants = {
  ...breaking(stated.errorBody, ['error-leak']).by({
    'errors-of-others: an error names the unknown members of earlier requests, too': tellUnknown,
  }),
  ...breaking(stated.errorBody, ['content-type', 'json'], { needs: busyAtTimes(429) }).by({
    '429-html: a 429 is an HTML page (the gateway limits the rate)': sendPage(is429, 'text/html; charset=utf-8'),
    '429-text: a 429 is plain text': replaceBody(is429, 'text/plain', 'Too many requests'),
  }),
  ...breaking(stated.errorBody, ['error-body'], { needs: busyAtTimes(429) }).by({
    '429-without-body: a 429 has no body': changeReply(is429, { json: undefined }),
  }),
  ...breaking(stated.errorBody, ['content-type', 'json'], { needs: busyAtTimes(503) }).by({
    '503-text: come back later, in plain text': replaceBody(hasStatus(503), 'text/plain', 'Service Unavailable'),
  }),
  ...breaking(stated.errorBody, ['error-body']).by({
    'errors-without-body: no error has a body': changeReply(isError, { json: undefined }),
    'errors-wrapped: errors come as {"error": Error}': changeErrors('any', (error) => ({ error })),
    'errors-in-array: errors come in an array': changeErrors('any', (error) => [error]),
    'errors-as-text: errors are only their message': changeErrors('any', ({ message }) => message),
  }),
  ...breaking(stated.errorBody, ['content-type', 'json']).by({
    'errors-html: every error is an HTML page (the proxy answers)': sendPage(isError, 'text/html; charset=utf-8'),
  }),
  ...breaking(stated.mediaType, ['content-type']).by({
    'errors-labelled-html: errors are JSON but say text/html': labelAs(isError, 'text/html'),
    'errors-labelled-problem: errors say application/problem+json': labelAs(isError, 'application/problem+json'),
  }),
  ...breaking(stated.errorFields, ['error-body']).by({
    'errors-problem-shape: errors have the shape of RFC 9457': changeErrors('any', ({ message, status }) => ({
      type: 'about:blank',
      title: message,
      status,
      detail: message,
    })),
    'error-status-text': changeErrors('any', ({ status = null, ...rest }) => ({ ...rest, status: printJson(status) })),
    'error-status-phrase: the status field is the reason phrase': changeErrors('any', { status: 'Bad Request' }),
    'error-status-missing: errors have no status field': changeErrors('any', { status: undefined }),
    'error-status-null: the status field is null': changeErrors('any', { status: null }),
    'error-code-missing: errors have no code': changeErrors('any', { code: undefined }),
    'error-code-number: code is a number': changeErrors('any', (error) => ({ ...error, code: error.status })),
    'error-code-null: code is null': changeErrors('any', { code: null }),
    'error-message-missing: errors have no message': changeErrors('any', { message: undefined }),
    'error-message-null: message is null': changeErrors('any', { message: null }),
    'error-message-object': changeErrors('any', (error) => ({ ...error, message: { en: error.message } })),
    'error-message-list': changeErrors('any', (error) => ({ ...error, message: [error.message ?? ''] })),
    'error-fields-capitalised: the fields of Error start with capitals': changeErrors('any', (error) => ({
      Code: error.code,
      Message: error.message,
      Status: error.status,
    })),
  }),
  ...breaking(stated.unauthorized, ['status']).by({ 'errors-at-200': changeReply(isError, { status: 200 }) }),
  ...breaking(stated.errorStatus, ['error-body']).by({
    'error-status-always-500: the status field is always 500': changeErrors('any', { status: 500n }),
    'error-status-zero: the status field is always 0': changeErrors('any', { status: 0n }),
  }),
  ...breaking(stated.mediaType, ['content-type']).by({
    'success-labelled-html: successes say text/html': labelAs(isSuccess, 'text/html'),
    'success-labelled-plain: successes say text/plain': labelAs(isSuccess, 'text/plain; charset=utf-8'),
    'list-labelled-html: lists say text/html': labelAs(isList, 'text/html'),
    'list-labelled-stream: lists say application/octet-stream': labelAs(isList, 'application/octet-stream'),
    unlabelled: adjust('encode', (encoded) => ({
      ...encoded,
      headers: withoutHeader(encoded.headers, 'content-type'),
    })),
  }),
  ...breaking(stated.listAnswer, ['answered']).by({
    'body-shorter-than-announced': breakOff(({ bytes }) => ({ 'content-length': String(bytes.length + 10) })),
    'body-without-last-chunk: the connection just closes': breakOff(() => ({ 'transfer-encoding': 'chunked' })),
  }),
  ...breaking(stated.mediaType, ['json']).by({
    'body-after-bom: RFC 8259 section 8.1 forbids it': changeText(always, (text) => `\uFEFF${text}`),
    'body-with-trailing-garbage: a stray 0 follows the JSON': changeText(isSuccess, (text) => `${text}\n0`),
    'body-with-trailing-nul: a NUL byte follows the JSON': changeText(always, (text) => `${text}\0`),
    'body-twice: the JSON is sent twice in one body': changeText(always, (text) => text + text),
    'body-after-warning: a warning of the runtime precedes the JSON of lists': changeText(
      isList,
      (text) => `<br />\n<b>Warning</b>: Undefined index in <b>pets.php</b><br />\n${text}`,
    ),
    'body-after-guard: an anti-hijacking prefix precedes the JSON': changeText(isSuccess, (text) => `)]}',\n${text}`),
    'body-as-jsonp: lists are wrapped in a callback': changeText(isList, (text) => `callback(${text});`),
    'body-with-single-quotes: strings are in single quotes': changeText(isSuccess, (text) => text.replaceAll('"', "'")),
    'body-with-trailing-comma: lists end in a comma': changeText(isList, (text) => text.replace(/\]$/, ',]')),
    'body-with-nan': changeText(isList, (text) => text.replace(/"categoryId":\d+/g, '"categoryId":NaN')),
    'body-latin1: bodies are encoded as Latin-1': encodeAs('latin1'),
    'body-utf16: bodies are encoded as UTF-16': encodeAs('utf16le'),
    'body-gzip-unlabelled: lists are gzipped without Content-Encoding': changeBytes(isList, (bytes) => gzipSync(bytes)),
    'body-cut: a byte is missing, and the length agrees': changeBytes(isList, (bytes) => bytes.subarray(0, -1)),
    'body-cut-at-4096: a buffer is full': changeBytes(isSuccess, (bytes) => bytes.subarray(0, 4096)),
  }),
  ...breaking(stated.mediaType, ['body']).by({ 'body-as-text-of-json': changeText(isSuccess, JSON.stringify) }),
  ...breaking(stated.mediaType, ['record']).by({
    'body-utf8-twice': changeBytes(isSuccess, (bytes) => Buffer.from(bytes.toString('latin1'))),
  }),
  ...breaking(stated.mediaType, ['content-type', 'json']).by({
    'body-xml: successes are XML': adjust('encode', (encoded, reply, exchange) => {
      if (!isSuccess(reply, exchange) || reply.json === undefined) return encoded;
      const bytes = Buffer.from(printXml(reply.json, 'pets'));
      return { status: reply.status, headers: { ...reply.headers, 'content-type': 'application/xml' }, bytes };
    }),
  }),
} satisfies Record<string, Mutant>;
