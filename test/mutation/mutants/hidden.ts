import { setTimeout as wait } from 'node:timers/promises';
import { deflateRawSync } from 'node:zlib';
import type { Pet, NewPet } from '../server/pets.js';
import type { Change, Exchange } from '../server/behaviour.js';
import { isObject } from '../server/exact-json.js';
import { Refusal } from '../server/replies.js';
import { breaking, type Mutant } from './mutant.js';
import { adjust, afterwards, all, changeReply, everywhere, feed, fetched, instead, isList } from './planting.js';
import { listed } from './planting.js';
import { makeRefusal, refuseWhen, type Test } from './planting.js';
import { stated } from './stated.js';

/** What stands behind the word Bearer, with spaces and all. */
function readCredentials({ headers }: Exchange): string | undefined {
  return /^bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1];
}

function acceptCredentials(test: (credentials: string, key: string) => boolean, meant: Test = () => true): Change {
  return adjust('hasValidKey', (isValid, exchange) => {
    const credentials = readCredentials(exchange);
    return isValid || (credentials !== undefined && test(credentials, exchange.server.apiKey) && meant(exchange));
  });
}

function crashOn(test: Test): Change {
  return instead('intercept', (exchange) =>
    exchange.operation !== undefined && test(exchange) ? makeRefusal(500) : undefined,
  );
}

/** Refuses pets as if the service had failed. */
export function crashOnPet(test: (pet: NewPet) => boolean): Change {
  return adjust('readNewPet', (pet) => (!(pet instanceof Refusal) && test(pet) ? makeRefusal(500) : pet));
}

/** Leaves a pet behind that nobody was told of. */
function leave(exchange: Exchange, pet: NewPet = { name: 'draft', categoryId: 1n }): void {
  void exchange.server.createPet(pet, exchange);
}

/** Reads the query with some of its escapes taken literally: of what stands before, or behind, each equals sign. */
function escapePercents(part: RegExp): Change {
  const reread = ({ rawQuery }: Exchange, name: string) =>
    new URLSearchParams(rawQuery.replace(part, (text) => text.replaceAll('%', '%25'))).getAll(name);
  return all(
    feed('readLimit', (_, exchange) => reread(exchange, 'limit')),
    feed('readStatusFilter', (_, exchange) => reread(exchange, 'status')),
  );
}

/** Decodes each piece of a body by itself. */
function decodeApart(test: Test): Change {
  return feed('parseBody', (exchange) => {
    const text = exchange.pieces.map((piece) => piece.toString('utf8')).join('');
    return test(exchange) ? { ...exchange, body: Buffer.from(text) } : exchange;
  });
}

const isFetch: Test = ({ operation }) => operation === 'getPet';
const isCreation: Test = ({ operation }) => operation === 'createPet';

