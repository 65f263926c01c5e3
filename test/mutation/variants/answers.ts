import { createHash } from 'node:crypto';
import type { Change, Exchange } from '../server/behaviour.js';
import { compactStyle, isObject, printJson, type JsonObject, type JsonStyle } from '../server/exact-json.js';
import type { HeaderRecord, Refusal, Reply } from '../server/replies.js';
import { allow, open, type Variant } from './variant.js';

function printWith(style: Partial<JsonStyle>): Change {
  return (base) => ({ jsonStyle: { ...base.jsonStyle, ...style } });
}

function addHeaders(headersOf: (reply: Reply, exchange: Exchange) => HeaderRecord): Change {
  return (base) => ({
    shape: (reply, exchange) => {
      const shaped = base.shape(reply, exchange);
      return { ...shaped, headers: { ...shaped.headers, ...headersOf(shaped, exchange) } };
    },
  });
}

function labelAs(contentType: string): Change {
  return addHeaders(({ json }) => (json === undefined ? {} : { 'content-type': contentType }));
}

function describeErrors(change: (error: JsonObject, refusal: Refusal, exchange: Exchange) => JsonObject): Change {
  return (base) => ({
    printError: (refusal, exchange) => change(base.printError(refusal, exchange), refusal, exchange),
  });
}

function padText(before: string, after: string): Change {
  return (base) => ({
    encode: (reply, exchange) => {
      const encoded = base.encode(reply, exchange);
      if (encoded.bytes.length === 0) return encoded;
      return { ...encoded, bytes: Buffer.concat([Buffer.from(before), encoded.bytes, Buffer.from(after)]) };
    },
  });
}

function escapeNonAscii(text: string): string {
  return JSON.stringify(text).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Past 2^53 a server that computes with doubles could not be exact, so those stay as they are. */
function isSmall(value: bigint): boolean {
  return value < 2n ** 53n && value > -(2n ** 53n);
}

function reverseMembers(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).reverse());
}

const integers = 'JSON Schema: a number whose fraction is zero is an integer, however it is written';
const charset = 'RFC 9110 section 8.3.1: a media type may have parameters, in any case';
const fields = '2: an object may have fields beyond those described';

export const answerVariants = {
  ...allow(fields, {
    'extra-fields-in-pets: pets have fields beyond the interface, null among them': (base) => ({
      printPet: (pet, exchange) => ({
        ...base.printPet(pet, exchange),
        tags: ['friendly', null],
        deletedAt: null,
        category: { id: pet.categoryId, name: 'Cats' },
        _links: { self: { href: `/v1/pets/${pet.id}` } },
      }),
    }),
    'extra-fields-in-errors: errors have fields beyond the interface': describeErrors((error, _refusal, { path }) => ({
      ...error,
      path,
      details: [],
      traceId: null,
    })),
    'errors-with-violations: errors carry a list of what is wrong': describeErrors((error) => ({
      ...error,
      errors: [{ field: 'body', code: 17n, message: error.message }],
    })),
  }),
  ...allow(open.codes, {
    'codes-in-capitals: codes like UNAUTHORIZED': describeErrors((error, { code }) => ({
      ...error,
      code: code.toUpperCase(),
    })),
    'codes-of-digits: codes are digits in a string': describeErrors((error, { status }) => ({
      ...error,
      code: `${status}01`,
    })),
    'codes-with-dots: codes like petstore.errors.v1/unauthorized': describeErrors((error, { code }) => ({
      ...error,
      code: `petstore.errors.v1/${code}`,
    })),
    'one-code-for-all: every error has the same code and message': describeErrors((error) => ({
      ...error,
      code: 'error',
      message: 'Error',
    })),
  }),
  ...allow('2 Error: the language of message is not stated', {
    'messages-in-german: messages in German': describeErrors((error) => ({
      ...error,
      message: 'Das ließ sich nicht ausführen.',
    })),
    'messages-in-japanese: messages in Japanese': describeErrors((error) => ({
      ...error,
      message: '処理できませんでした。',
    })),
  }),
  ...allow('2 Error: the length of message is not stated', {
    'messages-of-many-lines: messages have several lines': describeErrors((error, { message }) => ({
      ...error,
      message: `${message}\n\tat "pets" <anonymous>\n`.repeat(20),
    })),
  }),
  ...allow(open.json, {
    'members-reversed: members come in another order': (base) => ({
      printPet: (pet, exchange) => reverseMembers(base.printPet(pet, exchange)),
      printError: (refusal, exchange) => reverseMembers(base.printError(refusal, exchange)),
    }),
    'pretty-printed: JSON with indentation': printWith({ indent: '  ' }),
    'tab-indented: JSON with tabs': printWith({ indent: '\t' }),
    'white-space-around-json: white space around the JSON': padText('\r\n \t', '\r\n\r\n'),
    'non-ascii-escaped: characters past ASCII are escaped': printWith({ text: escapeNonAscii }),
    'slashes-escaped: slashes are escaped': printWith({
      text: (value) => compactStyle.text(value).replaceAll('/', '\\/'),
    }),
  }),
  ...allow(integers, {
    'integers-with-fraction: integers are written 12.0': printWith({
      integer: (value) => (isSmall(value) ? `${value}.0` : String(value)),
    }),
    'integers-with-exponent: round integers are written 4e2': printWith({
      integer: (value) => (isSmall(value) && value !== 0n && value % 100n === 0n ? `${value / 100n}e2` : String(value)),
    }),
  }),
  ...allow(charset, {
    'charset-parameter: application/json; charset=utf-8': labelAs('application/json; charset=utf-8'),
    'charset-parameter-in-capitals: application/json;charset=UTF-8': labelAs('application/json;charset=UTF-8'),
    'charset-parameter-in-quotes: application/json; charset="utf-8"': labelAs('application/json; charset="utf-8"'),
    'media-type-in-capitals: Application/JSON': labelAs('Application/JSON'),
  }),
  ...allow('RFC 8594 and RFC 9745', {
    'deprecation-headers: getPet says that it is deprecated': addHeaders((_reply, { operation }) =>
      operation === 'getPet'
        ? {
            deprecation: '@1767225600',
            sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
            link: '</v1/pets>; rel="successor-version"',
            warning: '299 - "Deprecated"',
          }
        : {},
    ),
  }),
  ...allow('RFC 9110 section 10.2.2', {
    'location-of-created: 201 has a Location': addHeaders(({ status, json }) =>
      status === 201 && isObject(json) ? { location: `/v1/pets/${printJson(json.id ?? null)}` } : {},
    ),
  }),
  ...allow(open.paging, {
    'paging-headers: lists have Link and X-Total-Count': addHeaders((_reply, { operation, store }) =>
      operation === 'listPets'
        ? { link: '</v1/pets?page=2>; rel="next"', 'x-total-count': String(store.pets.length) }
        : {},
    ),
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
    'etag-and-304: successes have an ETag, and 304 answers who asks with it': (base) => ({
      encode: (reply, exchange) => {
        const encoded = base.encode(reply, exchange);
        if (reply.status !== 200) return encoded;
        const etag = `"${createHash('sha1').update(encoded.bytes).digest('hex')}"`;
        const isKnown = exchange.headers['if-none-match'] === etag;
        return isKnown
          ? { status: 304, headers: { etag }, bytes: Buffer.alloc(0) }
          : { ...encoded, headers: { ...encoded.headers, etag } };
      },
    }),
  }),
} satisfies Record<string, Variant>;
