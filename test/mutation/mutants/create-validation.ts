import type { Change } from '../server/behaviour.js';
import { Decimal, isArray, isObject, parseJson, type JsonObject, type JsonValue } from '../server/exact-json.js';
import { isInt64, readInteger } from '../server/integers.js';
import { Refusal } from '../server/replies.js';
import type { Mutant } from './mutant.js';
import { answers, changeErrors, changeStatus, htmlPage, makeRefusal, replaceBody } from './planting.js';
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

/** Answers a refused body with another status than 400. */
function refuseWith(status: number, isMeant: (body: JsonValue | undefined) => boolean): Change {
  return (base) => ({
    parseBody: (exchange) => {
      const body = base.parseBody(exchange);
      return body instanceof Refusal && isMeant(undefined) ? makeRefusal(status) : body;
    },
    readNewPet: (body, exchange) => {
      const pet = base.readNewPet(body, exchange);
      return pet instanceof Refusal && isMeant(body) ? makeRefusal(status) : pet;
    },
  });
}

const isRefused = answers('createPet', 400);
const lacksField = (body: JsonValue | undefined) =>
  isObject(body) && (body.name === undefined || body.categoryId === undefined);

/** Mutants in how createPet deals with an invalid body. */
export const createValidationMutants = {
  'create-accepts-no-name': {
    title: 'a body without name is accepted',
    breaks: stated.required,
    change: mendBody((body) => ({ name: '', ...body })),
  },
  'create-accepts-no-category': {
    title: 'a body without categoryId is accepted',
    breaks: stated.required,
    change: mendBody((body) => ({ categoryId: 0n, ...body })),
  },
  'create-accepts-empty-object': {
    title: 'the body {} is accepted',
    breaks: stated.required,
    change: mendBody((body) => (Object.keys(body).length === 0 ? { name: '', categoryId: 0n } : body)),
  },
  'create-accepts-null-name': {
    title: 'name null is accepted',
    breaks: stated.refused,
    change: mendMember('name', (name) => name ?? ''),
  },
  'create-accepts-number-name': {
    title: 'a number is accepted as name and becomes text',
    breaks: stated.refused,
    change: mendMember('name', (name) => {
      if (name instanceof Decimal) return name.text;
      return typeof name === 'bigint' ? String(name) : name;
    }),
  },
  'create-accepts-boolean-name': {
    title: 'true is accepted as name and becomes text',
    breaks: stated.refused,
    change: mendMember('name', (name) => (typeof name === 'boolean' ? String(name) : name)),
  },
  'create-accepts-object-name': {
    title: 'an object is accepted as name',
    breaks: stated.refused,
    change: mendMember('name', (name) => (isObject(name) ? '[object Object]' : name)),
  },
  'create-accepts-array-name': {
    title: 'an array is accepted as name',
    breaks: stated.refused,
    change: mendMember('name', (name) => (isArray(name) ? name.map(String).join(',') : name)),
  },
  'create-accepts-text-category': {
    title: 'digits in quotes are accepted as categoryId',
    breaks: stated.refused,
    change: mendMember('categoryId', (id) => (typeof id === 'string' && /^-?\d+$/.test(id) ? BigInt(id) : id)),
  },
  'create-accepts-any-text-category': {
    title: 'any text is accepted as categoryId and becomes 0',
    breaks: stated.refused,
    change: mendMember('categoryId', (id) => (typeof id === 'string' && !/^-?\d+$/.test(id) ? 0n : id)),
  },
  'create-accepts-null-category': {
    title: 'categoryId null is accepted and becomes 0',
    breaks: stated.refused,
    change: mendMember('categoryId', (id) => id ?? 0n),
  },
  'create-accepts-fraction-category': {
    title: 'the fraction of a categoryId is cut off',
    breaks: stated.refused,
    change: mendMember('categoryId', (id) => {
      const isFraction = id instanceof Decimal && readInteger(id) === undefined && /^-?\d{1,15}\.\d+$/.test(id.text);
      return isFraction ? BigInt(Math.trunc(Number(id.text))) : id;
    }),
  },
  'create-accepts-boolean-category': {
    title: 'true is accepted as categoryId and becomes 1',
    breaks: stated.refused,
    change: mendMember('categoryId', (id) => (typeof id === 'boolean' ? BigInt(id) : id)),
  },
  'create-accepts-array-category': {
    title: 'an array of one is accepted as categoryId',
    breaks: stated.refused,
    change: mendMember('categoryId', (id) => (isArray(id) ? id[0] : id)),
  },
  'create-accepts-category-past-int64': {
    title: 'a categoryId past int64 wraps around',
    breaks: stated.refused,
    change: mendMember('categoryId', (id) => (typeof id === 'bigint' && !isInt64(id) ? BigInt.asIntN(64, id) : id)),
  },
  'create-accepts-unknown-status': {
    title: 'any text is accepted as status',
    breaks: stated.refused,
    change: acceptStatus((status) => typeof status === 'string'),
  },
  'create-ignores-unknown-status': {
    title: 'an unknown status is dropped in silence',
    breaks: stated.refused,
    change: mendMember('status', (status) =>
      typeof status === 'string' && !/^(available|pending|sold)$/.test(status) ? undefined : status,
    ),
  },
  'create-accepts-status-in-capitals': {
    title: 'SOLD is accepted for sold',
    breaks: stated.refused,
    change: mendMember('status', (status) => (typeof status === 'string' ? status.toLowerCase() : status)),
  },
  'create-accepts-spaced-status': {
    title: 'spaces around a status are accepted',
    breaks: stated.refused,
    change: mendMember('status', (status) => (typeof status === 'string' ? status.trim() : status)),
  },
  'create-accepts-empty-status': {
    title: 'an empty status is taken for none',
    breaks: stated.refused,
    change: mendMember('status', (status) => (status === '' ? undefined : status)),
  },
  'create-accepts-null-status': {
    title: 'status null is taken for none',
    breaks: stated.refused,
    change: mendMember('status', (status) => status ?? undefined),
  },
  'create-accepts-number-status': {
    title: 'a number is accepted as status (the ordinal of the enumeration)',
    breaks: stated.refused,
    change: mendMember('status', (status) => (typeof status === 'bigint' ? 'available' : status)),
  },
  'create-accepts-array-status': {
    title: 'an array of one is accepted as status',
    breaks: stated.refused,
    change: mendMember('status', (status) => (isArray(status) ? status[0] : status)),
  },
  'create-accepts-array-body': {
    title: 'an array is accepted, and its first item is created',
    breaks: stated.refused,
    change: (base) => ({
      readNewPet: (body, exchange) => base.readNewPet(isArray(body) ? (body[0] ?? null) : body, exchange),
    }),
  },
  'create-accepts-json-in-text': {
    title: 'a JSON string that contains JSON is accepted',
    breaks: stated.refused,
    change: (base) => ({
      readNewPet: (body, exchange) =>
        base.readNewPet(typeof body === 'string' ? (parseJson(body) ?? body) : body, exchange),
    }),
  },
  'create-accepts-empty-body': {
    title: 'an empty body is accepted',
    breaks: stated.refused,
    change: readLeniently((text) => (text.trim() === '' ? '{"name":"","categoryId":0}' : text)),
  },
  'create-accepts-cut-body': {
    title: 'a body without its last brace is accepted',
    breaks: stated.refused,
    change: readLeniently((text) => `${text}}`),
  },
  'create-accepts-trailing-garbage': {
    title: 'whatever follows the JSON is ignored',
    breaks: stated.refused,
    change: readLeniently((text) => text.slice(0, text.indexOf('}') + 1)),
  },
  'create-malformed-500': {
    title: 'a body that is not JSON makes it crash',
    breaks: stated.refused,
    change: refuseWith(500, (body) => body === undefined),
  },
  'create-wrong-type-500': {
    title: 'a field of the wrong type makes it crash',
    breaks: stated.refused,
    change: refuseWith(500, (body) => isObject(body) && !lacksField(body)),
  },
  'create-no-object-500': {
    title: 'a body that is JSON but no object makes it crash',
    breaks: stated.refused,
    change: refuseWith(500, (body) => body !== undefined && !isObject(body)),
  },
  'create-missing-field-422': {
    title: 'a missing field gives 422',
    breaks: stated.refused,
    change: refuseWith(422, lacksField),
  },
  'create-invalid-value-422': {
    title: 'an invalid value gives 422',
    breaks: stated.refused,
    change: refuseWith(422, (body) => isObject(body) && !lacksField(body)),
  },
  'create-missing-field-500': {
    title: 'a missing field makes it crash (NOT NULL)',
    breaks: stated.refused,
    change: refuseWith(500, lacksField),
  },
  'create-invalid-200': {
    title: 'an invalid body is answered with its Error and 200',
    breaks: stated.refused,
    change: changeStatus(isRefused, 200),
  },
  '400-without-body': {
    title: '400 has no body',
    breaks: stated.errorBody,
    change: changeErrors(400, () => undefined),
  },
  '400-html': {
    title: '400 is an HTML page',
    breaks: stated.errorBody,
    change: replaceBody(isRefused, 'text/html', htmlPage),
  },
  '400-says-422': {
    title: 'the status field of a 400 is 422',
    breaks: stated.errorStatus,
    change: changeErrors(400, (error) => ({ ...error, status: 422n })),
  },
  '400-lists-errors': {
    title: 'the body of a 400 is a list of errors by field',
    breaks: stated.errorBody,
    change: changeErrors(400, ({ message }) => ({ errors: [{ field: 'name', message }] })),
  },
  '400-code-number': {
    title: 'code of a 400 is a number',
    breaks: stated.errorFields,
    change: changeErrors(400, (error) => ({ ...error, code: 400n })),
  },
  '400-message-list': {
    title: 'message of a 400 is a list',
    breaks: stated.errorFields,
    change: changeErrors(400, (error) => ({ ...error, message: [error.message ?? ''] })),
  },
  'refused-body-still-stored': {
    title: 'an invalid body is refused, but its pet stays in the collection',
    breaks: stated.refused,
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