/** Mutants that show only with a name, credentials or a message that hardly anybody sends, or in what is kept. */
export const hiddenMutants = {
  ...breaking(stated.petName, ['body']).by({
    'no-as-name-is-false: in lists (YAML 1.1)': listed.name((name) => (name === 'no' ? false : name)),
    'tilde-as-name-is-null: when fetched (YAML)': fetched.name((name) => (name === '~' ? null : name)),
    'hexadecimal-name-computed': listed.name((name) => (/^0x[0-9a-f]+$/i.test(name) ? BigInt(name) : name)),
    'undefined-as-name-is-dropped': listed.name((name) => (name === 'undefined' ? null : name)),
  }),
  ...breaking(stated.created, ['record']).by({
    'exponent-as-name-computed': everywhere.name((name) => (/^\d+e\d+$/i.test(name) ? String(Number(name)) : name)),
  }),
  ...breaking(stated.created, ['record', 'own-records']).by({
    'date-as-name-gets-a-time': fetched.name((name) =>
      /^\d{4}-\d\d-\d\d$/.test(name) ? `${name}T00:00:00.000Z` : name,
    ),
    'typographic-signs-replaced: quotation marks, dashes and dots become those of a typewriter': afterwards.name(
      (name) =>
        name
          .replace(/[\u201C\u201D\u201E]/g, '"')
          .replace(/[\u2013\u2014]/g, '-')
          .replaceAll('\u2026', '...'),
    ),
  }),
  ...breaking(stated.created, ['server-error']).by({
    'word-of-objects-as-name-500': crashOnPet(
      ({ name }) => name !== '__proto__' && typeof name === 'string' && name in {},
    ),
  }),
  ...breaking(stated.collection, ['status']).by({
    'pet-called-proto-lost: a pet that is called __proto__ is kept in an object by name, and never seen again': all(
      adjust('findPet', (found) => (found?.name === '__proto__' ? undefined : found)),
      adjust('inListOrder', (pets) => [...pets].filter(({ name }) => name !== '__proto__')),
    ),
  }),
  ...breaking(stated.petName, ['own-records']).by({
    'direction-marks-removed': listed.name((name) => name.replace(/[\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '')),
  }),
  // ---- Credentials
  ...breaking(stated.unauthorized, ['status']).by({
    'first-of-two-tokens-accepted': acceptCredentials((credentials, key) => credentials.split(' ')[0] === key),
    'last-of-two-tokens-accepted': acceptCredentials((credentials, key) => credentials.split(' ').at(-1) === key),
    'key-in-a-list-accepted': acceptCredentials((credentials, key) => credentials.split(/ *, */).includes(key)),
    'undefined-as-key-accepted: a variable that is not set': acceptCredentials((sent) => sent === 'undefined'),
    'null-as-key-accepted: by getPet': acceptCredentials((sent) => sent === 'null', isFetch),
    'star-as-key-accepted: a star is a key (it matches every one)': acceptCredentials((sent) => sent === '*'),
    'letters-beyond-ascii-left-out': acceptCredentials((sent, key) => sent.replace(/[^\x20-\x7E]/g, '') === key),
    'quoted-key-accepted: with quotation marks': acceptCredentials((sent, key) => sent === `"${key}"`),
  }),
  ...breaking(stated.unauthorized, ['server-error']).by({
    'key-beyond-ascii-500: buffers differ': crashOn(({ headers }) => /[^\x20-\x7E]/.test(headers.authorization ?? '')),
    'two-authorization-fields-500: two Authorization fields make it crash': crashOn(
      ({ fieldNames }) => fieldNames.filter((name) => /^authorization$/i.test(name)).length > 1,
    ),
  }),
  // ---- What is kept, and under which id
  ...breaking(stated.refused, ['status', 'body']).by({
    'refused-body-stored-nameless: an invalid body is refused, but a pet without its name stays in the collection':
      adjust('readNewPet', (pet, body, exchange) => {
        const categoryId = isObject(body) && typeof body.categoryId === 'bigint' ? body.categoryId : 1n;
        if (pet instanceof Refusal) leave(exchange, { name: 'unnamed', categoryId });
        return pet;
      }),
  }),
  ...breaking(stated.refused, ['status']).by({
    'refused-body-leaves-a-draft: an invalid body is refused, but a draft with nothing of it stays': adjust(
      'readNewPet',
      (pet, _body, exchange) => {
        if (pet instanceof Refusal) leave(exchange, { name: 'draft', categoryId: 1n, status: 'pending' });
        return pet;
      },
    ),
    'unknown-status-leaves-a-draft: an unknown status is refused, but an empty pet stays': adjust(
      'readNewPet',
      (pet, body, exchange) => {
        const isMeant = pet instanceof Refusal && isObject(body) && typeof body.status === 'string';
        if (isMeant) leave(exchange, { name: '', categoryId: 1n });
        return pet;
      },
    ),
    'malformed-body-leaves-a-draft: a body that is no JSON is refused, but an empty pet stays': adjust(
      'parseBody',
      (body, exchange) => {
        if (body instanceof Refusal) leave(exchange);
        return body;
      },
    ),
  }),
  ...breaking(stated.unauthorized, ['status']).by({
    'keyless-create-leaves-a-draft: a creation without a key is refused, but an empty pet stays': adjust(
      'refuseKey',
      (refusal, exchange) => {
        if (isCreation(exchange)) leave(exchange);
        return refusal;
      },
    ),
  }),
  ...breaking(stated.collection, ['record']).by({
    'equal-creates-at-once-are-one: two equal creations at the same time are taken for one': (base) => {
      const underWay = new Map<string, Promise<Pet>>();
      return {
        createPet: (pet, exchange) => {
          const key = exchange.body.toString('latin1');
          const creating = underWay.get(key) ?? wait(15).then(() => base.createPet(pet, exchange));
          underWay.set(key, creating);
          return creating.finally(() => underWay.delete(key));
        },
      };
    },
  }),
  ...breaking(stated.uniqueId, ['record', 'own-records']).by({
    'equal-creates-at-once-share-an-id: two equal creations at the same time get one id for two pets': (base) => {
      const given = new Map<string, bigint>();
      return {
        createPet: async (pet, exchange) => {
          const key = exchange.body.toString('latin1');
          const id = given.get(key) ?? base.nextId(exchange.store, pet);
          given.set(key, id);
          await wait(15);
          given.delete(key);
          const stored = { ...pet, id, createdAt: Date.now() };
          exchange.store.pets.push(stored);
          return stored;
        },
      };
    },
  }),
  ...breaking(stated.getOnePet, ['status']).by({
    'asked-before-it-existed: a pet whose id was asked for before it existed is never found (404 is cached)': (
      base,
    ) => {
      const unknown = new Set<bigint>();
      return adjust('findPet', (found, id) => {
        if (found === undefined) unknown.add(id);
        return unknown.has(id) ? undefined : found;
      })(base);
    },
    'escaped-id-not-found': adjust('findPet', (found, _id, { path }) => (path.includes('%') ? undefined : found)),
  }),
  // ---- A message that is written in another way
  ...breaking(stated.statusFilter, ['status']).by({ 'escaped-filter-value-unread': escapePercents(/(?<==)[^&]*/g) }),
  ...breaking(stated.statusFilter, ['records', 'own-records']).by({
    'escaped-parameter-name-unread: percent escapes in a name are not decoded': escapePercents(/[^&=]*(?==)/g),
  }),
  ...breaking(stated.mediaType, ['record']).by({
    'pieces-decoded-apart: a letter cut in two is lost': decodeApart(() => true),
    'chunks-decoded-apart: chunk by chunk': decodeApart(({ headers }) => headers['transfer-encoding'] !== undefined),
  }),
  ...breaking(stated.mediaType, ['status']).by({
    'first-piece-alone-read': feed('parseBody', (asked) => ({ ...asked, body: asked.pieces[0] ?? Buffer.alloc(0) })),
    'media-type-compared-by-case: Application/JSON is refused': adjust('parseBody', (body, { headers }) =>
      /[A-Z]/.test(headers['content-type']?.split(';')[0] ?? '') ? makeRefusal(415) : body,
    ),
  }),
  ...breaking(stated.listAnswer, ['status'], { reading: 'complete-lists' }).by({
    'etag-never-changes: a list has the same ETag whatever is in it, so that it is 304 for good': changeReply(
      isList,
      (reply, { headers, rawQuery }) => {
        const etag = `"${rawQuery}"`;
        if (headers['if-none-match'] === etag) return { status: 304, headers: { etag }, json: undefined };
        return { ...reply, headers: { ...reply.headers, etag } };
      },
    ),
  }),
  ...breaking(stated.listAnswer, ['answered']).by({
    'deflate-without-its-wrapper: whoever accepts deflate alone gets it without the wrapper of zlib, cut short': adjust(
      'encode',
      (encoded, reply, exchange) => {
        if (!isList(reply, exchange) || exchange.headers['accept-encoding'] !== 'deflate') return encoded;
        const bytes = deflateRawSync(encoded.bytes).subarray(0, -3);
        return { ...encoded, headers: { ...encoded.headers, 'content-encoding': 'deflate' }, bytes };
      },
    ),
  }),
  ...breaking(stated.listAnswer, ['status']).by({
    'accept-range-406: application/* is refused': refuseWhen(406, ({ headers }) => headers.accept === 'application/*'),
  }),
  ...breaking(stated.listAnswer, ['server-error']).by({
    'weighed-accept-500: an Accept field with weights makes it crash when nothing is created': refuseWhen(
      500,
      (exchange) => !isCreation(exchange) && exchange.headers.accept?.startsWith('application/json;q=') === true,
    ),
  }),
} satisfies Record<string, Mutant>;
