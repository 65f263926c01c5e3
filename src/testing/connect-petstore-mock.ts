import { PetstoreMockError } from '../errors.js';
import { DEFAULT_WORLD } from '../mock/persistence/changes.js';
import type { NamedWorld, PetstoreWorlds } from '../server/petstore-world.js';
import { findNameProblem } from '../mock/world/worlds.js';
import { WORLD_HEADER, worldPath } from '../server/world-names.js';
import { createAdminClient, notAnAdminApi, type AdminClient } from './admin-client.js';
import { suggest } from '../suggest.js';
import { createRemoteWorld } from './remote-world.js';

export interface ConnectedMock extends PetstoreWorlds, AsyncDisposable {
  /** Where its admin API is: `http://127.0.0.1:4010/__admin`. */
  readonly adminUrl: string;
  /** Disconnects. The mock keeps running; whoever started it stops it. */
  close(): Promise<void>;
}

export interface ConnectOptions {
  /**
   * The token that the mock requires if it listens beyond this machine (its `PETSTORE_MOCK_ADMIN_TOKEN`).
   * Default: none.
   */
  token?: string | undefined;
}

/**
 * Drives a petstore-mock that already runs, in another process or on another machine, through its admin URL, with the
 * methods of `startPetstoreMock`. Rejects with `target-unreachable` if none answers there.
 *
 * @example
 * const mock = await connectPetstoreMock('http://127.0.0.1:4010/__admin');
 * const world = mock.world('checkout');
 * await world.faults.add({ operationId: 'createPet', times: 1, effect: { status: 500 } });
 */
export async function connectPetstoreMock(adminUrl: string, options: ConnectOptions = {}): Promise<ConnectedMock> {
  const unknown = Object.keys(options).find((name) => name !== 'token');
  if (unknown !== undefined)
    throw new PetstoreMockError('bad-option', `there is no option ${unknown}${suggest(unknown, ['token'])}`);
  const base = readAdminUrl(adminUrl);
  const client = createAdminClient({ adminUrl: base, token: options.token });
  // A first call at once, so that a wrong address or token fails here and not later.
  const found = await client.find<{ path?: unknown }>({ path: `/worlds/${DEFAULT_WORLD}` });
  const path = found.found ? found.answer?.path : undefined;
  if (typeof path !== 'string') throw notAnAdminApi(base, found.found ? 200 : 404);
  const apiUrl = new URL(path, base).href;
  const close = async (): Promise<void> => {};
  return {
    ...createRemoteWorld(client, { name: DEFAULT_WORLD, url: apiUrl }),
    adminUrl: base,
    world: (name) => createNamedRemoteWorld(client, { name, apiUrl }),
    worlds: async () => (await client.ask<{ worlds: string[] }>({ path: '/worlds' })).worlds,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function createNamedRemoteWorld(client: AdminClient, { name, apiUrl }: { name: string; apiUrl: string }): NamedWorld {
  const problem = findNameProblem(name);
  if (problem !== undefined) throw new PetstoreMockError('bad-world', `${problem}.`);
  const { origin, pathname } = new URL(apiUrl);
  return {
    ...createRemoteWorld(client, { name, url: `${origin}${worldPath(name, pathname)}` }),
    headers: { [WORLD_HEADER]: name },
    drop: () => client.ask({ method: 'DELETE', path: `/worlds/${encodeURIComponent(name)}` }),
  };
}

function readAdminUrl(adminUrl: string): string {
  if (URL.canParse(adminUrl) && /^https?:/.test(adminUrl)) return adminUrl.replace(/\/+$/, '');
  throw new PetstoreMockError(
    'bad-option',
    `${adminUrl} is not a URL; an admin URL looks like http://127.0.0.1:4010/__admin.`,
  );
}
