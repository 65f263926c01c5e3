import { createHash } from 'node:crypto';
import type { Change, Exchange } from '../server/behaviour.js';
import { compactStyle, isObject, printJson, type JsonObject, type JsonStyle } from '../server/exact-json.js';
import type { HeaderRecord, Refusal, Reply } from '../server/replies.js';
import { open, type Variant } from './variant.js';

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
  'extra-fields-in-pets': {
    title: 'pets have fields beyond the interface, null among them',
    leavesOpen: fields,
    change: (base) => ({
      printPet: (pet, exchange) => ({
        ...base.printPet(pet, exchange),
        tags: ['friendly', null],
        deletedAt: null,
        category: { id: pet.categoryId, name: 'Cats' },
        _links: { self: { href: `/v1/pets/${pet.id}` } },
      }),
    }),
  },
  'extra-fields-in-errors': {
    title: 'errors have fields beyond the interface',
    leavesOpen: fields,
    change: describeErrors((error, _refusal, { path }) => ({ ...error, path, details: [], traceId: null })),
  },
  'errors-with-violations': {
    title: 'errors carry a list of what is wrong',
    leavesOpen: fields,
    change: describeErrors((error) => ({ ...error, errors: [{ field: 'body', code: 17n, message: error.message }] })),
  },
  'codes-in-capitals': {
    title: 'codes like UNAUTHORIZED',
    leavesOpen: open.codes,
    change: describeErrors((error, { code }) => ({ ...error, code: code.toUpperCase() })),
  },
  'codes-of-digits': {
    title: 'codes are digits in a string',
    leavesOpen: open.codes,
    change: describeErrors((error, { status }) => ({ ...error, code: `${status}01` })),
  },
  'codes-with-dots': {
    title: 'codes like petstore.errors.v1/unauthorized',
    leavesOpen: open.codes,
    change: describeErrors((error, { code }) => ({ ...error, code: `petstore.errors.v1/${code}` })),
  },
  'one-code-for-all': {
    title: 'every error has the same code and message',
    leavesOpen: open.codes,
    change: describeErrors((error) => ({ ...error, code: 'error', message: 'Error' })),
  },
  'messages-in-german': {
    title: 'messages in German',
    leavesOpen: '2 Error: the language of message is not stated',
    change: describeErrors((error) => ({ ...error, message: 'Das ließ sich nicht ausführen.' })),
  },
  'messages-in-japanese': {
    title: 'messages in Japanese',
    leavesOpen: '2 Error: the language of message is not stated',
    change: describeErrors((error) => ({ ...error, message: '処理できませんでした。' })),
  },
  'messages-of-many-lines': {
    title: 'messages have several lines',
    leavesOpen: '2 Error: the length of message is not stated',
    change: describeErrors((error, { message }) => ({
      ...error,
      message: `${message}\n\tat "pets" <anonymous>\n`.repeat(20),
    })),
  },
  'members-reversed': {
    title: 'members come in another order',
    leavesOpen: open.json,
    change: (base) => ({
      printPet: (pet, exchange) => reverseMembers(base.printPet(pet, exchange)),
      printError: (refusal, exchange) => reverseMembers(base.printError(refusal, exchange)),
    }),
  },
  'pretty-printed': { title: 'JSON with indentation', leavesOpen: open.json, change: printWith({ indent: '  ' }) },
  'tab-indented': { title: 'JSON with tabs', leavesOpen: open.json, change: printWith({ indent: '\t' }) },
  'white-space-around-json': {
    title: 'white space around the JSON',
    leavesOpen: open.json,
    change: padText('\r\n \t', '\r\n\r\n'),
  },
  'non-ascii-escaped': {
    title: 'characters past ASCII are escaped',
    leavesOpen: open.json,
    change: printWith({ text: escapeNonAscii }),
  },
  'slashes-escaped': {
    title: 'slashes are escaped',
    leavesOpen: open.json,
    change: printWith({ text: (value) => compactStyle.text(value).replaceAll('/', '\\/') }),
  },
  'integers-with-fraction': {
    title: 'integers are written 12.0',
    leavesOpen: integers,
    change: printWith({ integer: (value) => (isSmall(value) ? `${value}.0` : String(value)) }),
  },
  'integers-with-exponent': {
    title: 'round integers are written 4e2',
    leavesOpen: integers,
    change: printWith({
      integer: (value) => (isSmall(value) && value !== 0n && value % 100n === 0n ? `${value / 100n}e2` : String(value)),
    }),
  },
  'charset-parameter': {
    title: 'application/json; charset=utf-8',
    leavesOpen: charset,
    change: labelAs('application/json; charset=utf-8'),
  },
  'charset-parameter-in-capitals': {
    title: 'application/json;charset=UTF-8',
    leavesOpen: charset,
    change: labelAs('application/json;charset=UTF-8'),
  },
  'charset-parameter-in-quotes': {
    title: 'application/json; charset="utf-8"',
    leavesOpen: charset,
    change: labelAs('application/json; charset="utf-8"'),
  },
  'media-type-in-capitals': { title: 'Application/JSON', leavesOpen: charset, change: labelAs('Application/JSON') },
  'deprecation-headers': {
    title: 'getPet says that it is deprecated',
    leavesOpen: 'RFC 8594 and RFC 9745',
    change: addHeaders((_reply, { operation }) =>
      operation === 'getPet'
        ? {
            deprecation: '@1767225600',
            sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
            link: '</v1/pets>; rel="successor-version"',
            warning: '299 - "Deprecated"',
          }
        : {},
    ),
  },
  'location-of-created': {
    title: '201 has a Location',
    leavesOpen: 'RFC 9110 section 10.2.2',
    change: addHeaders(({ status, json }) =>
      status === 201 && isObject(json) ? { location: `/v1/pets/${printJson(json.id ?? null)}` } : {},
    ),
  },
  'paging-headers': {
    title: 'lists have Link and X-Total-Count',
    leavesOpen: open.paging,
    change: addHeaders((_reply, { operation, store }) =>
      operation === 'listPets'
        ? { link: '</v1/pets?page=2>; rel="next"', 'x-total-count': String(store.pets.length) }
        : {},
    ),
  },
  'many-headers': {
    title: 'cookies, security headers and those of proxies',
    leavesOpen: open.http,
    change: addHeaders((_reply, { number }) => ({
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
  },
  'rate-limit-headers': {
    title: 'answers count down to a rate limit',
    leavesOpen: open.rateLimits,
    change: addHeaders((_reply, { number }) => ({
      'ratelimit-limit': '5000',
      'ratelimit-remaining': String(5000 - number),
      'ratelimit-reset': '60',
    })),
  },
  'etag-and-304': {
    title: 'successes have an ETag, and 304 answers who asks with it',
    leavesOpen: 'RFC 9110 section 13.1.2',
    change: (base) => ({
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
  },
} satisfies Record<string, Variant>;
