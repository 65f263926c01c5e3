import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';
import { checkOptions, type OptionName } from './check-options.js';
import { createExpressApp } from './express-app.js';
import { createHandles, type PetstoreHandles } from './handles.js';
import type { PetstoreOptions } from './options.js';
import { setUp } from './set-up.js';

/** An Express app that serves a petstore. */
export interface PetstoreApp extends PetstoreHandles {
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
 * A petstore as an Express app, for supertest, for `http.createServer`, or to be
 * mounted in another Express app under any prefix. Each call makes a petstore of
 * its own. Throws a `PetstoreMockError` for options or files that cannot be used.
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
  const app = createExpressApp(world, { cors: options.cors ?? true });
  return Object.assign(app as Express & PetstoreApp, createHandles(world));
}
