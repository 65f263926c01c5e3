import type { ServerResponse } from 'node:http';
import type { Change, Exchange } from '../server/behaviour.js';
import { toNodeHeaders } from '../server/default-behaviour.js';
import { printJson } from '../server/exact-json.js';
import { Refusal, type EncodedReply } from '../server/replies.js';
import type { Mutant } from './mutant.js';
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

export const errorMutants = {
  '429-html': {
    title: 'a 429 is an HTML page (the gateway limits the rate)',
    breaks: stated.errorBody,
    foundBy: ['content-type', 'json'],
    needs: busyAtTimes(429),
    change: replaceBody(({ status }) => status === 429, 'text/html; charset=utf-8', htmlPage),
  },
  '429-text': {
    title: 'a 429 is plain text',
    breaks: stated.errorBody,
    foundBy: ['content-type', 'json'],
    needs: busyAtTimes(429),
    change: replaceBody(({ status }) => status === 429, 'text/plain', 'Too many requests'),
  },
  '429-without-body': {
    title: 'a 429 has no body',
    breaks: stated.errorBody,
    foundBy: ['error-body'],
    needs: busyAtTimes(429),
    change: changeReply(
      ({ status }) => status === 429,
      (reply) => ({ ...reply, json: undefined }),
    ),
  },
  '503-text': {
    title: 'a 503 that asks to come back later is plain text',
    breaks: stated.errorBody,
    foundBy: ['content-type', 'json'],
    needs: busyAtTimes(503),
    change: replaceBody(({ status }) => status === 503, 'text/plain', 'Service Unavailable'),
  },
  'errors-without-body': {
    title: 'no error has a body',
    breaks: stated.errorBody,
    foundBy: ['error-body'],
    change: changeReply(isError, (reply) => ({ ...reply, json: undefined })),
  },
  'errors-html': {
    title: 'every error is an HTML page (the proxy answers)',
    breaks: stated.errorBody,
    foundBy: ['content-type', 'json'],
    change: replaceBody(isError, 'text/html; charset=utf-8', htmlPage),
  },
  'errors-labelled-html': {
    title: 'errors are JSON but say text/html',
    breaks: stated.mediaType,
    foundBy: ['content-type'],
    change: changeHeaders(isError, { 'content-type': 'text/html' }),
  },
  'errors-labelled-problem': {
    title: 'errors say application/problem+json',
    breaks: stated.mediaType,
    foundBy: ['content-type'],
    change: changeHeaders(isError, { 'content-type': 'application/problem+json' }),
  },
  'errors-problem-shape': {
    title: 'errors have the shape of RFC 9457',
    breaks: stated.errorFields,
    foundBy: ['error-body'],
    change: changeErrors('any', ({ message, status }) => ({
      type: 'about:blank',
      title: message,
      status,
      detail: message,
    })),
  },
  'errors-wrapped': {
    title: 'errors come as {"error": Error}',
    breaks: stated.errorBody,
    foundBy: ['error-body'],
    change: changeErrors('any', (error) => ({ error })),
  },
  'errors-in-array': {
    title: 'errors come in an array',
    breaks: stated.errorBody,
    foundBy: ['error-body'],
    change: changeErrors('any', (error) => [error]),
  },
  'errors-as-text': {
    title: 'errors are only their message',
    breaks: stated.errorBody,
    foundBy: ['error-body'],
    change: changeErrors('any', ({ message }) => message),
  },
  'errors-at-200': {
    title: 'every error comes with status 200',
    breaks: stated.unauthorized,
    foundBy: ['status'],
    change: changeStatus(isError, 200),
  },
  'error-status-text': {
    title: 'the status field is a string',
    breaks: stated.errorFields,
    foundBy: ['error-body'],
    change: changeErrors('any', (error) => ({ ...error, status: printJson(error.status ?? null) })),
  },
  'error-status-phrase': {
    title: 'the status field is the reason phrase',
    breaks: stated.errorFields,
    foundBy: ['error-body'],
    change: changeErrors('any', (error) => ({ ...error, status: 'Bad Request' })),
  },
  'error-status-missing': {
    title: 'errors have no status field',
    breaks: stated.errorFields,
    foundBy: ['error-body'],
    change: changeErrors('any', (error) => ({ ...error, status: undefined })),
  },
  'error-status-null': {
    title: 'the status field is null',
    breaks: stated.errorFields,
    foundBy: ['error-body'],
    change: changeErrors('any', (error) => ({ ...error, status: null })),
  },
  'error-status-always-500': {
    title: 'the status field is always 500',
    breaks: stated.errorStatus,
    foundBy: ['error-body'],
    change: changeErrors('any', (error) => ({ ...error, status: 500n })),
  },
  'error-status-zero': {
    title: 'the status field is always 0',
    breaks: stated.errorStatus,
    foundBy: ['error-body'],
    change: changeErrors('any', (error) => ({ ...error, status: 0n })),
  },
  'error-code-missing': {
    title: 'errors have no code',
    breaks: stated.errorFields,
    foundBy: ['error-body'],
    change: changeErrors('any', (error) => ({ ...error, code: undefined })),
  },
  'error-code-number': {
    title: 'code is a number',
    breaks: stated.errorFields,
    foundBy: ['error-body'],
    change: changeErrors('any', (error) => ({ ...error, code: error.status })),
  },
  'error-code-null': {
    title: 'code is null',
    breaks: stated.errorFields,
    foundBy: ['error-body'],
    change: changeErrors('any', (error) => ({ ...error, code: null })),
  },
  'error-message-missing': {
    title: 'errors have no message',
    breaks: stated.errorFields,
    foundBy: ['error-body'],
    change: changeErrors('any', (error) => ({ ...error, message: undefined })),
  },
  'error-message-null': {
    title: 'message is null',
    breaks: stated.errorFields,
    foundBy: ['error-body'],
    change: changeErrors('any', (error) => ({ ...error, message: null })),
  },
  'error-message-object': {
    title: 'message is an object by language',
    breaks: stated.errorFields,
    foundBy: ['error-body'],
    change: changeErrors('any', (error) => ({ ...error, message: { en: error.message } })),
  },
  'error-message-list': {
    title: 'message is a list',
    breaks: stated.errorFields,
    foundBy: ['error-body'],
    change: changeErrors('any', (error) => ({ ...error, message: [error.message ?? ''] })),
  },
  'error-fields-capitalised': {
    title: 'the fields of Error start with capitals',
    breaks: stated.errorFields,
    foundBy: ['error-body'],
    change: changeErrors('any', ({ code, message, status }) => ({ Code: code, Message: message, Status: status })),
  },
} satisfies Record<string, Mutant>;

