import type { Change } from '../server/behaviour.js';
import { Decimal, isArray, isObject, parseJson, type JsonObject, type JsonValue } from '../server/exact-json.js';
import { isInt64, readInteger } from '../server/integers.js';
import { Refusal } from '../server/replies.js';
import type { Mutant } from './mutant.js';
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
  'create-accepts-no-name': {
    title: 'a body without name is accepted',
    breaks: stated.required,
    foundBy: ['status'],
    change: mendBody((body) => ({ name: '', ...body })),
  },
  'create-accepts-no-category': {
    title: 'a body without categoryId is accepted',
    breaks: stated.required,
    foundBy: ['status'],
    change: mendBody((body) => ({ categoryId: 0n, ...body })),
  },
  'create-accepts-empty-object': {
    title: 'the body {} is accepted',
    breaks: stated.required,
    foundBy: ['status'],
    change: mendBody((body) => (Object.keys(body).length === 0 ? { name: '', categoryId: 0n } : body)),
  },
  'create-accepts-null-name': {
    title: 'name null is accepted',
    breaks: stated.refused,
    foundBy: ['status'],
    change: mendMember('name', (name) => name ?? ''),
  },
  'create-accepts-number-name': {
    title: 'a number is accepted as name and becomes text',
    breaks: stated.refused,
    foundBy: ['status'],
    change: mendMember('name', (name) => {
      if (name instanceof Decimal) return name.text;
      return typeof name === 'bigint' ? String(name) : name;
    }),
  },
  'create-accepts-boolean-name': {
    title: 'true is accepted as name and becomes text',
    breaks: stated.refused,
    foundBy: ['status'],
    change: mendMember('name', (name) => (typeof name === 'boolean' ? String(name) : name)),
  },
  'create-accepts-object-name': {
    title: 'an object is accepted as name',
    breaks: stated.refused,
    foundBy: ['status'],
    change: mendMember('name', (name) => (isObject(name) ? '[object Object]' : name)),
  },
  'create-accepts-array-name': {
    title: 'an array is accepted as name',
    breaks: stated.refused,
    foundBy: ['status'],
    change: mendMember('name', (name) => (isArray(name) ? name.map(String).join(',') : name)),
  },
  'create-accepts-text-category': {
    title: 'digits in quotes are accepted as categoryId',
    breaks: stated.refused,
    foundBy: ['status'],
    change: mendMember('categoryId', (id) => (typeof id === 'string' && /^-?\d+$/.test(id) ? BigInt(id) : id)),
  },
  'create-accepts-any-text-category': {
    title: 'any text is accepted as categoryId and becomes 0',
    breaks: stated.refused,
    foundBy: ['status'],
    change: mendMember('categoryId', (id) => (typeof id === 'string' && !/^-?\d+$/.test(id) ? 0n : id)),
  },
  'create-accepts-null-category': {
    title: 'categoryId null is accepted and becomes 0',
    breaks: stated.refused,
    foundBy: ['status'],
    change: mendMember('categoryId', (id) => id ?? 0n),
  },
  'create-accepts-fraction-category': {
    title: 'the fraction of a categoryId is cut off',
    breaks: stated.refused,
    foundBy: ['status'],
    change: mendMember('categoryId', (id) => {
      const isFraction = id instanceof Decimal && readInteger(id) === undefined && /^-?\d{1,15}\.\d+$/.test(id.text);
      return isFraction ? BigInt(Math.trunc(Number(id.text))) : id;
    }),
  },
  'create-accepts-boolean-category': {
    title: 'true is accepted as categoryId and becomes 1',
    breaks: stated.refused,
    foundBy: ['status'],
    change: mendMember('categoryId', (id) => (typeof id === 'boolean' ? BigInt(id) : id)),
  },
  'create-accepts-array-category': {
    title: 'an array of one is accepted as categoryId',
    breaks: stated.refused,
    foundBy: ['status'],
    change: mendMember('categoryId', (id) => (isArray(id) ? id[0] : id)),
  },
  'create-accepts-category-past-int64': {
    title: 'a categoryId past int64 wraps around',
    breaks: stated.refused,
    foundBy: ['status'],
    change: mendMember('categoryId', (id) => (typeof id === 'bigint' && !isInt64(id) ? BigInt.asIntN(64, id) : id)),
  },
  'create-accepts-unknown-status': {
    title: 'any text is accepted as status',
    breaks: stated.refused,
    foundBy: ['status'],
    change: acceptStatus((status) => typeof status === 'string'),
  },
  'create-ignores-unknown-status': {
    title: 'an unknown status is dropped in silence',
    breaks: stated.refused,
    foundBy: ['status'],
    change: mendMember('status', (status) =>
      typeof status === 'string' && !/^(available|pending|sold)$/.test(status) ? undefined : status,
    ),
  },
  'create-accepts-status-in-capitals': {
    title: 'SOLD is accepted for sold',
    breaks: stated.refused,
    foundBy: ['status'],
    change: mendMember('status', (status) => (typeof status === 'string' ? status.toLowerCase() : status)),
  },
  'create-accepts-spaced-status': {
    title: 'spaces around a status are accepted',
    breaks: stated.refused,
    foundBy: ['status'],
    change: mendMember('status', (status) => (typeof status === 'string' ? status.trim() : status)),
  },
  'create-accepts-empty-status': {
    title: 'an empty status is taken for none',
    breaks: stated.refused,
    foundBy: ['status'],
    change: mendMember('status', (status) => (status === '' ? undefined : status)),
  },
  'create-accepts-null-status': {
    title: 'status null is taken for none',
    breaks: stated.refused,
    foundBy: ['status'],
    change: mendMember('status', (status) => status ?? undefined),
  },
  'create-accepts-number-status': {
    title: 'a number is accepted as status (the ordinal of the enumeration)',
    breaks: stated.refused,
    foundBy: ['status'],
    change: mendMember('status', (status) => (typeof status === 'bigint' ? 'available' : status)),
  },
  'create-accepts-array-status': {
    title: 'an array of one is accepted as status',
    breaks: stated.refused,
    foundBy: ['status'],
    change: mendMember('status', (status) => (isArray(status) ? status[0] : status)),
  },
  'create-accepts-array-body': {
    title: 'an array is accepted, and its first item is created',
    breaks: stated.refused,
    foundBy: ['status'],
    change: (base) => ({
      readNewPet: (body, exchange) => base.readNewPet(isArray(body) ? (body[0] ?? null) : body, exchange),
    }),
  },
  'create-accepts-json-in-text': {
    title: 'a JSON string that contains JSON is accepted',
    breaks: stated.refused,
    foundBy: ['status'],
    change: (base) => ({
      readNewPet: (body, exchange) =>
        base.readNewPet(typeof body === 'string' ? (parseJson(body) ?? body) : body, exchange),
    }),
  },
  'create-accepts-empty-body': {
    title: 'an empty body is accepted',
    breaks: stated.refused,
    foundBy: ['status'],
    change: readLeniently((text) => (text.trim() === '' ? '{"name":"","categoryId":0}' : text)),
  },
  'create-accepts-cut-body': {
    title: 'a body without its last brace is accepted',
    breaks: stated.refused,
    foundBy: ['status'],
    change: readLeniently((text) => `${text}}`),
  },
  'create-accepts-trailing-garbage': {
    title: 'whatever follows the JSON is ignored',
    breaks: stated.refused,
    foundBy: ['status'],
    change: readLeniently((text) => text.slice(0, text.indexOf('}') + 1)),
  },
  'refused-body-still-stored': {
    title: 'an invalid body is refused, but its pet stays in the collection',
    breaks: stated.refused,
    foundBy: ['records'],
    change: (base) => ({
      readNewPet: (body, exchange) => {
        const pet = base.readNewPet(body, exchange);
        if (pet instanceof Refusal && isObject(body) && typeof body.name === 'string') {
          void exchange.server.createPet({ name: body.name, categoryId: 0n }, exchange);
        }
        return pet;
      },
    }),
  },
} satisfies Record<string, Mutant>;
