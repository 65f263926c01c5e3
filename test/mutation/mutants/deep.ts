import type { Change, Exchange } from '../server/behaviour.js';
import { isArray, isObject, printJson, type JsonValue } from '../server/exact-json.js';
import type { Reply } from '../server/replies.js';
import { changeStored } from './create.js';
import { crashOnPet } from './hidden.js';
import { changeLimit } from './limits.js';
import { breaking, type Mutant } from './mutant.js';
import { acceptWhen, adjust, afterwards, always, answers, changeItem, changeItems, changeReply } from './planting.js';
import { changeText, created, everywhere, feed, fetched, fieldsIn, instead, isList, listed } from './planting.js';
import { makeRefusal, readParameter, refuseWhen, roundToDouble, sendPage } from './planting.js';
import { stated } from './stated.js';

const isCreated = answers('createPet', 201);
const shownByGet = fieldsIn('createPet', 'getPet');
const inCapitals = (status: JsonValue | undefined) => (typeof status === 'string' ? status.toUpperCase() : status);
const beyondUcs2 = /[\u{10000}-\u{10FFFF}]/gu;

/** A change that sets in with the n-th answer of a kind, or with every n-th. */
function countedReplies(
  applies: (reply: Reply, exchange: Exchange) => boolean,
  isMeant: (count: number) => boolean,
  change: (reply: Reply) => Partial<Reply>,
): Change {
  return (base) => {
    let count = 0;
    return changeReply(applies, (reply) => (isMeant(++count) ? { ...reply, ...change(reply) } : reply))(base);
  };
}

/** Stores names as a lossy database column would. */
function storeNames(change: (name: string) => string): Change {
  return changeStored(({ name }) => ({ name: typeof name === 'string' ? change(name) : name }));
}

/** Takes a pet for one that is there, if their names are the same in some form. */
function foldNames(fold: (name: string) => string): Change {
  const like = (name: unknown): unknown => (typeof name === 'string' ? fold(name) : name);
  return instead('createPet', (pet, { store }) =>
    store.pets.find(({ name }) => like(name) === like(pet.name) && name !== pet.name),
  );
}

/** Makes a request with such a number fail. */
function crashOnText(pattern: RegExp): Change {
  return refuseWhen(500, ({ body, operation }) => operation === 'createPet' && pattern.test(body.toString()));
}

function crashOnCategory(test: (categoryId: bigint) => boolean): Change {
  return crashOnPet(({ categoryId }) => typeof categoryId === 'bigint' && test(categoryId));
}

