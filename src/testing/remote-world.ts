import type { DeprecatedCaller } from '../mock/world/journal.js';
import type { PlantedFault } from '../mock/faults/faults.js';
import type { DelayRange } from '../mock/world/clock.js';
import { answerBy, toTime, toDelay } from '../server/handles/create-handles.js';
import { checkFilter, checkThreshold } from '../server/handles/requests.js';
import type {
  CoverageReport,
  Exchange,
  Faults,
  Pet,
  Pets,
  PetstoreWorld,
  Profiles,
  Requests,
  Snapshots,
  WorldProfile,
  CollectionFacts,
  DateLike,
  WorldClock,
  WorldDelay,
  CollectionOptions,
  Records,
} from '../server/petstore-world.js';
import type { AdminClient } from './admin-client.js';

export function createRemoteWorld(client: AdminClient, { name, url }: { name: string; url: string }): PetstoreWorld {
  const inWorld: AdminClient = {
    ask: (request) => client.ask({ world: name, ...request }),
    find: (request) => client.find({ world: name, ...request }),
  };
  const { ask } = inWorld;
  const faults = createRemoteFaults(inWorld);
  return {
    name,
    url,
    pets: createRemotePets(inWorld),
    collection: (collection, options) => createRemoteRecords(inWorld, collection, options),
    collections: async () => (await ask<{ collections: CollectionFacts[] }>({ path: '/collections' })).collections,
    requests: createRemoteRequests(inWorld),
    faults,
    answer: answerBy(faults),
    delay: createRemoteDelay(inWorld),
    clock: createRemoteClock(inWorld),
    snapshots: createRemoteSnapshots(inWorld),
    profile: createRemoteProfile(inWorld),
    useFixtures: (fixtures, options) => ask({ method: 'POST', path: '/fixtures/use', body: { ...options, fixtures } }),
    reset: () => ask({ method: 'POST', path: '/reset' }),
    violations: async () => (await ask<{ exchanges: Exchange[] }>({ path: '/violations' })).exchanges,
    assertNoViolations: async ({ allow = [] } = {}) =>
      ask({ method: 'POST', path: '/violations/assert', body: { allow: [allow].flat().map(checkFilter) } }),
    async coverage({ threshold, allWorlds } = {}) {
      const report = await ask<CoverageReport>({ path: '/coverage', query: { allWorlds } });
      checkThreshold(report, threshold);
      return report;
    },
    deprecatedCallers: () => ask<DeprecatedCaller[]>({ path: '/deprecated-callers' }),
  };
}

function createRemotePets({ ask, find }: AdminClient): Pets {
  const path = '/pets';
  return {
    list: ({ status } = {}) => ask<Pet[]>({ path, query: { status } }),
    async get(id) {
      const found = await find<Pet>({ path: `${path}/${id}` });
      return found.found ? found.answer : undefined;
    },
    add: (pet) => ask<Pet>({ method: 'POST', path, body: pet, invalid: 'bad-pet' }),
    replace: (pets) => ask<Pet[]>({ method: 'PUT', path, body: pets, invalid: 'bad-pet' }),
    clear: () => ask({ method: 'DELETE', path }),
    count: async () => (await ask<{ count: number }>({ path: `${path}/count` })).count,
  };
}

function createRemoteRequests({ ask }: AdminClient): Requests {
  const path = '/requests';
  // Filters are checked here, with the same messages, for what the mock would reject.
  return {
    list: async (filter = {}) => ask<Exchange[]>({ path, query: { ...checkFilter(filter) } }),
    count: async (filter = {}) =>
      (await ask<{ count: number }>({ path: `${path}/count`, query: { ...checkFilter(filter) } })).count,
    waitFor: async (filter = {}, { count, timeout, signal } = {}) =>
      ask<Exchange[]>({ path: `${path}/wait`, query: { ...checkFilter(filter), count, timeout }, signal }),
    clear: () => ask({ method: 'DELETE', path }),
  };
}

function createRemoteFaults({ ask, find }: AdminClient): Faults {
  const path = '/faults';
  const remove: Faults['remove'] = async (id) =>
    (await find({ method: 'DELETE', path: `${path}/${encodeURIComponent(id)}` })).found;
  return {
    async add(fault) {
      const planted = await ask<PlantedFault>({ method: 'POST', path, body: fault, invalid: 'bad-fault' });
      return {
        ...planted,
        async remove() {
          await remove(planted.id);
        },
      };
    },
    list: () => ask<PlantedFault[]>({ path }),
    remove,
    clear: () => ask({ method: 'DELETE', path }),
  };
}

