import type { IncomingHttpHeaders, Server, ServerResponse } from 'node:http';
import type { Pet, PetStore, NewPet } from './pets.js';
import type { JsonObject, JsonStyle, JsonValue } from './exact-json.js';
import type { EncodedReply, Refusal, Reply } from './replies.js';

export type OperationId = 'listPets' | 'createPet' | 'getPet';

/** One request, read whole, and what a hook may want to know about its surroundings. */
export interface Exchange {
  readonly method: string;
  /** Below the base path, still percent-encoded: `/pets/12`. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** As it was sent, still percent-encoded. */
  readonly rawQuery: string;
  /** Path and query as they came, with an origin if they had one. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  /** The names of the header fields as they were sent. */
  readonly fieldNames: readonly string[];
  readonly body: Buffer;
  /** The body as it came in, piece by piece. */
  readonly pieces: readonly Buffer[];
  /** `undefined` for a path or method outside the interface. */
  readonly operation: OperationId | undefined;
  /** 1 for the first request that this mutation server saw. */
  readonly number: number;
  /** The same object for every request of one connection. */
  readonly connection: object;
  readonly store: PetStore;
  /** The behaviour as it finally is, with variant and mutants applied. */
  readonly server: Behaviour;
}

type Awaitable<T> = T | Promise<T>;

/** Which pets a list is asked for. */
export interface ListQuery {
  readonly limit: number;
  /** Matches by equality, so a value that no pet has gives an empty list. */
  readonly status: string | undefined;
}

/**
 * Everything a petstore server decides, one decision per member. Hooks never
 * call each other except through `exchange.server`, so each can be replaced alone.
 */
export interface Behaviour {
  apiKey: string;
  limits: { readonly minimum: number; readonly maximum: number; readonly standard: number };
  jsonStyle: JsonStyle;

  /** The collection at the start, oldest first. */
  seed(): Pet[];
  /** Called once, before the first connection. */
  tuneServer(server: Server): void;

  /** Answers instead of the server proper; also the place to wait. */
  intercept(exchange: Exchange): Awaitable<Reply | Refusal | undefined>;
  refuseRoute(exchange: Exchange): Reply | Refusal;
  hasValidKey(exchange: Exchange): boolean;
  refuseKey(exchange: Exchange): Refusal;

  readLimit(texts: readonly string[], exchange: Exchange): number | Refusal;
  readStatusFilter(texts: readonly string[], exchange: Exchange): string | undefined | Refusal;
  inListOrder(store: PetStore, exchange: Exchange): Iterable<Pet>;
  matchesFilter(pet: Pet, status: string | undefined, exchange: Exchange): boolean;
  choosePage(pets: Iterable<Pet>, query: ListQuery, exchange: Exchange): Pet[];

  readPetId(text: string, exchange: Exchange): bigint | Refusal;
  findPet(id: bigint, exchange: Exchange): Pet | undefined;

  parseBody(exchange: Exchange): JsonValue | Refusal;
  readNewPet(body: JsonValue, exchange: Exchange): NewPet | Refusal;
  nextId(store: PetStore, pet: NewPet): bigint;
  createPet(pet: NewPet, exchange: Exchange): Awaitable<Pet>;

  printPet(pet: Pet, exchange: Exchange): JsonObject;
  printError(refusal: Refusal, exchange: Exchange): JsonObject;

  /** The last look at the answer while it is data. */
  shape(reply: Reply, exchange: Exchange): Reply;
  /** The last look while it is bytes. */
  encode(reply: Reply, exchange: Exchange): EncodedReply;
  send(reply: EncodedReply, exchange: Exchange, response: ServerResponse): Awaitable<void>;
}

/** What a variant or a mutant does: the members that differ from the behaviour it is given. */
export type Change = (base: Behaviour) => Partial<Behaviour>;
