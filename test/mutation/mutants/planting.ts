import { makeSeedPets, replaceFields, type Pet } from '../server/pets.js';
import type { Behaviour, Change, Exchange, OperationId } from '../server/behaviour.js';
import { readBearerToken } from '../server/default-behaviour.js';
import { isArray, isObject, type JsonObject, type JsonValue } from '../server/exact-json.js';
import { Refusal, type HeaderRecord, type Reply } from '../server/replies.js';

/** The ways in which mutants are planted. Each makes a {@link Change} that touches one place and nothing else. */

export type Test = (exchange: Exchange) => boolean;
type ReplyTest = (reply: Reply, exchange: Exchange) => boolean;
type Hook = Exclude<keyof Behaviour, 'apiKey' | 'limits' | 'jsonStyle'>;
type Asked<Name extends Hook> = Parameters<Behaviour[Name]>;
type Given<Name extends Hook> = ReturnType<Behaviour[Name]>;

type Member<Name extends Hook> = (...asked: Asked<Name>) => Given<Name>;

function replaceMember<Name extends Hook>(name: Name, make: (own: Member<Name>) => Member<Name>): Change {
  return (base) => ({ [name]: make(base[name] as Member<Name>) });
}

/** Changes what a member of the behaviour gives: the change is told that, then what the member is asked. */
export function adjust<Name extends Hook>(
  name: Name,
  change: (given: Given<Name>, ...asked: Asked<Name>) => Given<Name>,
): Change {
  return replaceMember(
    name,
    (own) =>
      (...asked) =>
        change(own(...asked), ...asked),
  );
}

/** Changes the first of what a member is asked, such as the pet that is to be created. */
export function feed<Name extends Hook>(name: Name, change: (...asked: Asked<Name>) => Asked<Name>[0]): Change {
  return replaceMember(
    name,
    (own) =>
      (...asked) =>
        own(...([change(...asked), ...asked.slice(1)] as Asked<Name>)),
  );
}

/** Gives something else than a member would, unless that is `undefined`. */
export function instead<Name extends Hook>(
  name: Name,
  give: (...asked: Asked<Name>) => Given<Name> | undefined,
): Change {
  return replaceMember(
    name,
    (own) =>
      (...asked) =>
        give(...asked) ?? own(...asked),
  );
}

/** Several changes, the first of them planted first. */
export function all(...changes: Change[]): Change {
  return (base) => Object.assign({}, ...changes.map((change) => change(base))) as Partial<Behaviour>;
}

export const always = () => true;
export const gone = () => undefined;

export const isSuccess: ReplyTest = ({ status }) => status < 300;
export const isError: ReplyTest = ({ status }) => status >= 400;

export function hasStatus(wanted: number): ReplyTest {
  return ({ status }) => status === wanted;
}

/** Answers of one operation with one status. */
export function answers(operation: OperationId, status: number): ReplyTest {
  return (reply, exchange) => exchange.operation === operation && reply.status === status;
}

export const isList = answers('listPets', 200);

/** Changes how pets look in responses of some operations. */
export function changePets(
  operations: OperationId | readonly OperationId[],
  change: (printed: JsonObject, pet: Pet, exchange: Exchange) => JsonObject,
): Change {
  return adjust('printPet', (printed, pet, exchange) => {
    const isMeant = exchange.operation !== undefined && [operations].flat().includes(exchange.operation);
    return isMeant ? change(printed, pet, exchange) : printed;
  });
}

type Make<Value> = (value: Value, pet: Pet, exchange: Exchange) => JsonValue | undefined;

/** Changes one field of pets in responses of some operations, where it is of its kind: `fieldsIn('getPet').id(gone)`. */
export function fieldsIn(...operations: OperationId[]) {
  const changing =
    <Value extends JsonValue | undefined>(field: string, ...kinds: string[]) =>
    (make: Make<Value>): Change =>
      changePets(operations, (printed, pet, exchange) => {
        const value = printed[field] as Value;
        return kinds.includes(typeof value) ? { ...printed, [field]: make(value, pet, exchange) } : printed;
      });
  return {
    id: changing<bigint>('id', 'bigint'),
    name: changing<string>('name', 'string'),
    categoryId: changing<bigint>('categoryId', 'bigint'),
    status: changing<string | undefined>('status', 'string', 'undefined'),
  };
}

export const listed = fieldsIn('listPets');
export const created = fieldsIn('createPet');
export const fetched = fieldsIn('getPet');
/** Where a client reads what was stored, and where it reads anything. */
export const afterwards = fieldsIn('listPets', 'getPet');
export const everywhere = fieldsIn('listPets', 'createPet', 'getPet');

/** Changes names in responses of some operations. */
export function changeNames(operations: OperationId | OperationId[], change: (name: string) => JsonValue): Change {
  return fieldsIn(...[operations].flat()).name(change);
}

/** Changes a reply, or replaces some of it. */
export function changeReply(
  applies: ReplyTest,
  change: Partial<Reply> | ((reply: Reply, exchange: Exchange) => Reply),
): Change {
  const make = typeof change === 'function' ? change : (reply: Reply) => ({ ...reply, ...change });
  return adjust('shape', (reply, _, exchange) => (applies(reply, exchange) ? make(reply, exchange) : reply));
}