function createRemoteDelay({ ask }: AdminClient): WorldDelay {
  const path = '/delay';
  return {
    get: () => ask<DelayRange>({ path }),
    set: async (delay) => ask<DelayRange>({ method: 'PUT', path, body: toDelay(delay) }),
    reset: () => ask<DelayRange>({ method: 'DELETE', path }),
  };
}

function createRemoteClock({ ask }: AdminClient): WorldClock {
  const send = async (method: string, path: string, body?: object): Promise<Date> =>
    new Date((await ask<{ now: string }>({ method, path, body, invalid: 'bad-date' })).now);
  const print = (date: DateLike): string => new Date(toTime(date)).toISOString();
  return {
    now: () => send('GET', '/clock'),
    isFrozen: async () => (await ask<{ frozen: boolean }>({ path: '/clock' })).frozen,
    set: async (date) => send('POST', '/clock/set', { date: print(date) }),
    advance: (ms) => send('POST', '/clock/advance', { ms }),
    freeze: async (date) => send('POST', '/clock/freeze', date === undefined ? {} : { date: print(date) }),
    reset: () => send('DELETE', '/clock'),
  };
}

function createRemoteSnapshots({ ask, find }: AdminClient): Snapshots {
  const pathOf = (name: string): string => `/snapshots/${encodeURIComponent(name)}`;
  return {
    save: (name) => ask({ method: 'PUT', path: pathOf(name), invalid: 'bad-snapshot' }),
    restore: (name) => ask({ method: 'POST', path: `${pathOf(name)}/restore`, invalid: 'bad-snapshot' }),
    list: async () => (await ask<{ snapshots: string[] }>({ path: '/snapshots' })).snapshots,
    remove: async (name) => (await find({ method: 'DELETE', path: pathOf(name) })).found,
    export: async () => (await ask<{ pack: string }>({ path: '/fixtures' })).pack,
    load: (pack, options) =>
      ask({ method: 'PUT', path: '/fixtures', body: { ...options, pack }, invalid: 'unusable-fixtures' }),
  };
}

function createRemoteProfile({ ask }: AdminClient): Profiles {
  const path = '/profile';
  return {
    get: () => ask<WorldProfile>({ path }),
    choose: (choices) => ask<WorldProfile>({ method: 'PATCH', path, body: { choices }, invalid: 'unusable-profile' }),
    reset: () => ask<WorldProfile>({ method: 'DELETE', path }),
  };
}

export function createRemoteRecords<Item extends object>(
  { ask, find }: AdminClient,
  name: string,
  { within = [] }: CollectionOptions = {},
): Records<Item> {
  const path = `/collections/${encodeURIComponent(name)}`;
  const query = within.length === 0 ? {} : { within: within.map((key) => encodeURIComponent(String(key))).join(',') };
  const pathOf = (key: unknown): string => `${path}/records/${encodeURIComponent(String(key))}`;
  return {
    async list(filter = {}) {
      const all = await ask<Item[]>({ path, query });
      const wanted = Object.entries(filter).filter(([, value]) => value !== undefined);
      return all.filter((item) =>
        wanted.every(([property, value]) => (item as Record<string, unknown>)[property] === value),
      );
    },
    async get(key) {
      const found = await find<Item>({ path: pathOf(key), query });
      return found.found ? found.answer : undefined;
    },
    add: (record) => ask<Item>({ method: 'POST', path, query, body: record, invalid: 'bad-record' }),
    replace: (records) => ask<Item[]>({ method: 'PUT', path, query, body: records, invalid: 'bad-record' }),
    async update(key, changes) {
      const found = await find<Item>({
        method: 'PATCH',
        path: pathOf(key),
        query,
        body: changes,
        invalid: 'bad-record',
      });
      return found.found ? found.answer : undefined;
    },
    remove: async (key) => (await find({ method: 'DELETE', path: pathOf(key), query })).found,
    clear: () => ask({ method: 'DELETE', path, query }),
    count: async () => (await ask<{ count: number }>({ path: `${path}/count`, query })).count,
  };
}
