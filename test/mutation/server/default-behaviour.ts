import type { ServerResponse } from 'node:http';
import { makeSeedPets, statuses, type Pet, type NewPet } from './pets.js';
import type { Behaviour, Exchange, ListQuery } from './behaviour.js';
import { compactStyle, parseJson, printJson, type JsonObject, type JsonValue } from './exact-json.js';
import { isInt64 } from './integers.js';
import { readNewPet } from './read-new-pet.js';
import { Refusal, type EncodedReply, type Reply } from './replies.js';

/** A strict, legal petstore: what every variant and every mutant is a change of. */
export function makeDefaultBehaviour(apiKey: string): Behaviour {
  return {
    apiKey,
    limits: { minimum: 1, maximum: 100, standard: 20 },
    jsonStyle: compactStyle,
    seed: () => makeSeedPets(),
    tuneServer: () => undefined,
    intercept: () => undefined,
    refuseRoute,
    hasValidKey: (exchange) => readBearerToken(exchange) === exchange.server.apiKey,
    refuseKey: () =>
      new Refusal(401, 'unauthorized', 'The API key is missing or invalid.', { 'www-authenticate': 'Bearer' }),
    readLimit,
    readStatusFilter,
    inListOrder: (store) => store.pets,
    matchesFilter: (pet, status) => status === undefined || pet.status === status,
    choosePage,
    readPetId,
    findPet: (id, { store }) => store.pets.find((pet) => pet.id === id),
    parseBody,
    readNewPet,
    nextId: makeIdSequence(),
    createPet,
    printPet,
    printError: ({ status, code, message }) => ({ code, message, status: BigInt(status) }),
    shape: (reply) => reply,
    encode,
    send,
  };
}

/** The token of `Authorization: Bearer <token>`; the scheme's case is free (RFC 9110 section 11.1). */
export function readBearerToken(exchange: Exchange): string | undefined {
  return /^bearer +(\S+) *$/i.exec(exchange.headers.authorization ?? '')?.[1];
}

function refuseRoute({ method, path }: Exchange): Refusal {
  const allowed = path === '/pets' ? 'GET, HEAD, POST' : 'GET, HEAD';
  if (/^\/pets(\/[^/]+)?$/.test(path)) {
    return new Refusal(405, 'method_not_allowed', `${method} is not offered here.`, { allow: allowed });
  }
  return new Refusal(404, 'not_found', 'There is nothing at this path.');
}

function readLimit(texts: readonly string[], { server }: Exchange): number | Refusal {
  const [text] = texts;
  const { minimum, maximum, standard } = server.limits;
  if (text === undefined) return standard;
  const limit = Number(text);
  const isFine = texts.length === 1 && /^-?\d+$/.test(text) && limit >= minimum && limit <= maximum;
  return isFine ? limit : new Refusal(400, 'invalid_limit', `limit must be an integer from ${minimum} to ${maximum}.`);
}

function readStatusFilter(texts: readonly string[]): string | undefined | Refusal {
  const [text] = texts;
  if (text === undefined) return undefined;
  if (texts.length === 1 && statuses.some((status) => status === text)) return text;
  return new Refusal(400, 'invalid_status', `status must be one of ${statuses.join(', ')}.`);
}

function choosePage(pets: Iterable<Pet>, { limit, status }: ListQuery, exchange: Exchange): Pet[] {
  const page: Pet[] = [];
  for (const pet of pets) {
    if (page.length >= limit) break;
    if (exchange.server.matchesFilter(pet, status, exchange)) page.push(pet);
  }
  return page;
}

function readPetId(text: string): bigint | Refusal {
  const notFound = new Refusal(404, 'not_found', 'There is no such pet.');
  if (!/^-?\d+$/.test(text)) return notFound;
  const id = BigInt(text);
  return isInt64(id) ? id : notFound;
}

function parseBody({ body }: Exchange): JsonValue | Refusal {
  const text = decodeUtf8(body);
  const value = text === undefined ? undefined : parseJson(text);
  return value ?? (value === null ? null : new Refusal(400, 'invalid_body', 'The body is not JSON.'));
}

/** `undefined` when the bytes are not UTF-8. */
function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** One more than the highest id there ever was, as a database counts. */
function makeIdSequence(): Behaviour['nextId'] {
  let last = 0n;
  return ({ pets }) => {
    for (const { id } of pets) if (id > last) last = id;
    last += 1n;
    return last;
  };
}

function createPet(pet: NewPet, { store, server }: Exchange): Pet {
  const created = { ...pet, id: server.nextId(store, pet), createdAt: Date.now() };
  store.pets.push(created);
  return created;
}

function printPet({ id, name, categoryId, status, extra }: Pet): JsonObject {
  return { id, name, categoryId, ...(status === undefined ? {} : { status }), ...extra };
}

function encode({ status, headers, json }: Reply, { server }: Exchange): EncodedReply {
  if (json === undefined) return { status, headers, bytes: Buffer.alloc(0) };
  const bytes = Buffer.from(printJson(json, server.jsonStyle));
  return { status, headers: { 'content-type': 'application/json', ...headers }, bytes };
}

function send({ status, headers, bytes }: EncodedReply, _exchange: Exchange, response: ServerResponse): void {
  const mayHaveBody = status !== 204 && status !== 304;
  const length = mayHaveBody ? { 'content-length': String(bytes.length) } : {};
  response.writeHead(status, { ...length, ...toNodeHeaders(headers) });
  response.end(mayHaveBody ? bytes : undefined);
}

/** Node's types want mutable arrays. */
export function toNodeHeaders(headers: EncodedReply['headers']): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
  );
}
