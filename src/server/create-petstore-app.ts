import type { IncomingMessage, ServerResponse } from 'node:http';
import { checkOptions, type OptionName } from './check-options.js';
import { createHandles, type PetstoreHandles } from './handles.js';
import { createListener } from './listener.js';
import type { PetstoreOptions } from './options.js';
import { setUp } from './set-up.js';

/** A petstore as a function that Node's `http`, Express and Connect call. */
export interface PetstoreApp extends PetstoreHandles {
  /** Answers below the base path. What else is asked for goes to `next`, or without one gets a 404 that says where the API is. */
  (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void): void;
}

const OPTIONS: readonly OptionName[] = [
  'spec',
  'fixtures',
  'count',
  'seed',
  'apiKey',
  'maxPets',
  'delay',
  'cors',
] satisfies (keyof PetstoreOptions)[];

/**
 * A petstore for supertest, for `http.createServer`, or to be mounted in an
 * Express app under any prefix, which keeps what is not the API's to itself. Each
 * call makes a petstore of its own. Throws a `PetstoreMockError` for options or
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
  checkOptions(options, OPTIONS);
  const { world } = setUp(options);
  return Object.assign(createListener(world, { cors: options.cors ?? true }), createHandles(world));
}
