import { checkOptions, type OptionName } from './check-options.js';
import { createHandles, type PetstoreHandles } from './handles.js';
import { DEFAULT_HOST, type ListeningOptions } from './options.js';
import { setUp } from './set-up.js';
import { startServer } from './start-server.js';

/** A petstore on a port of its own. */
export interface PetstoreMock extends PetstoreHandles, AsyncDisposable {
  /** Where the API is, with the contract's base path: `http://127.0.0.1:49152/v1`. */
  readonly url: string;
  /** Stops: lets exchanges under way end, then frees the port. To call it twice does no harm. */
  close(): Promise<void>;
}

const OPTIONS: readonly OptionName[] = [
  'port',
  'host',
  'spec',
  'fixtures',
  'count',
  'seed',
  'apiKey',
  'maxPets',
  'delay',
  'cors',
] satisfies (keyof ListeningOptions)[];

/**
 * Starts a petstore on a free port and resolves once it answers. Rejects with a
 * `PetstoreMockError` for options or files that cannot be used, and for a port that is taken.
 *
 * @example
 * const mock = await startPetstoreMock({ fixtures: 'empty' });
 * await mock.pets.add({ name: 'Rex', categoryId: 1 });
 * await fetch(`${mock.url}/pets`, { headers: { Authorization: 'Bearer petstore-dev-key' } });
 * await mock.close();
 */
export async function startPetstoreMock(options: ListeningOptions = {}): Promise<PetstoreMock> {
  checkOptions(options, OPTIONS);
  const { world, contract } = setUp(options);
  const server = await startServer(world, {
    host: options.host ?? DEFAULT_HOST,
    port: options.port ?? 0,
    cors: options.cors ?? true,
  });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= server.close());
  return {
    ...createHandles(world),
    url: `${server.origin}${contract.basePath}`,
    close,
    [Symbol.asyncDispose]: close,
  };
}
