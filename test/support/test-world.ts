import type { Contract } from '../../src/contract/contract.js';
import type { Int64 } from '../../src/contract/document/json.js';
import type { ApiRequest, ApiResponse } from '../../src/contract/model.js';
import type { Clock } from '../../src/mock/world/clock.js';
import {
  createWorld,
  createWorldFactory,
  createWorlds,
  type WorldOptions,
  type Worlds,
} from '../../src/mock/world/worlds.js';
import { handleRequest } from '../../src/mock/handle-request.js';
import type { Handler, World } from '../../src/mock/world/world.js';
import type { Collection } from '../../src/mock/store/collection.js';
import { findPets, type Fields } from '../../src/mock/store/kept.js';
import { profileWith, shippedContract, shippedGaps } from './shipped.js';

export const KEY = 'test-key';
export const AUTHORIZATION = `Bearer ${KEY}`;

export interface TestWorldOptions {
  pets?: Fields[];
  nextId?: Int64;
  /** How many records every other collection begins with. Default: none. */
  others?: number;
  contract?: Contract;
  /** Choices that differ from the default profile's. */
  choices?: Record<string, string>;
  /** Values and observations of the profile. */
  values?: Record<string, number | string>;
  seen?: Record<string, string[]>;
  maxPets?: number;
  clock?: Clock;
  /** Handlers to put in the place of those that ship. */
  handlers?: Record<string, Handler>;
  /** What answers the operations that have no handler. */
  stateless?: Record<string, Handler>;
  apiKeys?: string[];
}

/** Three pets: Rex is available, Tom is sold, Ida has no status. */
export const threePets: Fields[] = [
  { id: 1, name: 'Rex', categoryId: 1, status: 'available' },
  { id: 2, name: 'Tom', categoryId: 2, status: 'sold' },
  { id: 3, name: 'Ida', categoryId: 3 },
];

export const createTestWorld = (options: TestWorldOptions = {}): World => createWorld(describeWorld(options));

/** Worlds that begin like {@link createTestWorld}, for a server. */
export const createTestWorlds = (options: TestWorldOptions = {}): Worlds =>
  createWorlds({ create: createWorldFactory(describeWorld(options)) });

/** The options of {@link createTestWorld}. */
export function describeWorld(options: TestWorldOptions): WorldOptions {
  return {
    contract: options.contract ?? shippedContract,
    gaps: { asked: [...shippedGaps], known: [...shippedGaps] },
    profile: { ...profileWith(options.choices), values: options.values ?? {}, seen: options.seen ?? {} },
    fixtures: {
      name: 'test',
      seed: 1,
      pets: options.pets ?? threePets,
      nextId: options.nextId,
      others: options.others,
    },
    apiKeys: options.apiKeys ?? [KEY],
    maxPets: options.maxPets,
    clock: options.clock,
    handlers: options.handlers,
    stateless: options.stateless,
  };
}

/** The collection of a world's pets. */
export function petsOf(world: World): Collection {
  const pets = findPets(world.contract);
  if (pets === undefined) throw new Error('the contract keeps no pets');
  return world.collections.open(pets);
}

/** What a request has beside its method and target. */
export type RequestOptions = Omit<Partial<ApiRequest>, 'body'> & { body?: string | Uint8Array };

const encoder = new TextEncoder();

/** A request with a valid key, unless `headers` say otherwise. A body is sent as JSON. */
export function makeRequest(target: string, options: RequestOptions = {}): ApiRequest {
  const [method = '', url = ''] = target.split(' ');
  const [path = '', query = ''] = url.split('?');
  const { body, headers, ...rest } = options;
  const media = body === undefined ? {} : { 'content-type': 'application/json' };
  return {
    method,
    path,
    query,
    mountPath: '',
    headers: { authorization: AUTHORIZATION, ...media, ...headers },
    body: typeof body === 'string' ? encoder.encode(body) : body,
    ...rest,
  };
}

/** What a world answers, with the value of its body at hand. */
export function ask(world: World, target: string, options?: RequestOptions): ApiResponse & { value: unknown } {
  const response = handleRequest(makeRequest(target, options), world);
  return { ...response, value: response.body?.value };
}

/** The status and, of a refusal, the message. */
export function outcome({ status, body }: ApiResponse): string {
  const message = (body?.value as { message?: string } | undefined)?.message;
  return message === undefined ? String(status) : `${status} ${message}`;
}
