import { replaceFields, type NewPet } from '../server/pets.js';
import type { Change, Exchange } from '../server/behaviour.js';
import { isObject, type JsonObject } from '../server/exact-json.js';
import { Refusal } from '../server/replies.js';
import { adjust, all, feed, instead } from '../mutants/planting.js';
import { allow, open, type Variant } from './variant.js';

/** Refuses bodies that the base would accept. */
function refuseIf(test: (pet: NewPet, body: JsonObject, exchange: Exchange) => boolean): Change {
  return adjust('readNewPet', (pet, body, exchange) =>
    pet instanceof Refusal || !isObject(body) || !test(pet, body, exchange)
      ? pet
      : new Refusal(400, 'invalid_body', 'The body contains an invalid value.'),
  );
}

export function refuseNames(test: (name: string) => boolean): Change {
  return refuseIf(({ name }) => typeof name === 'string' && test(name));
}

function refuseCategories(test: (categoryId: bigint, exchange: Exchange) => boolean): Change {
  return refuseIf(({ categoryId }, _body, exchange) => typeof categoryId === 'bigint' && test(categoryId, exchange));
}

function useDefaultStatus(status: string): Change {
  return feed('createPet', (pet) => ({ status, ...pet }));
}

function refuseMediaType(status: number): Change {
  const refusal = new Refusal(status, 'unsupported_media_type', 'The body must be application/json.');
  return adjust('parseBody', (body, { headers }) =>
    /^application\/json *(;|$)/i.test(headers['content-type'] ?? '') ? body : refusal,
  );
}

function pickExtra(body: JsonObject): JsonObject {
  const { id: _id, name: _name, categoryId: _categoryId, status: _status, ...extra } = body;
  return extra;
}

const hasExtra = (body: JsonObject) => Object.keys(pickExtra(body)).length > 0;
const tooLarge = new Refusal(413, 'too_large', 'The body is too large.');

export const creationVariants = {
  ...allow(open.defaultStatus, {
    'default-status-available: available when no status is sent': useDefaultStatus('available'),
    'default-status-pending: pending when no status is sent': useDefaultStatus('pending'),
    'default-status-sold: sold when no status is sent': useDefaultStatus('sold'),
  }),
  ...allow(open.unknownFields, {
    'extra-fields-kept: unknown fields are kept and returned': adjust('readNewPet', (pet, body) =>
      pet instanceof Refusal || !isObject(body) ? pet : { ...pet, extra: pickExtra(body) },
    ),
    'extra-fields-refused: unknown fields give 400': refuseIf((_pet, body) => hasExtra(body) || body.id !== undefined),
    'client-id-refused: an id in the body gives 400': refuseIf((_pet, body) => body.id !== undefined),
  }),
  ...allow('4: only application/json is described; what other bodies get is not', {
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
    'name-without-emoji: past U+FFFF gives 400': refuseNames((name) => /[\u{10000}-\u{10FFFF}]/u.test(name)),
    'name-ascii-only: a name with characters past ASCII gives 400': refuseNames((name) => /[^\x20-\x7e]/.test(name)),
    'name-without-control-characters: they give 400': refuseNames((name) => /\p{Cc}/u.test(name)),
    'name-without-markup: a name with angle brackets gives 400': refuseNames((name) => /[<>]/.test(name)),
    'name-without-outer-spaces: a name with outer spaces gives 400': refuseNames((name) => name !== name.trim()),
    'name-well-formed: a name with half a surrogate pair gives 400': refuseNames((name) => /\p{Cs}/u.test(name)),
    'names-of-letters-alone: anything but letters gives 400': refuseNames((name) => !/^[A-Za-z]+$/.test(name)),
    'names-up-to-8: a name above 8 characters gives 400': refuseNames((name) => name.length > 8),
  }),
  ...allow(open.categories, {
    'categories-1-to-5: other categories than 1 to 5 give 400': refuseCategories((id) => id < 1n || id > 5n),
    'categories-in-use': refuseCategories((id, { store }) => !store.pets.some(({ categoryId }) => categoryId === id)),
    'only-category-77: there is one category, known only from the list': all(
      refuseCategories((id) => id !== 77n),
      adjust('seed', (pets) => replaceFields(pets, () => ({ categoryId: 77n }))),
    ),
    'no-negative-category: a negative category gives 400': refuseCategories((id) => id < 0n),
    'no-category-0: category 0 gives 400': refuseCategories((id) => id === 0n),
    'no-category-past-2-53: a category past 2^53 gives 400': refuseCategories((id) => id > 2n ** 53n),
  }),
  ...allow('RFC 9110 section 15.5.14: 413', {
    'body-up-to-10-kb': instead('parseBody', ({ body }) => (body.length > 10_000 ? tooLarge : undefined)),
  }),
  ...allow('RFC 8259 section 8.1: a reader may ignore it', {
    'bom-before-body-tolerated: a byte order mark before a body is ignored': feed('parseBody', (exchange) => {
      const hasMark = exchange.body.subarray(0, 3).equals(Buffer.from('\uFEFF'));
      return hasMark ? { ...exchange, body: exchange.body.subarray(3) } : exchange;
    }),
  }),
  ...allow('RFC 8259 section 6: a reader may limit range and precision', {
    'numbers-read-as-doubles: a category that a double cannot hold exactly gives 400': all(
      feed('parseBody', (exchange) => {
        const text = exchange.body.toString();
        const rounded = text.replace(/(?<="categoryId": ?)-?\d+\.\d+/, (number) => String(Number(number)));
        return { ...exchange, body: Buffer.from(rounded) };
      }),
      refuseCategories((id) => id > 2n ** 53n - 1n || id < 1n - 2n ** 53n),
    ),
  }),
} satisfies Record<string, Variant>;
