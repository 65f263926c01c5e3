import { setTimeout as wait } from 'node:timers/promises';
import type { NewPet } from '../server/pets.js';
import type { Change } from '../server/behaviour.js';
import { Decimal, isArray, isObject, parseJson, printJson } from '../server/exact-json.js';
import type { JsonObject, JsonValue } from '../server/exact-json.js';
import { readInteger } from '../server/integers.js';
import { Refusal } from '../server/replies.js';
import { breaking, type Mutant } from './mutant.js';
import { adjust, answers, changeBody, changeErrors, changePets, changeReply, created, feed, gone } from './planting.js';
import { instead, makeRefusal, sendPage } from './planting.js';
import { stated } from './stated.js';

/** Stores something else than what was sent. */
export function changeStored(change: (pet: NewPet) => Partial<NewPet>): Change {
  return feed('createPet', (pet) => ({ ...pet, ...change(pet) }));
}

/** Mends a bad body before it is checked, as a lenient framework does. */
export function mendBody(mend: (body: JsonObject) => JsonValue): Change {
  return feed('readNewPet', (body) => (isObject(body) ? mend(body) : body));
}

/** Mends one member that is there and looks so. */
function mendMember<Value extends JsonValue>(
  name: keyof NewPet,
  isMeant: (value: JsonValue) => value is Value,
  mend: (value: Value) => JsonValue | undefined,
): Change {
  return mendBody((body) => {
    const value = body[name];
    return value !== undefined && isMeant(value) ? { ...body, [name]: mend(value) } : body;
  });
}

/** Reads bodies that are not JSON. */
function readLeniently(mend: (text: string) => string): Change {
  return adjust('parseBody', (body, exchange) =>
    body instanceof Refusal ? (parseJson(mend(exchange.body.toString())) ?? body) : body,
  );
}

/** Answers a refused body with another status than 400. */
function refuseWith(status: number, isMeant: (body: JsonValue | undefined) => boolean): Change {
  return (base) => ({
    ...adjust('parseBody', (body) => (body instanceof Refusal && isMeant(undefined) ? makeRefusal(status) : body))(
      base,
    ),
    ...adjust('readNewPet', (pet, body) => (pet instanceof Refusal && isMeant(body) ? makeRefusal(status) : pet))(base),
  });
}

const isText = (value: JsonValue) => typeof value === 'string';
const isNumber = (value: JsonValue) => value instanceof Decimal || typeof value === 'bigint';
const isTrueOrFalse = (value: JsonValue) => typeof value === 'boolean';
const isNull = (value: JsonValue) => value === null;
const isDecimal = (value: JsonValue) => value instanceof Decimal;
const isInteger = (value: JsonValue) => typeof value === 'bigint';
const isDigits = (text: string) => /^-?\d+$/.test(text);
const EMPTY = { name: '', categoryId: 0n };
const isCreated = answers('createPet', 201);
const isRefused = answers('createPet', 400);
const lacksField = (body: JsonValue | undefined) =>
  isObject(body) && (body.name === undefined || body.categoryId === undefined);
const hasBadField = (body: JsonValue | undefined) => isObject(body) && !lacksField(body);