/** Mutants that show only in the right place, at the right time, or with the right value. */
export const deepMutants = {
  ...breaking(stated.created, ['body']).by({
    'tenth-create-lacks-id: from the tenth creation on, 201 has no id': countedReplies(
      isCreated,
      (count) => count >= 10,
      ({ json }) => ({ json: isObject(json) ? { ...json, id: undefined } : json }),
    ),
  }),
  ...breaking(stated.uniqueId, ['record', 'own-records']).by({
    'fifth-create-reuses-id: the fifth pet created gets the id of the first one created': (base) => {
      const given: bigint[] = [];
      return {
        nextId: (store, pet) => {
          const id = given.length === 4 ? (given[0] ?? 1n) : base.nextId(store, pet);
          given.push(id);
          return id;
        },
      };
    },
  }),
  ...breaking(stated.created, ['status']).by({
    'third-create-200': countedReplies(
      isCreated,
      (count) => count === 3,
      () => ({ status: 200 }),
    ),
  }),
  ...breaking(stated.uniqueId, ['own-records']).by({
    'fifth-list-repeats: every fifth list shows its first pet twice': countedReplies(
      isList,
      (count) => count % 5 === 0,
      ({ json }) => ({ json: isArray(json) ? [...json.slice(0, 1), ...json.slice(0, -1)] : json }),
    ),
  }),
  ...breaking(stated.statusFilter, ['records']).by({
    'second-request-unfiltered: from the second request of a connection on, the filter is ignored': (base) => {
      const seen = new WeakSet<object>();
      return {
        matchesFilter: (pet, status, exchange) =>
          seen.has(exchange.connection) || base.matchesFilter(pet, status, exchange),
        shape: (reply, exchange) => {
          seen.add(exchange.connection);
          return base.shape(reply, exchange);
        },
      };
    },
    'pending-limit-leaks: only pending with a limit lists sold ones too': adjust(
      'matchesFilter',
      (matches, pet, status, exchange) =>
        matches || (status === 'pending' && pet.status === 'sold' && exchange.query.has('limit')),
    ),
  }),
  ...breaking(stated.listAnswer, ['status']).by({
    'repeated-list-304: the second list of the same URL is 304, though nobody asked': (base) => {
      const seen = new Set<string>();
      return changeReply(isList, (reply, { query }) => {
        if (seen.delete(String(query))) return { status: 304, headers: {}, json: undefined };
        seen.add(String(query));
        return reply;
      })(base);
    },
  }),
  ...breaking(stated.collection, ['records'], { reading: 'complete-lists' }).by({
    'list-cached-for-good: a list is never computed twice for one URL': (base) => {
      const cached = new Map<string, Reply>();
      return changeReply(isList, (reply, { query }) => {
        const known = cached.get(String(query)) ?? reply;
        cached.set(String(query), known);
        return known;
      })(base);
    },
  }),
  ...breaking(stated.unauthorized, ['status']).by({
    'cached-list-needs-no-key: a list that was served before is served without a key': (base) => {
      const served = new Set<string>();
      return adjust('hasValidKey', (isValid, { operation, query }) => {
        if (operation !== 'listPets') return isValid;
        if (isValid) served.add(String(query));
        return served.has(String(query));
      })(base);
    },
    'list-401-at-200': changeReply(answers('listPets', 401), { status: 200, headers: {}, json: [] }),
  }),
  ...breaking(stated.petStatus, ['body']).by({
    'last-item-shouts: only the last pet of a list': changeItem(-1, (pet) => ({
      ...pet,
      status: inCapitals(pet.status),
    })),
  }),
  ...breaking(stated.petName, ['body']).by({
    'twenty-first-item-nameless: a lazy page was not loaded': changeItem(20, (pet) => ({ ...pet, name: undefined })),
  }),
  ...breaking(stated.petId, ['body']).by({
    'id-text-past-50': changeItems((pet, index) => (index >= 50 ? { ...pet, id: printJson(pet.id ?? null) } : pet)),
  }),
  ...breaking(stated.limitIsMaximum, ['records', 'own-records']).by({
    'odd-limit-one-more: above ten': changeLimit((limit) => (limit > 10 && limit % 2 === 1 ? limit + 1 : limit)),
  }),
  ...breaking(stated.listAnswer, ['server-error']).by({
    'limit-100-and-filter-500: limit=100 together with a filter makes it crash': refuseWhen(
      500,
      (exchange) =>
        exchange.operation === 'listPets' && readParameter(exchange, 'limit') === '100' && exchange.query.has('status'),
    ),
  }),
  ...breaking(stated.getOnePet, ['record']).by({
    'created-sold-fetched-available: a pet created as sold is available when fetched': fetched.status(
      (status, { createdAt }) => (createdAt > 0 && status === 'sold' ? 'available' : status),
    ),
  }),
  ...breaking(stated.collection, ['status', 'records']).by({
    'same-category-replaces: a second new pet of one category replaces the first': (base) => ({
      createPet: async (pet, exchange) => {
        const { pets } = exchange.store;
        const rival = pets.find(({ createdAt, categoryId }) => createdAt > 0 && categoryId === pet.categoryId);
        const stored = await base.createPet(pet, exchange);
        if (rival !== undefined) pets.splice(pets.indexOf(rival), 1);
        return stored;
      },
    }),
  }),
  ...breaking(stated.created, ['record']).by({
    'long-name-drops-status: a pet with a name above 64 characters is created without its status': feed(
      'createPet',
      (pet) => {
        const { status: _, ...rest } = pet;
        return typeof pet.name === 'string' && pet.name.length > 64 ? rest : pet;
      },
    ),
  }),
  ...breaking(stated.uniqueId, ['records', 'own-records'], {
    needs: () => ({ nextId: ({ pets }) => 2n ** 60n + BigInt(pets.length) }),
  }).by({ 'ids-rounded-in-lists: ids past 2^53 are rounded in lists': listed.id(roundToDouble) }),
  ...breaking(stated.mediaType, ['content-type', 'json']).by({
    'html-without-accept: without the header': sendPage((_, { headers }) => headers.accept === undefined),
    'html-for-any-accept: Accept: */* gets HTML': sendPage((_reply, { headers }) => headers.accept === '*/*'),
  }),
  ...breaking(stated.errorBody, ['error-body']).by({
    'second-404-without-body: every second 404 has no body': countedReplies(
      answers('getPet', 404),
      (count) => count % 2 === 0,
      () => ({ json: undefined }),
    ),
  }),
  ...breaking(stated.errorFields, ['error-body']).by({
    'empty-body-message-null: message is null when the body is empty': changeReply(
      (reply, exchange) => answers('createPet', 400)(reply, exchange) && exchange.body.length === 0,
      (reply) => (isObject(reply.json) ? { ...reply, json: { ...reply.json, message: null } } : reply),
    ),
  }),
  // ---- The right request, or after the right one
  ...breaking(stated.collection, ['own-records']).by({
    'sold-duplicate-not-created: of a second sold pet that is like the first, the first is answered': instead(
      'createPet',
      (pet, { store }) =>
        pet.status === 'sold'
          ? store.pets.find(({ name, status, createdAt }) => createdAt > 0 && status === 'sold' && name === pet.name)
          : undefined,
    ),
  }),
  ...breaking(stated.mediaType, ['status']).by({
    'media-type-with-charset-refused: the header is compared as text': adjust('parseBody', (body, { headers }) =>
      headers['content-type']?.includes(';') === true ? makeRefusal(415) : body,
    ),
  }),
  ...breaking(stated.keyWorks, ['status']).by({
    'field-names-compared-by-case: the key is read from no field called authorization': adjust(
      'hasValidKey',
      (isValid, { fieldNames }) => isValid && fieldNames.includes('Authorization'),
    ),
    'refused-body-left-unread: the body of a creation without a key is left where the next request should be': (
      base,
    ) => {
      const spoilt = new WeakSet<object>();
      return {
        intercept: (exchange) => (spoilt.delete(exchange.connection) ? makeRefusal(400) : base.intercept(exchange)),
        refuseKey: (exchange) => {
          if (exchange.operation === 'createPet') spoilt.add(exchange.connection);
          return base.refuseKey(exchange);
        },
      };
    },
  }),
  ...breaking(stated.limitIsMaximum, ['records', 'own-records']).by({
    'limit-16-one-more: limit=16 gives one pet more': changeLimit((limit) => (limit === 16 ? 17 : limit)),
  }),
  ...breaking(stated.statusFilter, ['records'], { reading: 'full-pages' }).by({
    'pending-limit-10-one-less: limit=10 gives nine pets that are pending': changeLimit((limit, exchange) =>
      limit === 10 && readParameter(exchange, 'status') === 'pending' ? 9 : limit,
    ),
  }),
  ...breaking(stated.everyOperation, ['status']).by({
    'longest-list-needs-no-key: the unfiltered list with limit=100 is open to everybody (the export path)': acceptWhen(
      (exchange) =>
        exchange.operation === 'listPets' && exchange.query.size === 1 && readParameter(exchange, 'limit') === '100',
    ),
    'huge-ids-need-no-key: an id past 2^53 is looked up before the key is': acceptWhen(
      ({ operation, path }) => operation === 'getPet' && Number(path.slice('/pets/'.length)) > 2 ** 53,
    ),
  }),
  // ---- The right name or the right number
  ...breaking(stated.mediaType, ['json']).by({
    'quote-in-name-unescaped': changeText(always, (text) => text.replaceAll('\\"', '"')),
    'newline-in-name-unescaped': changeText(always, (text) => text.replaceAll('\\n', '\n')),
  }),
  ...breaking(stated.created, ['record', 'own-records']).by({
    'quote-in-name-doubled: apostrophes come back doubled (SQL)': afterwards.name((name) => name.replaceAll("'", "''")),
    'backslash-in-name-lost: backslashes in names are lost': afterwards.name((name) => name.replaceAll('\\', '')),
    'nul-cuts-name: a name ends at a NUL character': afterwards.name((name) => name.replace(/\0.*/s, '')),
    'percent-in-name-decoded: percent escapes in names are decoded': afterwards.name((name) =>
      name.replace(/%[2-7][0-9a-f]/gi, (escape) => decodeURIComponent(escape)),
    ),
    'markup-in-name-removed: tags in names are removed': afterwards.name((name) => name.replace(/<[^>]*>/g, '')),
    'spaces-in-name-collapsed: several spaces become one': afterwards.name((name) => name.replace(/ +/g, ' ')),
    'emoji-in-name-lost: to question marks': afterwards.name((name) => name.replace(beyondUcs2, '?')),
    'emoji-cuts-name: a three-byte column': afterwards.name((name) => name.replace(/[\u{10000}-\u{10FFFF}].*/su, '')),
    'name-accents-stripped: when fetched': fetched.name((name) => name.normalize('NFD').replace(/\p{M}/gu, '')),
  }),
  ...breaking(stated.petName, ['body']).by({
    'null-as-name-is-null: the name "null" becomes null': everywhere.name((name) => (name === 'null' ? null : name)),
    'true-as-name-is-true: of fetched pets (YAML)': fetched.name((name) => (name === 'true' ? true : name)),
  }),
  ...breaking(stated.created, ['record']).by({
    'surrogates-broken: replacement characters': everywhere.name((name) => name.replace(beyondUcs2, '\uFFFD\uFFFD')),
    'braces-in-name-evaluated: a template is computed': storeNames((name) => name.replace(/\{\{.*?\}\}/g, '49')),
    'line-separator-in-name-lost: U+2028 in names is lost': storeNames((name) => name.replaceAll('\u2028', '')),
    'no-break-space-becomes-space': storeNames((name) => name.replaceAll('\u00A0', ' ')),
    'leading-equals-sign-quoted: a spreadsheet would compute it': storeNames((name) => name.replace(/^[=+@-]/, "'$&")),
  }),
  ...breaking(stated.created, ['record'], { reading: 'names-kept' }).by({
    'name-normalised: names are normalised (NFC) before they are stored': storeNames((name) => name.normalize('NFC')),
  }),
  ...breaking(stated.petName, ['own-records']).by({
    'name-normalised-in-lists: lists show another normal form (NFD)': listed.name((name) => name.normalize('NFD')),
  }),
  ...breaking(stated.mediaType, ['record']).by({
    'escapes-kept: \\u escapes in a body are not decoded': feed('parseBody', (exchange) => ({
      ...exchange,
      body: Buffer.from(exchange.body.toString('latin1').replaceAll('\\u', '\\\\u'), 'latin1'),
    })),
  }),
  ...breaking(stated.mediaType, ['status']).by({
    'space-before-body-refused: a body that starts with white space is refused': adjust('parseBody', (json, { body }) =>
      /^\s/.test(body.toString('latin1')) ? makeRefusal(400) : json,
    ),
  }),
  ...breaking(stated.petCategory, ['body']).by({
    'category-rounded-on-store: categories past 2^53 are rounded before they are stored': changeStored(
      ({ categoryId: id }) => ({ categoryId: typeof id === 'bigint' ? roundToDouble(id) : id }),
    ),
    'category-unsigned: -1 becomes 2^64 - 1': everywhere.categoryId((id) => BigInt.asUintN(64, id)),
  }),
  ...breaking(stated.petCategory, ['record']).by({
    'category-rounded-in-201: past 2^53, in the answer to createPet only': created.categoryId(roundToDouble),
    'category-scientific: categories past 10^15 lose digits to scientific notation': changeText(always, (text) =>
      text.replace(/(?<="categoryId":)\d{16,}/g, (digits) => Number(digits).toExponential(6)),
    ),
  }),
  ...breaking(stated.petCategory, ['server-error']).by({
    'largest-category-500: the largest int64 makes it crash': crashOnCategory((id) => id === 2n ** 63n - 1n),
    'category-past-int32-500: a categoryId past int32 makes it crash': crashOnCategory((id) => id >= 2n ** 31n),
  }),
  // ---- A value at the edge of what programs read
  ...breaking(stated.created, ['record', 'own-records', 'body']).by({
    'zero-as-name-is-empty: the name "0" is no name when fetched': fetched.name((name) => (name === '0' ? '' : name)),
    'digits-as-name-become-a-number': fetched.name((name) => (/^[1-9]\d*$/.test(name) ? BigInt(name) : name)),
    'scripts-are-removed: scripts of HTML': shownByGet.name((name) => name.replace(/<script.*<\/script>/, '')),
    'tags-become-signs: :dog: becomes a picture': fetched.name((name) => name.replace(':dog:', '\u{1F436}')),
    'one-mark-a-letter: one is stored': shownByGet.name((name) => name.replace(/(\p{M})\p{M}+/gu, '$1')),
    'names-cut-at-255-bytes: names of at most 255 letters are cut at 255 bytes': shownByGet.name((name) =>
      name.length > 255 ? name : Buffer.from(name).subarray(0, 255).toString(),
    ),
  }),
  ...breaking(stated.uniqueId, ['record', 'own-records']).by({
    'wide-names-are-one: fullwidth letters are taken for plain ones': foldNames((name) => name.normalize('NFKC')),
    'joiners-are-nothing: names that differ in a joiner are one': foldNames((name) => name.replaceAll('\u200D', '')),
  }),
  ...breaking(stated.refused, ['server-error']).by({
    'many-digits-500: a number of thousands of digits makes it fail': crashOnText(/\d{1000}/),
    'great-exponent-500: a number with a great exponent makes it fail': crashOnText(/\de\d{5}/),
  }),
} satisfies Record<string, Mutant>;
