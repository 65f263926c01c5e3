import type { Fault } from '../mock/faults/faults.js';
import type { DelayRange } from '../mock/world/clock.js';
import type { OwnHandlers } from './own-handlers.js';
import type { DateLike } from './petstore-world.js';
import type { ProfileAnswer } from '../contract/gaps/profile.js';

/** A profile as its file has it, in memory: by gap its answer, alone or with its evidence. */
export interface PetstoreProfile {
  target?: string;
  date?: string;
  contract?: string;
  /**
   * By the id of a gap. See `spec/gaps.yaml` for ids and choices.
   * @example { 'list-order': 'oldest-first', 'name-length-limit': 50 }
   */
  gaps: Readonly<Record<string, ProfileAnswer | Readonly<Record<string, ProfileAnswer>>>>;
}

/** The options of a petstore, all of them optional. */
export interface PetstoreOptions {
  /**
   * The path of another OpenAPI document to serve, or its URL. `startPetstoreMock` fetches it while the process goes
   * on; `createPetstoreApp` waits, so a server of the same process cannot give it. Default: the petstore's own, which
   * ships.
   * @example { spec: 'http://127.0.0.1:8000/openapi.json' }
   */
  spec?: string | undefined;
  /** Whether the document may refer to files outside its folder. Default: `false`. */
  allowOutsideRefs?: boolean | undefined;
  /** Whether references to URLs are fetched, from public addresses only; the process waits. Default: `false`. */
  allowRemoteRefs?: boolean | undefined;
  /** Whether a document at a URL may be at a private address, such as 10.0.0.1. Default: `false`. */
  allowPrivateHosts?: boolean | undefined;
  /** Whether Prism, if installed, is asked for responses that the mock cannot make. Default: `true`. */
  prism?: boolean | undefined;
  /**
   * Handlers that answer operations in place of the mock, by `operationId`. Their answers are validated like any other.
   * Default: none.
   * @example { handlers: { getInventory: ({ collection }) => ({ body: { available: collection('pets').count() } }) } }
   */
  handlers?: OwnHandlers | undefined;
  /** The path of a file that corrects the inferred resources (`spec/resources.schema.json`). Default: none. */
  resources?: string | undefined;
  /** The fixture pack that provides the pets: the name of a shipped one, or a path. Default: `'default'`, 50 pets. */
  fixtures?: string | undefined;
  /** How many pets to generate from the pack. Default: as many as the pack says. */
  count?: number | undefined;
  /** The seed of generated pets: the same one gives the same pets. Default: the pack's own, `1`. */
  seed?: number | undefined;
  /**
   * What to do where the contract is silent: the path of a profile, for example one that `petstore-conformance
   * --write-profile` wrote, or a profile in memory. Gaps that it does not answer have their default. Default: the
   * choices of `spec/gaps.yaml`.
   * @example { profile: { gaps: { 'list-order': 'oldest-first' } } }
   */
  profile?: string | PetstoreProfile | undefined;
  /** The API keys to accept. Default: `'petstore-dev-key'`, which your own keys replace. */
  apiKey?: string | readonly string[] | undefined;
  /**
   * The credentials that a security scheme accepts instead of the API keys, by its name: a key, `user:password`, or
   * several of them. `oauth[orders:read]` adds a token that has these scopes alone. Default: the API keys; a Basic
   * scheme accepts them as user or password.
   * @example { credentials: { basicAuth: 'admin:secret', partnerKey: ['first-key', 'second-key'] } }
   */
  credentials?: Readonly<Record<string, string | readonly string[]>> | undefined;
  /** The largest number of pets in the store; creating one more is answered with 507. Default: 1,000,000. */
  maxPets?: number | undefined;
  /**
   * The delay of each request in milliseconds: a fixed one, or a random one from a range. Default: 0.
   * @example { delay: { from: 100, to: 800 } }
   */
  delay?: number | DelayRange | undefined;
  /** Whether pages of other origins may use the petstore from a browser. Default: `true`. */
  cors?: boolean | undefined;
  /**
   * The faults of every world at its start, which a reset restores. Default: none.
   * @example { faults: [{ operationId: 'listPets', rate: 0.1, effect: { status: 503, retryAfter: 1 } }] }
   */
  faults?: readonly Fault[] | undefined;
  /**
   * The date of every world at its start; its clock runs from there. Default: today.
   * @example { now: '2030-12-05T00:00:00Z' } // the deprecated operation is gone
   */
  now?: DateLike | undefined;
  /** The largest number of worlds at a time; a request for one more is answered with 507. Default: 1,000. */
  maxWorlds?: number | undefined;
  /**
   * The memory for data from clients in MiB, over all worlds: half for pets, snapshots and worlds, beyond which a
   * request is answered with 507; a quarter for journals, which drop their oldest exchanges; a quarter for bodies that
   * are being received, beyond which a request is answered with 503. Default: 1,024, or half of Node's own limit if
   * that is less.
   */
  maxMemory?: number | undefined;
  /**
   * The bearer token that calls of the admin API must send. Default: none; the admin API then answers only on loopback,
   * and not at all in a petstore that is mounted in an app.
   */
  adminToken?: string | undefined;
}

export interface ListeningOptions extends PetstoreOptions {
  /** Whether there is an admin API; beyond loopback it needs an {@link adminToken}. Default: `true`. */
  admin?: boolean | undefined;
  /** The port to listen on; 0 picks a free one. Default: 0. (The program's own default is 4010.) */
  port?: number | undefined;
  /** The address to listen on. Default: `'127.0.0.1'`, which only this machine reaches. */
  host?: string | undefined;
  /** How long `close()` waits for exchanges under way, in seconds, before it cuts them. Default: 5. */
  drain?: number | undefined;
  /**
   * A folder in which everything is kept that clients made: it is there again at the next start, even after a crash.
   * What changed is written before it is answered. Default: none; everything goes with the process.
   */
  data?: string | undefined;
  /** Whether an answer waits until the disk itself has what changed (loss of power). Default: `false`. */
  dataSync?: boolean | undefined;
  /** Whether to go on with what can be read of a damaged folder. Default: `false`. */
  dataRepair?: boolean | undefined;
  /**
   * The URL of an engine that speaks the protocol of Redis: all mocks that name the same one are one mock. It needs the
   * package `ioredis`. `rediss://` encrypts, and `?prefix=` tells several mocks of one engine apart. Default: none; the
   * mock is on its own.
   * @example { shared: 'redis://user:password@redis.internal:6379/0?prefix=team-a' }
   */
  shared?: string | undefined;
}

export const DEFAULT_HOST = '127.0.0.1';

/** The documented key, accepted if no other is given. */
export const DEFAULT_API_KEY = 'petstore-dev-key';

/** How long closing waits for exchanges under way. */
export const DEFAULT_DRAIN_SECONDS = 5;
