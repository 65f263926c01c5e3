import type { ServerResponse } from 'node:http';
import type { Change, Exchange } from '../server/behaviour.js';
import { toNodeHeaders } from '../server/default-behaviour.js';
import { printJson } from '../server/exact-json.js';
import { Refusal, type EncodedReply } from '../server/replies.js';
import { breaking, type Mutant } from './mutant.js';
import {
  changeErrors,
  changeHeaders,
  changeReply,
  changeStatus,
  htmlPage,
  isError,
  isList,
  isSuccess,
  replaceBody,
  withoutHeader,
} from './planting.js';
import { stated } from './stated.js';

/** Writes an answer past the server's own bookkeeping. */
function sendRaw(write: (reply: EncodedReply, response: ServerResponse) => void): Change {
  return (base) => ({
    send: (reply, exchange: Exchange, response) =>
      reply.status === 200 && reply.bytes.length > 0 ? write(reply, response) : base.send(reply, exchange, response),
  });
}

/** Asks to come back at once, at every ninth request: legal as long as the error has its body. */
const busyAtTimes =
  (status: number): Change =>
  (base) => ({
    intercept: (exchange) =>
      exchange.number % 9 === 0
        ? new Refusal(status, 'busy', 'Come back later.', { 'retry-after': '0' })
        : base.intercept(exchange),
  });

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

export const errorMutants = {
  ...breaking(stated.errorBody, ['error-leak']).by({
    'errors-of-others: an error names the unknown members of earlier requests, too': tellUnknown,
  }),
  ...breaking(stated.errorBody, ['content-type', 'json'], { needs: busyAtTimes(429) }).by({
    '429-html: a 429 is an HTML page (the gateway limits the rate)': replaceBody(
      ({ status }) => status === 429,
      'text/html; charset=utf-8',
      htmlPage,
    ),
    '429-text: a 429 is plain text': replaceBody(({ status }) => status === 429, 'text/plain', 'Too many requests'),
  }),
  ...breaking(stated.errorBody, ['error-body'], { needs: busyAtTimes(429) }).by({
    '429-without-body: a 429 has no body': changeReply(
      ({ status }) => status === 429,
      (reply) => ({ ...reply, json: undefined }),
    ),
  }),
  ...breaking(stated.errorBody, ['content-type', 'json'], { needs: busyAtTimes(503) }).by({
    '503-text: a 503 that asks to come back later is plain text': replaceBody(
      ({ status }) => status === 503,
      'text/plain',
      'Service Unavailable',
    ),
  }),
  ...breaking(stated.errorBody, ['error-body']).by({
    'errors-without-body: no error has a body': changeReply(isError, (reply) => ({ ...reply, json: undefined })),
    'errors-wrapped: errors come as {"error": Error}': changeErrors('any', (error) => ({ error })),
    'errors-in-array: errors come in an array': changeErrors('any', (error) => [error]),
    'errors-as-text: errors are only their message': changeErrors('any', ({ message }) => message),
  }),
  ...breaking(stated.errorBody, ['content-type', 'json']).by({
    'errors-html: every error is an HTML page (the proxy answers)': replaceBody(
      isError,
      'text/html; charset=utf-8',
      htmlPage,
    ),
  }),
  ...breaking(stated.mediaType, ['content-type']).by({
    'errors-labelled-html: errors are JSON but say text/html': changeHeaders(isError, { 'content-type': 'text/html' }),
    'errors-labelled-problem: errors say application/problem+json': changeHeaders(isError, {
      'content-type': 'application/problem+json',
    }),
  }),
  ...breaking(stated.errorFields, ['error-body']).by({
    'errors-problem-shape: errors have the shape of RFC 9457': changeErrors('any', ({ message, status }) => ({
      type: 'about:blank',
      title: message,
      status,
      detail: message,
    })),
    'error-status-text: the status field is a string': changeErrors('any', (error) => ({
      ...error,
      status: printJson(error.status ?? null),
    })),
    'error-status-phrase: the status field is the reason phrase': changeErrors('any', (error) => ({
      ...error,
      status: 'Bad Request',
    })),
    'error-status-missing: errors have no status field': changeErrors('any', (error) => ({
      ...error,
      status: undefined,
    })),
    'error-status-null: the status field is null': changeErrors('any', (error) => ({ ...error, status: null })),
    'error-code-missing: errors have no code': changeErrors('any', (error) => ({ ...error, code: undefined })),
    'error-code-number: code is a number': changeErrors('any', (error) => ({ ...error, code: error.status })),
    'error-code-null: code is null': changeErrors('any', (error) => ({ ...error, code: null })),
    'error-message-missing: errors have no message': changeErrors('any', (error) => ({ ...error, message: undefined })),
    'error-message-null: message is null': changeErrors('any', (error) => ({ ...error, message: null })),
    'error-message-object: message is an object by language': changeErrors('any', (error) => ({
      ...error,
      message: { en: error.message },
    })),
    'error-message-list: message is a list': changeErrors('any', (error) => ({
      ...error,
      message: [error.message ?? ''],
    })),
    'error-fields-capitalised: the fields of Error start with capitals': changeErrors(
      'any',
      ({ code, message, status }) => ({ Code: code, Message: message, Status: status }),
    ),
  }),
  ...breaking(stated.unauthorized, ['status']).by({
    'errors-at-200: every error comes with status 200': changeStatus(isError, 200),
  }),
  ...breaking(stated.errorStatus, ['error-body']).by({
    'error-status-always-500: the status field is always 500': changeErrors('any', (error) => ({
      ...error,
      status: 500n,
    })),
    'error-status-zero: the status field is always 0': changeErrors('any', (error) => ({ ...error, status: 0n })),
  }),
} satisfies Record<string, Mutant>;

export const transportMutants = {
  ...breaking(stated.mediaType, ['content-type']).by({
    'success-labelled-html: successes say text/html': changeHeaders(isSuccess, { 'content-type': 'text/html' }),
    'success-labelled-plain: successes say text/plain': changeHeaders(isSuccess, {
      'content-type': 'text/plain; charset=utf-8',
    }),
    'list-labelled-html: lists say text/html': changeHeaders(isList, { 'content-type': 'text/html' }),
    'list-labelled-stream: lists say application/octet-stream': changeHeaders(isList, {
      'content-type': 'application/octet-stream',
    }),
    'unlabelled: no answer has a Content-Type': (base) => ({
      encode: (reply, exchange) => {
        const encoded = base.encode(reply, exchange);
        return { ...encoded, headers: withoutHeader(encoded.headers, 'content-type') };
      },
    }),
  }),
  ...breaking(stated.listAnswer, ['answered']).by({
    'body-shorter-than-announced: Content-Length announces ten bytes more than come, then the connection closes':
      sendRaw(({ status, headers, bytes }, response) => {
        response.writeHead(status, { ...toNodeHeaders(headers), 'content-length': String(bytes.length + 10) });
        response.write(bytes, () => response.socket?.destroySoon());
      }),
    'body-without-last-chunk: a chunked body never ends properly, the connection just closes': sendRaw(
      ({ status, headers, bytes }, response) => {
        response.writeHead(status, { ...toNodeHeaders(headers), 'transfer-encoding': 'chunked' });
        response.write(bytes, () => response.socket?.destroySoon());
      },
    ),
  }),
} satisfies Record<string, Mutant>;
