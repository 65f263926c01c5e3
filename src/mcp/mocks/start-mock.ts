import { checkOptions, OF_A_SERVER } from '../../options/petstore-options.js';
import { listShippedPacks } from '../../mock/fixtures/load-fixtures.js';
import { createHandles } from '../../server/handles/create-handles.js';
import { DEFAULT_API_KEY, DEFAULT_HOST, type ListeningOptions } from '../../server/options.js';
import { setUp } from '../../server/set-up.js';
import { startServer } from '../../server/start-server.js';
import { ADMIN_PATH } from '../../server/world-names.js';
import type { ReachedMock } from './mocks.js';
import { ownFile } from './own-files.js';

const { spec, resources, fixtures, profile, count, seed, port, delay, now, faults, maxPets } = OF_A_SERVER;

/** The options with which a call may start a mock: none loads code, and none opens it to other machines. */
const RULES = { spec, resources, fixtures, profile, count, seed, port, delay, now, faults, maxPets };

type Startable = Pick<ListeningOptions, keyof typeof RULES>;

/** Starts a mock in this process, on loopback. Throws a `PetstoreMockError` for unusable options or files. */
export async function startMock(given: Readonly<Record<string, unknown>>, folder: string): Promise<ReachedMock> {
  const options = locate(given, folder);
  checkOptions(options, RULES);
  const { worlds, contract } = setUp(options);
  const server = await startServer(worlds, { host: DEFAULT_HOST, port: options.port ?? 0, cors: true });
  return {
    handles: createHandles(worlds, server.origin),
    contract,
    enter: (name) => {
      const entry = worlds.enter(name);
      return 'world' in entry ? entry.world : undefined;
    },
    adminUrl: `${server.origin}${ADMIN_PATH}`,
    spec: options.spec,
    apiKey: DEFAULT_API_KEY,
    close: () => server.close(0),
  };
}

/** The same with files of the folder alone. */
function locate(options: Startable, folder: string): Startable {
  const at = (path: unknown): string | undefined => (typeof path === 'string' ? ownFile(path, folder) : undefined);
  const { fixtures: pack, profile: choices } = options;
  const isShipped = typeof pack !== 'string' || listShippedPacks().includes(pack);
  const files = { spec: at(options.spec), resources: at(options.resources) };
  return {
    ...options,
    ...(files.spec === undefined ? {} : { spec: files.spec }),
    ...(files.resources === undefined ? {} : { resources: files.resources }),
    ...(isShipped ? {} : { fixtures: at(pack) }),
    ...(typeof choices === 'string' ? { profile: at(choices) } : {}),
  };
}
