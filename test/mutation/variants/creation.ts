import { replaceFields, type NewPet } from '../server/pets.js';
import type { Change, Exchange } from '../server/behaviour.js';
import { isObject, type JsonObject } from '../server/exact-json.js';
import { Refusal } from '../server/replies.js';
import { allow, open, type Variant } from './variant.js';

/** Refuses bodies that the base would accept. */
function refuseIf(test: (pet: NewPet, body: JsonObject, exchange: Exchange) => boolean, status = 400): Change {
  return (base) => ({
    readNewPet: (body, exchange) => {
      const pet = base.readNewPet(body, exchange);
      if (pet instanceof Refusal || !isObject(body) || !test(pet, body, exchange)) return pet;
      return new Refusal(status, 'invalid_body', 'The body contains an invalid value.');
    },
  });
}

function refuseNames(test: (name: string) => boolean): Change {
  return refuseIf(({ name }) => typeof name === 'string' && test(name));
}

function refuseCategories(test: (categoryId: bigint, exchange: Exchange) => boolean): Change {
  return refuseIf(({ categoryId }, _body, exchange) => typeof categoryId === 'bigint' && test(categoryId, exchange));
}

function useDefaultStatus(status: string): Change {
  return (base) => ({
    createPet: (pet, exchange) => base.createPet({ status, ...pet }, exchange),
  });
}

function refuseMediaType(status: number): Change {
  return (base) => ({
    parseBody: (exchange) =>
      /^application\/json *(;|$)/i.test(exchange.headers['content-type'] ?? '')
        ? base.parseBody(exchange)
        : new Refusal(status, 'unsupported_media_type', 'The body must be application/json.'),
  });
}

function pickExtra(body: JsonObject): JsonObject {
  const { id: _id, name: _name, categoryId: _categoryId, status: _status, ...extra } = body;
  return extra;
}

const hasExtra = (body: JsonObject) => Object.keys(pickExtra(body)).length > 0;
const mediaTypes = '4: only application/json is described; what other bodies get is not';

export const creationVariants = {
  ...allow(open.defaultStatus, {
    'default-status-available: available when no status is sent': useDefaultStatus('available'),
    'default-status-pending: pending when no status is sent': useDefaultStatus('pending'),
    'default-status-sold: sold when no status is sent': useDefaultStatus('sold'),
  }),
  ...allow(open.unknownFields, {
    'extra-fields-kept: unknown fields are kept and returned': (base) => ({
      readNewPet: (body, exchange) => {
        const pet = base.readNewPet(body, exchange);
        return pet instanceof Refusal || !isObject(body) ? pet : { ...pet, extra: pickExtra(body) };
      },
    }),
    'extra-fields-refused: unknown fields give 400': refuseIf((_pet, body) => hasExtra(body) || body.id !== undefined),
    'client-id-refused: an id in the body gives 400': refuseIf((_pet, body) => body.id !== undefined),
  }),
  ...allow(mediaTypes, {
    'other-media-type-415: another media type gives 415': refuseMediaType(415),
    'other-media-type-400: another media type gives 400': refuseMediaType(400),
  }),
  ...allow(open.nameLimits, {
    'name-not-empty: an empty name gives 400': refuseNames((name) => name === ''),
    'name-not-blank: a name of spaces gives 400': refuseNames((name) => name.trim() === ''),
    'name-from-3: a name below 3 characters gives 400': refuseNames((name) => name.length < 3),
    'name-up-to-50: a name above 50 characters gives 400': refuseNames((name) => name.length > 50),
    'name-up-to-255: a name above 255 characters gives 400': refuseNames((name) => name.length > 255),
    'name-up-to-64-bytes: a name above 64 bytes gives 400': refuseNames((name) => Buffer.byteLength(name) > 64),
    'name-without-emoji: a name with characters past U+FFFF gives 400': refuseNames((name) =>
      /[\u{10000}-\u{10FFFF}]/u.test(name),
    ),
    'name-ascii-only: a name with characters past ASCII gives 400': refuseNames((name) => /[^\x20-\x7e]/.test(name)),
    'name-without-control-characters: a name with control characters gives 400': refuseNames((name) =>
      /\p{Cc}/u.test(name),
    ),
    'name-without-markup: a name with angle brackets gives 400': refuseNames((name) => /[<>]/.test(name)),
    'name-without-outer-spaces: a name with outer spaces gives 400': refuseNames((name) => name !== name.trim()),
    'name-well-formed: a name with half a surrogate pair gives 400': refuseNames((name) => /\p{Cs}/u.test(name)),
    'names-of-letters-alone: a name with anything but letters gives 400': refuseNames(
      (name) => !/^[A-Za-z]+$/.test(name),
    ),
    'names-up-to-8: a name above 8 characters gives 400': refuseNames((name) => name.length > 8),
  }),
  ...allow(open.categories, {
    'categories-1-to-5: other categories than 1 to 5 give 400': refuseCategories((id) => id < 1n || id > 5n),
    'categories-in-use: a category that no pet has gives 400': refuseCategories(
      (id, { store }) => !store.pets.some(({ categoryId }) => categoryId === id),
    ),
    'only-category-77: there is one category, known only from the list': (base) => ({
      ...refuseCategories((id) => id !== 77n)(base),
      seed: () => replaceFields(base.seed(), () => ({ categoryId: 77n })),
    }),
    'no-negative-category: a negative category gives 400': refuseCategories((id) => id < 0n),
    'no-category-0: category 0 gives 400': refuseCategories((id) => id === 0n),
    'no-category-past-2-53: a category past 2^53 gives 400': refuseCategories((id) => id > 2n ** 53n),
  }),
  ...allow('RFC 9110 section 15.5.14: 413', {
    'body-up-to-10-kb: a body above 10 kB gives 413': (base) => ({
      parseBody: (exchange) =>
        exchange.body.length > 10_000
          ? new Refusal(413, 'too_large', 'The body is too large.')
          : base.parseBody(exchange),
    }),
  }),
  ...allow('RFC 8259 section 8.1: a reader may ignore it', {
    'bom-before-body-tolerated: a byte order mark before a body is ignored': (base) => ({
      parseBody: (exchange) => {
        const hasMark = exchange.body.subarray(0, 3).equals(Buffer.from('\uFEFF'));
        return base.parseBody(hasMark ? { ...exchange, body: exchange.body.subarray(3) } : exchange);
      },
    }),
  }),
  ...allow('RFC 8259 section 6: a reader may limit range and precision', {
    'numbers-read-as-doubles: numbers are read as doubles, and a category that one cannot hold exactly gives 400': (
      base,
    ) => ({
      parseBody: (exchange) => {
        const text = exchange.body.toString();
        const rounded = text.replace(/(?<="categoryId": ?)-?\d+\.\d+/, (number) => String(Number(number)));
        return base.parseBody({ ...exchange, body: Buffer.from(rounded) });
      },
      ...refuseCategories((id) => id > 2n ** 53n - 1n || id < 1n - 2n ** 53n)(base),
    }),
  }),
} satisfies Record<string, Variant>;