/** Mutants in what createPet answers to and does with a body, valid or not. */
export const createMutants = {
  ...breaking(stated.created, ['status']).by({
    'create-200: createPet returns 200 instead of 201': changeReply(isCreated, { status: 200 }),
    'create-202: createPet answers 202': changeReply(isCreated, { status: 202 }),
    'create-204: createPet answers 204 without a body': changeReply(isCreated, { status: 204 }),
    'create-303: createPet redirects to the new pet': changeReply(isCreated, ({ json }) => ({
      status: 303,
      headers: { location: `/v1/pets/${isObject(json) ? printJson(json.id ?? null) : ''}` },
      json: undefined,
    })),
  }),
  ...breaking(stated.created, ['body']).by({
    'create-empty-body: 201 has no body': changeBody('createPet', gone),
    'create-null: the body of 201 is null': changeBody('createPet', () => null),
    'create-bare-id: 201 is a number': changeBody('createPet', (pet) => (isObject(pet) ? (pet.id ?? null) : pet)),
    'create-in-array: 201 carries an array of one': changeBody('createPet', (pet) => [pet]),
    'create-in-envelope: 201 carries {"data": Pet}': changeBody('createPet', (data) => ({ data })),
    'create-success-message: 201 carries {"success": true}': changeBody('createPet', () => ({ success: true })),
    'create-id-missing: 201 has no id': created.id(gone),
  }),
  ...breaking(stated.created, ['record']).by({
    'create-id-only: 201 carries the id alone': changePets('createPet', ({ id }) => ({ id })),
    'create-name-missing: 201 has no name': created.name(gone),
    'create-name-lower-case: 201 shows the name in lower case': created.name((name) => name.toLowerCase()),
    'create-name-cut': changeStored(({ name }) => ({ name: typeof name === 'string' ? name.slice(0, 255) : name })),
    'create-category-missing: 201 has no categoryId': created.categoryId(gone),
    'create-status-shown-as-sent: 201 shows the status that was sent, stored is another': (base) => ({
      createPet: async (pet, exchange) => {
        const stored = await base.createPet({ ...pet, status: 'available' }, exchange);
        return pet.status === undefined ? stored : { ...stored, status: pet.status };
      },
    }),
    'create-status-overwritten: every new pet is available': changeStored(() => ({ status: 'available' })),
    'create-sold-becomes-pending': changeStored(({ status }) => (status === 'sold' ? { status: 'pending' } : {})),
    'create-category-overwritten: every new pet is put into category 1': changeStored(() => ({ categoryId: 1n })),
  }),
  ...breaking(stated.petId, ['body']).by({
    'create-id-null: the id in 201 is null (read before the insert)': created.id(() => null),
    'create-id-as-text: the id in 201 is a string': created.id(String),
  }),
  ...breaking(stated.uniqueId, ['status']).by({ 'create-id-zero: the id in 201 is always 0': created.id(() => 0n) }),
  ...breaking(stated.uniqueId, ['record', 'records', 'own-records']).by({
    'create-id-of-other: the id in 201 is the one of the pet before': created.id((id) => id - 1n),
    'create-id-repeats: every second pet gets the id of the one before': (base) => {
      let count = 0;
      return instead('nextId', ({ pets }) => (++count % 2 === 0 ? (pets.at(-1)?.id ?? 1n) : undefined))(base);
    },
  }),
  ...breaking(stated.uniqueId, ['record', 'own-records']).by({
    'create-id-race: pets created at the same time get the same id': (base) => {
      let inFlight: bigint | undefined;
      return {
        createPet: async (pet, exchange) => {
          const id = (inFlight ??= base.nextId(exchange.store, pet));
          await wait(10);
          inFlight = undefined;
          const stored = { ...pet, id, createdAt: Date.now() };
          exchange.store.pets.push(stored);
          return stored;
        },
      };
    },
  }),
  ...breaking(stated.petCategory, ['record']).by({
    'create-category-as-text: categoryId in 201 is a string': created.categoryId(String),
    'create-category-int32: categories wrap around at 2^31': changeStored(({ categoryId: id }) => ({
      categoryId: typeof id === 'bigint' ? BigInt.asIntN(32, id) : id,
    })),
  }),
  ...breaking(stated.created, ['record'], { reading: 'same-everywhere' }).by({
    'create-status-missing: 201 does not show the status that was sent': created.status(gone),
  }),
  ...breaking(stated.petStatus, ['body']).by({
    'create-status-null: 201 shows status null when none was sent': created.status((status) => status ?? null),
    'create-default-status-unknown: without a status it is new': changeStored(({ status = 'new' }) => ({ status })),
  }),
  ...breaking(stated.created, ['record', 'records']).by({
    'create-status-not-stored: status is dropped at creation': feed('createPet', ({ status: _, ...pet }) => pet),
  }),
  ...breaking(stated.mediaType, ['record']).by({
    'create-name-misdecoded: names are read as Latin-1 although they are sent as UTF-8': changeStored(({ name }) => ({
      name: typeof name === 'string' ? Buffer.from(name).toString('latin1') : name,
    })),
  }),
  ...breaking(stated.collection, ['status']).by({
    'create-not-stored: 201, but the pet is not kept': adjust('createPet', async (creating, _pet, { store }) => {
      const pet = await creating;
      store.pets.splice(store.pets.indexOf(pet), 1);
      return pet;
    }),
  }),
  ...breaking(stated.collection, ['own-records']).by({
    'create-stores-twice: one call adds two pets': (base) => ({
      createPet: async (pet, exchange) => {
        await base.createPet(pet, exchange);
        return base.createPet(pet, exchange);
      },
    }),
  }),
  ...breaking(stated.collection, ['record', 'own-records']).by({
    'create-same-name-once: of a second pet of the same name the first is answered': instead(
      'createPet',
      (pet, { store }) => store.pets.find(({ name, createdAt }) => createdAt > 0 && name === pet.name),
    ),
  }),
  // ---- An invalid body is accepted
  ...breaking(stated.required, ['status']).by({
    'create-accepts-no-name: a body without name is accepted': mendBody((body) => ({ name: '', ...body })),
    'create-accepts-no-category: without categoryId it is 0': mendBody((body) => ({ categoryId: 0n, ...body })),
    'create-accepts-empty-object': mendBody((body) => ({ ...(Object.keys(body).length === 0 && EMPTY), ...body })),
  }),
  ...breaking(stated.refused, ['status']).by({
    'create-accepts-null-name: name null is accepted': mendMember('name', isNull, () => ''),
    'create-accepts-number-name: it becomes text': mendMember('name', isNumber, printJson),
    'create-accepts-boolean-name: true is accepted as name and becomes text': mendMember('name', isTrueOrFalse, String),
    'create-accepts-object-name: an object is accepted': mendMember('name', isObject, () => '[object Object]'),
    'create-accepts-array-name': mendMember('name', isArray, (name) => name.map(String).join(',')),
    'create-accepts-text-category': mendMember('categoryId', isText, (id) => (isDigits(id) ? BigInt(id) : id)),
    'create-accepts-any-text-category': mendMember('categoryId', isText, (id) => (isDigits(id) ? id : 0n)),
    'create-accepts-null-category: null becomes 0': mendMember('categoryId', isNull, () => 0n),
    'create-accepts-fraction-category: the fraction of a categoryId is cut off': mendMember(
      'categoryId',
      isDecimal,
      (id) => {
        const isFraction = readInteger(id) === undefined && /^-?\d{1,15}\.\d+$/.test(id.text);
        return isFraction ? BigInt(Math.trunc(Number(id.text))) : id;
      },
    ),
    'create-accepts-boolean-category: true becomes 1': mendMember('categoryId', isTrueOrFalse, BigInt),
    'create-accepts-array-category: an array of one is accepted': mendMember('categoryId', isArray, ([id]) => id),
    'create-accepts-category-past-int64: it wraps around': mendMember('categoryId', isInteger, (id) =>
      BigInt.asIntN(64, id),
    ),
    'create-accepts-unknown-status: any text is accepted as status': (base) => ({
      readNewPet: (body, exchange) => {
        if (!isObject(body) || typeof body.status !== 'string') return base.readNewPet(body, exchange);
        const pet = base.readNewPet({ ...body, status: undefined }, exchange);
        return pet instanceof Refusal ? pet : { ...pet, status: body.status };
      },
    }),
    'create-ignores-unknown-status: an unknown status is dropped in silence': mendMember('status', isText, (status) =>
      /^(available|pending|sold)$/.test(status) ? status : undefined,
    ),
    'create-accepts-status-in-capitals': mendMember('status', isText, (status) => status.toLowerCase()),
    'create-accepts-spaced-status': mendMember('status', isText, (status) => status.trim()),
    'create-accepts-empty-status: it is taken for none': mendMember('status', isText, (status) => status || undefined),
    'create-accepts-null-status: status null is taken for none': mendMember('status', isNull, gone),
    'create-accepts-number-status: the ordinal of a status': mendMember('status', isInteger, () => 'available'),
    'create-accepts-array-status: an array of one': mendMember('status', isArray, ([status]) => status),
    'create-accepts-array-body': feed('readNewPet', (body) => (isArray(body) ? (body[0] ?? null) : body)),
    'create-accepts-json-in-text': feed('readNewPet', (json) => (isText(json) ? (parseJson(json) ?? json) : json)),
    'create-accepts-empty-body': readLeniently((text) => (/\S/.test(text) ? text : '{"name":"","categoryId":0}')),
    'create-accepts-cut-body: a body without its last brace is accepted': readLeniently((text) => `${text}}`),
    'create-accepts-trailing-garbage': readLeniently((text) => text.slice(0, text.indexOf('}') + 1)),
  }),
  ...breaking(stated.refused, ['records']).by({
    'refused-body-still-stored: an invalid body is refused, but its pet stays in the collection': adjust(
      'readNewPet',
      (pet, body, exchange) => {
        if (pet instanceof Refusal && isObject(body) && typeof body.name === 'string') {
          void exchange.server.createPet({ name: body.name, categoryId: 0n }, exchange);
        }
        return pet;
      },
    ),
  }),
  // ---- An invalid body is refused in another way than with 400 and the Error body
  ...breaking(stated.refused, ['server-error']).by({
    'create-malformed-500: a body that is not JSON makes it crash': refuseWith(500, (body) => body === undefined),
    'create-wrong-type-500: a field of the wrong type makes it crash': refuseWith(500, hasBadField),
    'create-no-object-500': refuseWith(500, (body) => body !== undefined && !isObject(body)),
    'create-missing-field-500: a missing field makes it crash (NOT NULL)': refuseWith(500, lacksField),
  }),
  ...breaking(stated.refused, ['status']).by({
    'create-missing-field-422: a missing field gives 422': refuseWith(422, lacksField),
    'create-invalid-value-422: an invalid value gives 422': refuseWith(422, hasBadField),
    'create-invalid-200: an invalid body is answered with its Error and 200': changeReply(isRefused, { status: 200 }),
  }),
  ...breaking(stated.errorBody, ['error-body']).by({
    '400-without-body: 400 has no body': changeErrors(400, gone),
    '400-lists-errors: by field': changeErrors(400, ({ message }) => ({ errors: [{ field: 'name', message }] })),
  }),
  ...breaking(stated.errorBody, ['content-type', 'json']).by({ '400-html: 400 is an HTML page': sendPage(isRefused) }),
  ...breaking(stated.errorStatus, ['error-body']).by({ '400-says-422': changeErrors(400, { status: 422n }) }),
  ...breaking(stated.errorFields, ['error-body']).by({
    '400-code-number: code of a 400 is a number': changeErrors(400, { code: 400n }),
    '400-message-list': changeErrors(400, ({ message = '', ...error }) => ({ ...error, message: [message] })),
  }),
} satisfies Record<string, Mutant>;
