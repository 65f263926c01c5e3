import type { IncomingMessage, ServerResponse } from 'node:http';
import { checkOptions, OF_AN_APP } from '../options/petstore-options.js';
import { createHandles } from './handles/create-handles.js';
import { createListener } from './http/listener.js';
import type { PetstoreOptions } from './options.js';
import type { PetstoreWorlds } from './petstore-world.js';
import { setUp } from './set-up.js';

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
