import { createHash } from 'node:crypto';
import type { Change, Exchange } from '../server/behaviour.js';
import { compactStyle, isObject, printJson, type JsonObject, type JsonStyle } from '../server/exact-json.js';
import type { HeaderRecord, Refusal, Reply } from '../server/replies.js';
import { adjust, all } from '../mutants/planting.js';
import { allow, open, type Variant } from './variant.js';

function printWith(style: Partial<JsonStyle>): Change {
  return (base) => ({ jsonStyle: { ...base.jsonStyle, ...style } });
}

function addHeaders(headersOf: (reply: Reply, exchange: Exchange) => HeaderRecord): Change {
  return adjust('shape', (reply, _, exchange) => ({
    ...reply,
    headers: { ...reply.headers, ...headersOf(reply, exchange) },
  }));
}

function labelAs(contentType: string): Change {
  return addHeaders(({ json }) => (json === undefined ? {} : { 'content-type': contentType }));
}

/** Says other fields in errors than the base, or more. */
function describeErrors(say: (error: JsonObject, refusal: Refusal, exchange: Exchange) => JsonObject): Change {
  return adjust('printError', (error, refusal, exchange) => ({ ...error, ...say(error, refusal, exchange) }));
}

function padText(before: string, after: string): Change {
  return adjust('encode', (encoded) => {
    if (encoded.bytes.length === 0) return encoded;
    return { ...encoded, bytes: Buffer.concat([Buffer.from(before), encoded.bytes, Buffer.from(after)]) };
  });
}

function escapeNonAscii(text: string): string {
  const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(text).replace(/[^\x20-\x7e]/g, escape);
}

/** Past 2^53 a server that computes with doubles could not be exact, so those stay as they are. */
function printSmall(print: (value: bigint) => string): Change {
  const isSmall = (value: bigint) => value < 2n ** 53n && value > -(2n ** 53n);
  return printWith({ integer: (value) => (isSmall(value) ? print(value) : String(value)) });
}

function reverseMembers(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).reverse());
}