export const transportMutants = {
  'success-labelled-html': {
    title: 'successes say text/html',
    breaks: stated.mediaType,
    foundBy: ['content-type'],
    change: changeHeaders(isSuccess, { 'content-type': 'text/html' }),
  },
  'success-labelled-plain': {
    title: 'successes say text/plain',
    breaks: stated.mediaType,
    foundBy: ['content-type'],
    change: changeHeaders(isSuccess, { 'content-type': 'text/plain; charset=utf-8' }),
  },
  'list-labelled-html': {
    title: 'lists say text/html',
    breaks: stated.mediaType,
    foundBy: ['content-type'],
    change: changeHeaders(isList, { 'content-type': 'text/html' }),
  },
  'list-labelled-stream': {
    title: 'lists say application/octet-stream',
    breaks: stated.mediaType,
    foundBy: ['content-type'],
    change: changeHeaders(isList, { 'content-type': 'application/octet-stream' }),
  },
  unlabelled: {
    title: 'no answer has a Content-Type',
    breaks: stated.mediaType,
    foundBy: ['content-type'],
    change: (base) => ({
      encode: (reply, exchange) => {
        const encoded = base.encode(reply, exchange);
        return { ...encoded, headers: withoutHeader(encoded.headers, 'content-type') };
      },
    }),
  },
  'body-shorter-than-announced': {
    title: 'Content-Length announces ten bytes more than come, then the connection closes',
    breaks: stated.listAnswer,
    foundBy: ['answered'],
    change: sendRaw(({ status, headers, bytes }, response) => {
      response.writeHead(status, { ...toNodeHeaders(headers), 'content-length': String(bytes.length + 10) });
      response.write(bytes, () => response.socket?.destroySoon());
    }),
  },
  'body-without-last-chunk': {
    title: 'a chunked body never ends properly, the connection just closes',
    breaks: stated.listAnswer,
    foundBy: ['answered'],
    change: sendRaw(({ status, headers, bytes }, response) => {
      response.writeHead(status, { ...toNodeHeaders(headers), 'transfer-encoding': 'chunked' });
      response.write(bytes, () => response.socket?.destroySoon());
    }),
  },
} satisfies Record<string, Mutant>;
