import type { Change } from '../server/behaviour.js';
import { Decimal, isArray, isObject, parseJson, type JsonObject, type JsonValue } from '../server/exact-json.js';
import { isInt64, readInteger } from '../server/integers.js';
import { Refusal } from '../server/replies.js';
import { breaking, type Mutant } from './mutant.js';
import { stated } from './stated.js';

/** Mends a bad body before it is checked, as a lenient framework does. */
function mendBody(mend: (body: JsonObject) => JsonObject): Change {
  return (base) => ({
    readNewPet: (body, exchange) => base.readNewPet(isObject(body) ? mend(body) : body, exchange),
  });
}

function mendMember(name: string, mend: (value: JsonValue) => JsonValue | undefined): Change {
  return mendBody((body) => {
    const value = body[name];
    return value === undefined ? body : { ...body, [name]: mend(value) };
  });
}

/** Stores a status that the interface does not know. */
function acceptStatus(test: (status: JsonValue) => boolean): Change {
  return (base) => ({
    readNewPet: (body, exchange) => {
      if (!isObject(body) || body.status === undefined || !test(body.status)) return base.readNewPet(body, exchange);
      const pet = base.readNewPet({ ...body, status: undefined }, exchange);
      return pet instanceof Refusal ? pet : { ...pet, status: body.status };
    },
  });
}

/** Reads bodies that are not JSON. */
function readLeniently(mend: (text: string) => string): Change {
  return (base) => ({
    parseBody: (exchange) => {
      const body = base.parseBody(exchange);
      return body instanceof Refusal ? (parseJson(mend(exchange.body.toString())) ?? body) : body;
    },
  });
}

/** Mutants in how createPet deals with an invalid body. */
export const createValidationMutants = {
  ...breaking(stated.required, ['status']).by({
    'create-accepts-no-name: a body without name is accepted': mendBody((body) => ({ name: '', ...body })),
    'create-accepts-no-category: a body without categoryId is accepted': mendBody((body) => ({
      categoryId: 0n,
      ...body,
    })),
    'create-accepts-empty-object: the body {} is accepted': mendBody((body) =>
      Object.keys(body).length === 0 ? { name: '', categoryId: 0n } : body,
    ),
  }),
  ...breaking(stated.refused, ['status']).by({
    'create-accepts-null-name: name null is accepted': mendMember('name', (name) => name ?? ''),
    'create-accepts-number-name: a number is accepted as name and becomes text': mendMember('name', (name) => {
      if (name instanceof Decimal) return name.text;
      return typeof name === 'bigint' ? String(name) : name;
    }),
    'create-accepts-boolean-name: true is accepted as name and becomes text': mendMember('name', (name) =>
      typeof name === 'boolean' ? String(name) : name,
    ),
    'create-accepts-object-name: an object is accepted as name': mendMember('name', (name) =>
      isObject(name) ? '[object Object]' : name,
    ),
    'create-accepts-array-name: an array is accepted as name': mendMember('name', (name) =>
      isArray(name) ? name.map(String).join(',') : name,
    ),
    'create-accepts-text-category: digits in quotes are accepted as categoryId': mendMember('categoryId', (id) =>
      typeof id === 'string' && /^-?\d+$/.test(id) ? BigInt(id) : id,
    ),
    'create-accepts-any-text-category: any text is accepted as categoryId and becomes 0': mendMember(
      'categoryId',
      (id) => (typeof id === 'string' && !/^-?\d+$/.test(id) ? 0n : id),
    ),
    'create-accepts-null-category: categoryId null is accepted and becomes 0': mendMember(
      'categoryId',
      (id) => id ?? 0n,
    ),
    'create-accepts-fraction-category: the fraction of a categoryId is cut off': mendMember('categoryId', (id) => {
      const isFraction = id instanceof Decimal && readInteger(id) === undefined && /^-?\d{1,15}\.\d+$/.test(id.text);
      return isFraction ? BigInt(Math.trunc(Number(id.text))) : id;
    }),
    'create-accepts-boolean-category: true is accepted as categoryId and becomes 1': mendMember('categoryId', (id) =>
      typeof id === 'boolean' ? BigInt(id) : id,
    ),
    'create-accepts-array-category: an array of one is accepted as categoryId': mendMember('categoryId', (id) =>
      isArray(id) ? id[0] : id,
    ),
    'create-accepts-category-past-int64: a categoryId past int64 wraps around': mendMember('categoryId', (id) =>
      typeof id === 'bigint' && !isInt64(id) ? BigInt.asIntN(64, id) : id,
    ),
    'create-accepts-unknown-status: any text is accepted as status': acceptStatus(
      (status) => typeof status === 'string',
    ),
    'create-ignores-unknown-status: an unknown status is dropped in silence': mendMember('status', (status) =>
      typeof status === 'string' && !/^(available|pending|sold)$/.test(status) ? undefined : status,
    ),
    'create-accepts-status-in-capitals: SOLD is accepted for sold': mendMember('status', (status) =>
      typeof status === 'string' ? status.toLowerCase() : status,
    ),
    'create-accepts-spaced-status: spaces around a status are accepted': mendMember('status', (status) =>
      typeof status === 'string' ? status.trim() : status,
    ),
    'create-accepts-empty-status: an empty status is taken for none': mendMember('status', (status) =>
      status === '' ? undefined : status,
    ),
    'create-accepts-null-status: status null is taken for none': mendMember('status', (status) => status ?? undefined),
    'create-accepts-number-status: a number is accepted as status (the ordinal of the enumeration)': mendMember(
      'status',
      (status) => (typeof status === 'bigint' ? 'available' : status),
    ),
    'create-accepts-array-status: an array of one is accepted as status': mendMember('status', (status) =>
      isArray(status) ? status[0] : status,
    ),
    'create-accepts-array-body: an array is accepted, and its first item is created': (base) => ({
      readNewPet: (body, exchange) => base.readNewPet(isArray(body) ? (body[0] ?? null) : body, exchange),
    }),
    'create-accepts-json-in-text: a JSON string that contains JSON is accepted': (base) => ({
      readNewPet: (body, exchange) =>
        base.readNewPet(typeof body === 'string' ? (parseJson(body) ?? body) : body, exchange),
    }),
    'create-accepts-empty-body: an empty body is accepted': readLeniently((text) =>
      text.trim() === '' ? '{"name":"","categoryId":0}' : text,
    ),
    'create-accepts-cut-body: a body without its last brace is accepted': readLeniently((text) => `${text}}`),
    'create-accepts-trailing-garbage: whatever follows the JSON is ignored': readLeniently((text) =>
      text.slice(0, text.indexOf('}') + 1),
    ),
  }),
  ...breaking(stated.refused, ['records']).by({
    'refused-body-still-stored: an invalid body is refused, but its pet stays in the collection': (base) => ({
      readNewPet: (body, exchange) => {
        const pet = base.readNewPet(body, exchange);
        if (pet instanceof Refusal && isObject(body) && typeof body.name === 'string') {
          void exchange.server.createPet({ name: body.name, categoryId: 0n }, exchange);
        }
        return pet;
      },
    }),
  }),
} satisfies Record<string, Mutant>;