export const answerVariants = {
  ...allow('2: an object may have fields beyond those described', {
    'extra-fields-in-pets: pets have fields beyond the interface, null among them': adjust(
      'printPet',
      (printed, pet) => ({
        ...printed,
        tags: ['friendly', null],
        deletedAt: null,
        category: { id: pet.categoryId, name: 'Cats' },
        _links: { self: { href: `/v1/pets/${pet.id}` } },
      }),
    ),
    'extra-fields-in-errors': describeErrors((_, _refusal, { path }) => ({ path, details: [], traceId: null })),
    'errors-with-violations': describeErrors(({ message }) => ({ errors: [{ field: 'body', code: 17n, message }] })),
  }),
  ...allow(open.codes, {
    'codes-in-capitals: codes like UNAUTHORIZED': describeErrors((_, { code }) => ({ code: code.toUpperCase() })),
    'codes-of-digits: codes are digits in a string': describeErrors((_, { status }) => ({ code: `${status}01` })),
    'codes-with-dots: codes like a path': describeErrors((_, { code }) => ({ code: `petstore.errors.v1/${code}` })),
    'one-code-for-all: every error says the same': describeErrors(() => ({ code: 'error', message: 'Error' })),
  }),
  ...allow('2 Error: the language of message is not stated', {
    'messages-in-german': describeErrors(() => ({ message: 'Das ließ sich nicht ausführen.' })),
    'messages-in-japanese': describeErrors(() => ({ message: '処理できませんでした。' })),
  }),
  ...allow('2 Error: the length of message is not stated', {
    'messages-of-many-lines: messages have several lines': describeErrors((_, { message }) => ({
      message: `${message}\n\tat "pets" <anonymous>\n`.repeat(20),
    })),
  }),
  ...allow(open.json, {
    'members-reversed': all(adjust('printPet', reverseMembers), adjust('printError', reverseMembers)),
    'pretty-printed: JSON with indentation': printWith({ indent: '  ' }),
    'tab-indented: JSON with tabs': printWith({ indent: '\t' }),
    'white-space-around-json: white space around the JSON': padText('\r\n \t', '\r\n\r\n'),
    'non-ascii-escaped: characters past ASCII are escaped': printWith({ text: escapeNonAscii }),
    'slashes-escaped': printWith({ text: (value) => compactStyle.text(value).replaceAll('/', '\\/') }),
  }),
  ...allow('JSON Schema: a number whose fraction is zero is an integer, however it is written', {
    'integers-with-fraction: integers are written 12.0': printSmall((value) => `${value}.0`),
    'integers-with-exponent: round integers are written 4e2': printSmall((value) =>
      value !== 0n && value % 100n === 0n ? `${value / 100n}e2` : String(value),
    ),
  }),
  ...allow('RFC 9110 section 8.3.1: a media type may have parameters, in any case', {
    'charset-parameter: application/json; charset=utf-8': labelAs('application/json; charset=utf-8'),
    'charset-parameter-in-capitals: application/json;charset=UTF-8': labelAs('application/json;charset=UTF-8'),
    'charset-parameter-in-quotes: application/json; charset="utf-8"': labelAs('application/json; charset="utf-8"'),
    'media-type-in-capitals: Application/JSON': labelAs('Application/JSON'),
  }),
  ...allow('RFC 8594 and RFC 9745', {
    'deprecation-headers: getPet says that it is deprecated': addHeaders((_reply, { operation }) => {
      const date = { deprecation: '@1767225600', sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' };
      const more = { link: '</v1/pets>; rel="successor-version"', warning: '299 - "Deprecated"' };
      return operation === 'getPet' ? { ...date, ...more } : {};
    }),
  }),
  ...allow('RFC 9110 section 10.2.2', {
    'location-of-created: 201 has a Location': addHeaders(({ status, json }) =>
      status === 201 && isObject(json) ? { location: `/v1/pets/${printJson(json.id ?? null)}` } : {},
    ),
  }),
  ...allow(open.paging, {
    'paging-headers: lists have Link and X-Total-Count': addHeaders((_reply, { operation, store }) => {
      const paging = { link: '</v1/pets?page=2>; rel="next"', 'x-total-count': String(store.pets.length) };
      return operation === 'listPets' ? paging : {};
    }),
  }),
  ...allow(open.http, {
    'many-headers: cookies, security headers and those of proxies': addHeaders((_reply, { number }) => ({
      'set-cookie': ['session=abc; Path=/; HttpOnly', `seen=${number}; Path=/`],
      'strict-transport-security': 'max-age=31536000',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'",
      'access-control-allow-origin': '*',
      vary: 'Accept-Encoding, Authorization',
      'cache-control': 'no-store',
      'x-request-id': `request-${number}`,
      'server-timing': 'db;dur=3.1, app;dur=1',
      via: '1.1 edge',
    })),
  }),
  ...allow(open.rateLimits, {
    'rate-limit-headers: answers count down to a rate limit': addHeaders((_reply, { number }) => ({
      'ratelimit-limit': '5000',
      'ratelimit-remaining': String(5000 - number),
      'ratelimit-reset': '60',
    })),
  }),
  ...allow('RFC 9110 section 13.1.2', {
    'etag-and-304: successes have an ETag, and 304 answers who asks with it': adjust(
      'encode',
      (encoded, reply, exchange) => {
        if (reply.status !== 200) return encoded;
        const etag = `"${createHash('sha1').update(encoded.bytes).digest('hex')}"`;
        return exchange.headers['if-none-match'] === etag
          ? { status: 304, headers: { etag }, bytes: Buffer.alloc(0) }
          : { ...encoded, headers: { ...encoded.headers, etag } };
      },
    ),
  }),
} satisfies Record<string, Variant>;
