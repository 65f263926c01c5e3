import { makeSeedPets, replaceFields, type Pet } from '../server/pets.js';
import type { Change, Exchange, OperationId } from '../server/behaviour.js';
import { isArray, isObject, type JsonObject, type JsonValue } from '../server/exact-json.js';
import { Refusal, type EncodedReply, type HeaderRecord, type Reply } from '../server/replies.js';

/** The ways in which mutants are planted. Each makes a {@link Change} that touches one place and nothing else. */

type ReplyTest = (reply: Reply, exchange: Exchange) => boolean;

export const isSuccess: ReplyTest = ({ status }) => status < 300;
export const isError: ReplyTest = ({ status }) => status >= 400;

/** Answers of one operation with one status. */
export function answers(operation: OperationId, status: number): ReplyTest {
  return (reply, exchange) => exchange.operation === operation && reply.status === status;
}

export function isList(reply: Reply, exchange: Exchange): boolean {
  return exchange.operation === 'listPets' && reply.status === 200;
}

/** Changes how pets look in responses of some operations. */
export function changePets(
  operations: OperationId | readonly OperationId[],
  change: (printed: JsonObject, pet: Pet, exchange: Exchange) => JsonObject,
): Change {
  return (base) => ({
    printPet: (pet, exchange) => {
      const printed = base.printPet(pet, exchange);
      const isMeant = exchange.operation !== undefined && [operations].flat().includes(exchange.operation);
      return isMeant ? change(printed, pet, exchange) : printed;
    },
  });
}

/** {@link changePets} for names that are text. */
export function changeNames(
  operations: OperationId | readonly OperationId[],
  change: (name: string) => JsonValue,
): Change {
  return changePets(operations, (pet) => (typeof pet.name === 'string' ? { ...pet, name: change(pet.name) } : pet));
}

export function changeReply(applies: ReplyTest, change: (reply: Reply, exchange: Exchange) => Reply): Change {
  return (base) => ({
    shape: (reply, exchange) => {
      const shaped = base.shape(reply, exchange);
      return applies(shaped, exchange) ? change(shaped, exchange) : shaped;
    },
  });
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

/** Changes one item of a list, counted from 0; -1 is the last. */
export function changeItem(index: number, change: (pet: JsonObject) => JsonValue): Change {
  return changeList((items) => {
    const item = items.at(index);
    return isObject(item) ? items.with(index, change(item)) : items;
  });
}

/** Changes the body of a success that is one pet. */
export function changeBody(operation: OperationId, change: (body: JsonValue) => JsonValue | undefined): Change {
  return changeReply(
    (reply, exchange) => exchange.operation === operation && isSuccess(reply, exchange),
    (reply) => (reply.json === undefined ? reply : { ...reply, json: change(reply.json) }),
  );
}

/** Changes Error bodies, of one status or of any. */
export function changeErrors(
  status: number | 'any',
  change: (error: JsonObject, reply: Reply) => JsonValue | undefined,
): Change {
  return changeReply(
    (reply) => (status === 'any' ? reply.status >= 400 : reply.status === status),
    (reply) => (isObject(reply.json) ? { ...reply, json: change(reply.json, reply) } : reply),
  );
}

export function changeStatus(applies: ReplyTest, status: number): Change {
  return changeReply(applies, (reply) => ({ ...reply, status }));
}

export function changeHeaders(applies: ReplyTest, headers: HeaderRecord): Change {
  return changeReply(applies, (reply) => ({ ...reply, headers: { ...reply.headers, ...headers } }));
}

export function changeBytes(applies: ReplyTest, change: (bytes: Buffer, exchange: Exchange) => Buffer): Change {
  return (base) => ({
    encode: (reply, exchange) => {
      const encoded = base.encode(reply, exchange);
      return applies(reply, exchange) && encoded.bytes.length > 0
        ? { ...encoded, bytes: change(encoded.bytes, exchange) }
        : encoded;
    },
  });
}

/** Changes the text of a body after it was printed. */
export function changeText(applies: ReplyTest, change: (text: string, exchange: Exchange) => string): Change {
  return changeBytes(applies, (bytes, exchange) => Buffer.from(change(bytes.toString(), exchange)));
}

/** Sends another body of another type; the status stays. */
export function replaceBody(applies: ReplyTest, contentType: string, text: string): Change {
  return (base) => ({
    encode: (reply, exchange): EncodedReply => {
      const encoded = base.encode(reply, exchange);
      if (!applies(reply, exchange)) return encoded;
      const headers = { ...withoutHeader(encoded.headers, 'content-type'), 'content-type': contentType };
      return { ...encoded, headers, bytes: Buffer.from(text) };
    },
  });
}

/** Headers without one of them, whatever its case. */
export function withoutHeader(headers: HeaderRecord, unwanted: string): HeaderRecord {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== unwanted));
}

export const htmlPage = '<!DOCTYPE html><html><head><title>Error</title></head><body><h1>Error</h1></body></html>';

/** Refuses requests that the base would serve. */
export function refuseWhen(test: (exchange: Exchange) => boolean, status: number): Change {
  return (base) => ({
    // Only with a valid key: without one, 401 stays the answer.
    intercept: (exchange) =>
      exchange.operation !== undefined && base.hasValidKey(exchange) && test(exchange)
        ? makeRefusal(status)
        : base.intercept(exchange),
  });
}

export function makeRefusal(status: number): Refusal {
  return new Refusal(status, `error_${status}`, 'The request was not served.');
}

/** A collection of at least `count` pets, for mutants that a small one would hide. */
export function seedAtLeast(count: number): Change {
  return (base) => ({
    seed: () => {
      const pets = base.seed();
      const more = makeSeedPets(Math.max(0, count - pets.length));
      return [...pets, ...replaceFields(more, (_pet, index) => ({ id: 500_000n + BigInt(index) }))];
    },
  });
}

/** The text of a query parameter. */
export function readParameter(exchange: Exchange, name: string): string | undefined {
  return exchange.query.get(name) ?? undefined;
}

/** The nearest value that a double can hold, as JSON.parse would give it. */
export function roundToDouble(value: JsonValue | undefined): JsonValue | undefined {
  return typeof value === 'bigint' ? BigInt(Number(value)) : value;
}