/** Changes the array of a list; `undefined` leaves no body. */
export function changeList(
  change: (items: readonly JsonValue[], exchange: Exchange) => JsonValue | undefined,
  applies: ReplyTest = isList,
): Change {
  return changeReply(applies, (reply, exchange) =>
    isArray(reply.json) ? { ...reply, json: change(reply.json, exchange) } : reply,
  );
}

/** Changes each item of a list that is an object. */
export function changeItems(
  change: (pet: JsonObject, index: number, items: readonly JsonValue[]) => JsonValue,
): Change {
  return changeList((items) => items.map((item, index) => (isObject(item) ? change(item, index, items) : item)));
}

/** Changes one item of a list, counted from 0; -1 is the last. */
export function changeItem(index: number, change: (pet: JsonObject) => JsonValue): Change {
  return changeItems((pet, at, items) => (at === (index < 0 ? items.length + index : index) ? change(pet) : pet));
}

/** Changes the body of a success that is one pet. */
export function changeBody(operation: OperationId, change: (body: JsonValue) => JsonValue | undefined): Change {
  return changeReply(
    (reply, exchange) => exchange.operation === operation && isSuccess(reply, exchange),
    (reply) => (reply.json === undefined ? reply : { ...reply, json: change(reply.json) }),
  );
}

/** Changes Error bodies, of one status or of any, or replaces some of their fields. */
export function changeErrors(
  status: number | 'any',
  change: JsonObject | ((error: JsonObject, reply: Reply) => JsonValue | undefined),
): Change {
  const make = typeof change === 'function' ? change : (error: JsonObject) => ({ ...error, ...change });
  return changeReply(status === 'any' ? isError : hasStatus(status), (reply) =>
    isObject(reply.json) ? { ...reply, json: make(reply.json, reply) } : reply,
  );
}

export function changeStatus(applies: ReplyTest, status: number): Change {
  return changeReply(applies, { status });
}

export function changeHeaders(applies: ReplyTest, headers: HeaderRecord): Change {
  return changeReply(applies, (reply) => ({ ...reply, headers: { ...reply.headers, ...headers } }));
}

export function labelAs(applies: ReplyTest, contentType: string): Change {
  return changeHeaders(applies, { 'content-type': contentType });
}

export function changeBytes(applies: ReplyTest, change: (bytes: Buffer, exchange: Exchange) => Buffer): Change {
  return adjust('encode', (encoded, reply, exchange) =>
    applies(reply, exchange) && encoded.bytes.length > 0
      ? { ...encoded, bytes: change(encoded.bytes, exchange) }
      : encoded,
  );
}

/** Changes the text of a body after it was printed. */
export function changeText(applies: ReplyTest, change: (text: string) => string): Change {
  return changeBytes(applies, (bytes) => Buffer.from(change(bytes.toString())));
}

/** Sends another body of another type; the status stays. */
export function replaceBody(applies: ReplyTest, contentType: string, text: string): Change {
  return adjust('encode', (encoded, reply, exchange) => {
    if (!applies(reply, exchange)) return encoded;
    const headers = { ...withoutHeader(encoded.headers, 'content-type'), 'content-type': contentType };
    return { ...encoded, headers, bytes: Buffer.from(text) };
  });
}

/** Headers without one of them, whatever its case. */
export function withoutHeader(headers: HeaderRecord, unwanted: string): HeaderRecord {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== unwanted));
}

const htmlPage = '<!DOCTYPE html><html><head><title>Error</title></head><body><h1>Error</h1></body></html>';

/** Sends a page in place of what was asked for. */
export function sendPage(applies: ReplyTest, contentType = 'text/html'): Change {
  return replaceBody(applies, contentType, htmlPage);
}

/** Refuses requests that the base would serve; only with a valid key: without one, 401 stays the answer. */
export function refuseWhen(status: number, test: Test): Change {
  return (base) => ({
    intercept: (exchange) =>
      exchange.operation !== undefined && base.hasValidKey(exchange) && test(exchange)
        ? makeRefusal(status)
        : base.intercept(exchange),
  });
}

export function makeRefusal(status: number): Refusal {
  return new Refusal(status, `error_${status}`, 'The request was not served.');
}

/** Lets requests through that the base would refuse for their key. */
export function acceptWhen(test: (exchange: Exchange, token: string | undefined) => boolean): Change {
  return adjust('hasValidKey', (isValid, exchange) => isValid || test(exchange, readBearerToken(exchange)));
}

/** A collection of at least `count` pets, for mutants that a small one would hide. */
export function seedAtLeast(count: number): Change {
  return adjust('seed', (pets) => {
    const more = makeSeedPets(Math.max(0, count - pets.length));
    return [...pets, ...replaceFields(more, (_pet, index) => ({ id: 500_000n + BigInt(index) }))];
  });
}

/** The text of a query parameter. */
export function readParameter(exchange: Exchange, name: string): string | undefined {
  return exchange.query.get(name) ?? undefined;
}

/** The nearest value that a double can hold, as JSON.parse would give it. */
export function roundToDouble(value: bigint): bigint {
  return BigInt(Number(value));
}
