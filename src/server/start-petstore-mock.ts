import { prepareSpec } from '../contract/contract.js';
import { checkOptions, OF_A_SERVER, OF_AN_APP } from '../options/petstore-options.js';
import { createHandles, throughGate } from './handles/create-handles.js';
import { DEFAULT_HOST, type ListeningOptions, type PetstoreOptions } from './options.js';
import type { PetstoreWorlds } from './petstore-world.js';
import { openLasting } from './lasting/open-lasting.js';
import { setUp } from './set-up.js';
import { ADMIN_PATH } from './world-names.js';
import { reportUnreadable } from '../mock/response/outgoing.js';
import type { Worlds } from '../mock/world/worlds.js';
import { isLoopbackHost } from './admin/guard.js';
import { listen, type Listening, type ListenOptions, createListener, type Listener } from './http/listen.js';
import type { ServingOptions } from './http/middleware.js';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A petstore on a port of its own. */
export interface PetstoreMock extends PetstoreWorlds, AsyncDisposable {
  /** Where the admin API is: `http://127.0.0.1:49152/__admin`. */
  readonly adminUrl: string;
  /** Waits for exchanges under way, for at most `drain` seconds, then frees the port. Calling it twice does no harm. */
  close(): Promise<void>;
}

/**
 * Starts a petstore on a free port and resolves once it answers. Rejects with a
 * `PetstoreMockError` for unusable options or files, and for a port in use.
 *
 * @example
 * const mock = await startPetstoreMock({ fixtures: 'empty' });
 * await mock.pets.add({ name: 'Rex', categoryId: 1 });
 * await fetch(`${mock.url}/pets`, { headers: { Authorization: 'Bearer petstore-dev-key' } });
 * await mock.close();
 */
export async function startPetstoreMock(options: ListeningOptions = {}): Promise<PetstoreMock> {
  checkOptions(options, OF_A_SERVER);
  const lasting = await openLasting(options);
  const spec = await prepareSpec(options);
  const { worlds } = setUp({ ...options, spec, tracking: lasting?.tracking });
  await lasting?.attach(worlds);
  const server = await startServer(worlds, {
    host: options.host ?? DEFAULT_HOST,
    port: options.port ?? 0,
    cors: options.cors ?? true,
    admin: options.admin ?? true,
    adminToken: options.adminToken,
  });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= server.close(options.drain).then(() => lasting?.close()));
  return {
    ...throughGate(createHandles(worlds, server.origin), worlds.gate),
    adminUrl: `${server.origin}${ADMIN_PATH}`,
    close,
    [Symbol.asyncDispose]: close,
  };
}

export interface ServerOptions
  extends Pick<ServingOptions, 'cors' | 'news' | 'openTools'>, Pick<ListenOptions, 'patience'> {
  host: string;
  port: number;
  /** Default: `true`. */
  admin?: boolean | undefined;
  /** Default: none; the admin API then answers only on loopback. */
  adminToken?: string | undefined;
}

/** Worlds on a port. */
export interface Serving extends Listening {
  /** Replaces the worlds. Exchanges under way end in the worlds in which they began. */
  serve(worlds: Worlds): void;
}

/** Serves worlds on a port. */
export async function startServer(first: Worlds, options: ServerOptions): Promise<Serving> {
  const { cors, admin = true, adminToken, host, news, openTools } = options;
  const access = { enabled: admin, token: adminToken, loopback: isLoopbackHost(host) };
  const listenFor = (worlds: Worlds): Listener => createListener(worlds, { cors, admin: access, news, openTools });
  let worlds = first;
  let listener = listenFor(first);
  const listening = await listen((request, response) => listener(request, response), {
    ...options,
    onUnreadable: (refusal, request) => reportUnreadable(refusal, request ?? {}, worlds.default),
  });
  const serve = (others: Worlds): void => {
    worlds = others;
    listener = listenFor(others);
  };
  return Object.assign(listening, { serve });
}

/** A petstore as a function that Node's `http`, Express and Connect call. */
export interface PetstoreApp extends PetstoreWorlds {
  /** Answers below the base path. Other requests go to `next`; without one they get a 404 that says where the API is. */
  (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void): void;
}

/**
 * A petstore for supertest, for `http.createServer`, or to be mounted in an
 * Express app under any prefix; the app then serves everything outside the API. Each
 * call creates a new petstore. Throws a `PetstoreMockError` for options or
 * files that cannot be used.
 *
 * @example
 * const petstore = createPetstoreApp();
 * await request(petstore).get('/v1/pets').set('Authorization', 'Bearer petstore-dev-key').expect(200);
 *
 * @example
 * express().use('/api', createPetstoreApp({ fixtures: 'empty' })); // answers at /api/v1/pets
 */
export function createPetstoreApp(options: PetstoreOptions = {}): PetstoreApp {
  checkOptions(options, OF_AN_APP);
  const { worlds } = setUp(options);
  // The mock cannot know who can reach the app in which it is mounted.
  const admin =
    options.adminToken === undefined ? undefined : { enabled: true, token: options.adminToken, loopback: false };
  const listener = createListener(worlds, { cors: options.cors ?? true, admin });
  // A function's own `name` is read-only.
  return Object.defineProperties(listener, describeProperties(createHandles(worlds, ''))) as PetstoreApp;
}

function describeProperties(handles: PetstoreWorlds): PropertyDescriptorMap {
  const entries = Object.entries(handles).map(([name, value]) => [name, { value: value as unknown, enumerable: true }]);
  return Object.fromEntries(entries) as PropertyDescriptorMap;
}
