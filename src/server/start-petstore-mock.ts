import { prepareSpec } from '../contract/remote/contract-at-url.js';
import { checkOptions, OF_A_SERVER } from '../options/petstore-options.js';
import { createHandles } from './handles/create-handles.js';
import { throughGate } from './handles/through-gate.js';
import { DEFAULT_HOST, type ListeningOptions } from './options.js';
import type { PetstoreWorlds } from './petstore-world.js';
import { openLasting } from './lasting/open-lasting.js';
import { setUp } from './set-up.js';
import { startServer } from './start-server.js';
import { ADMIN_PATH } from './world-names.js';

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
