import type { Fault } from '../mock/faults/fault.js';
import type { DelayRange } from '../mock/world/delay-range.js';
import type { DateLike } from './petstore-world.js';
import type { OwnHandlers } from './own-handlers/own-handler.js';
import type { PetstoreProfile } from './choose-profile.js';

/** What a petstore is made of. Every option may be left out. */
export interface PetstoreOptions {
  /**
   * The path of another OpenAPI document to serve.
   * Default: the petstore's own, which ships.
   * @example { spec: './openapi.yaml' }
   */
  spec?: string | undefined;
  /**
   * Whether the document may refer to files outside its folder.
   * Default: `false`.
   * @example { spec: './api/openapi.yaml', allowOutsideRefs: true }
   */
  allowOutsideRefs?: boolean | undefined;
  /**
   * Whether what the document refers to by a URL is fetched, by http or https and from public addresses alone.
   * Everything else waits meanwhile.
   * Default: `false`.
   * @example { spec: './openapi.yaml', allowRemoteRefs: true }
   */
  allowRemoteRefs?: boolean | undefined;
  /**
   * Whether Prism answers what keeps no state, where it is installed. Without it the mock itself answers from the
   * examples and schemas of the document.
   * Default: `true`.
   * @example { spec: './openapi.yaml', prism: false }
   */
  prism?: boolean | undefined;
  /**
   * What answers operations in place of the mock, by `operationId`. Answers are held to the contract as any other.
   * Default: none.
   * @example { handlers: { getInventory: ({ collection }) => ({ body: { available: collection('pets').count() } }) } }
   */
  handlers?: OwnHandlers | undefined;
  /**
   * The path of a file that corrects what is inferred of the document's resources (`spec/resources.schema.json`).
   * Default: none, all is inferred.
   * @example { spec: './openapi.yaml', resources: './resources.yaml' }
   */
  resources?: string | undefined;
  /**
   * The fixture pack that the pets come from: the name of one that ships, or a path.
   * Default: `'default'`, 50 pets.
   * @example { fixtures: 'empty' }
   */
  fixtures?: string | undefined;
  /**
   * How many pets to generate from the pack.
   * Default: as many as the pack says.
   * @example { count: 500 }
   */
  count?: number | undefined;
  /**
   * The seed of generated pets: the same one gives the same pets.
   * Default: the pack's own, `1`.
   * @example { seed: 7 }
   */
  seed?: number | undefined;
  /**
   * What to do where the contract is silent: the path of a profile, such as one
   * that `petstore-conformance --write-profile` wrote, or one in memory. What it
   * does not know is as by default.
   * Default: the choices of `spec/gaps.yaml`.
   * @example { profile: { gaps: { 'list-order': 'oldest-first' } } }
   */
  profile?: string | PetstoreProfile | undefined;
  /**
   * The API keys to accept.
   * Default: `'petstore-dev-key'`, which is not accepted beside a key of your own.
   * @example { apiKey: ['first-key', 'second-key'] }
   */
  apiKey?: string | readonly string[] | undefined;
  /**
   * What a security scheme of the contract accepts in place of the API keys, by its name: a key, `user:password`, or
   * several of them.
   * Default: the API keys, which a Basic scheme accepts as the user or as the password.
   * @example { credentials: { basicAuth: 'admin:secret', partnerKey: ['first-key', 'second-key'] } }
   */
  credentials?: Readonly<Record<string, string | readonly string[]>> | undefined;
  /**
   * The most pets that the store takes; a create past it is answered with 507.
   * Default: 1,000,000.
   * @example { maxPets: 60 }
   */
  maxPets?: number | undefined;
  /**
   * How long each request is held back, in milliseconds: always the same, or anew from a range.
   * Default: 0.
   * @example { delay: { from: 100, to: 800 } }
   */
  delay?: number | DelayRange | undefined;
  /**
   * Whether pages of other origins may use the petstore from a browser.
   * Default: `true`.
   * @example { cors: false }
   */
  cors?: boolean | undefined;
  /**
   * Faults that every world begins with, and goes back to when it is reset.
   * Default: none.
   * @example { faults: [{ operationId: 'listPets', rate: 0.1, effect: { status: 503, retryAfter: 1 } }] }
   */
  faults?: readonly Fault[] | undefined;
  /**
   * The date that the clock of every world begins with; it runs on from there.
   * Default: today.
   * @example { now: '2030-12-05T00:00:00Z' } // the deprecated operation is gone
   */
  now?: DateLike | undefined;
  /**
   * The most worlds at a time, the default one included; a request for one more is answered with 507.
   * Default: 1,000.
   * @example { maxWorlds: 8 }
   */
  maxWorlds?: number | undefined;
  /**
   * How much is kept of what clients send, in MiB, over all worlds: half of it for pets, snapshots and worlds, past which
   * a request is answered with 507; a quarter for journals, whose oldest exchanges go first; a quarter for bodies on
   * their way in, past which one is answered with 503.
   * Default: 1,024, or half of Node's own limit where that is less.
   * @example { maxMemory: 256 }
   */
  maxMemory?: number | undefined;
  /**
   * What calls of the admin API have to send as their bearer token.
   * Default: none; then it answers on loopback alone, and not at all where the petstore is mounted in an app.
   * @example { adminToken: process.env.PETSTORE_MOCK_ADMIN_TOKEN }
   */
  adminToken?: string | undefined;
}

/** {@link PetstoreOptions}, and where to listen. */
export interface ListeningOptions extends PetstoreOptions {
  /**
   * Whether there is an admin API. On a host that other machines reach it needs an {@link adminToken} too.
   * Default: `true`.
   * @example { admin: false }
   */
  admin?: boolean | undefined;
  /**
   * The port to listen on; 0 takes a free one.
   * Default: 0. (The program's own default is 4010.)
   * @example { port: 4010 }
   */
  port?: number | undefined;
  /**
   * The address to listen on.
   * Default: `'127.0.0.1'`, which only this machine reaches.
   * @example { host: '0.0.0.0' }
   */
  host?: string | undefined;
  /**
   * How long `close()` waits for exchanges under way, in seconds, before it cuts them.
   * Default: 5.
   * @example { drain: 0 }
   */
  drain?: number | undefined;
}

export const DEFAULT_HOST = '127.0.0.1';

/** The documented key, accepted when no other is given. */
export const DEFAULT_API_KEY = 'petstore-dev-key';

/** How long the end waits for exchanges under way. */
export const DEFAULT_DRAIN_SECONDS = 5;
