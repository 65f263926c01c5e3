import type { ParameterValues } from '../../contract/parameters.js';
import type { Fault } from '../../mock/faults/fault.js';
import { writeHar } from '../handles/write-har.js';
import type { Exchange, RequestFilter } from '../petstore-world.js';
import { done, NotThere, ok, type AdminHandler } from './handler.js';

/** The requests of a world, their violations, and its faults. */
export const requestHandlers: Readonly<Record<string, AdminHandler>> = {
  listRequests: async ({ world, query }) => ok((await world.requests.list(filterOf(query))).map(show)),

  countRequests: async ({ world, query }) => ok({ count: await world.requests.count(filterOf(query)) }),

  writeHar: async ({ world, query }) => ok(writeHar(await world.requests.list(filterOf(query)))),

  async waitForRequests({ world, query, gone }) {
    const options = { count: Number(query['count']), timeout: Number(query['timeout']) };
    const waiting = world.requests.waitFor(filterOf(query), { ...options, signal: gone });
    return ok((await waiting).map(show));
  },

  async clearRequests({ world }) {
    await world.requests.clear();
    return done;
  },

  async listViolations({ world, worlds }) {
    const exchanges = await world.violations();
    const entry = worlds.enter(world.name);
    const total = 'world' in entry ? entry.world.journal.faultyCount : exchanges.length;
    return ok({ total, exchanges: exchanges.map(show) });
  },

  async assertNoViolations({ world, body }) {
    await world.assertNoViolations({ allow: (body as { allow?: RequestFilter[] }).allow ?? [] });
    return done;
  },

  async getCoverage({ world, query }) {
    const threshold = query['threshold'] as number | undefined;
    const allWorlds = query['allWorlds'] === true;
    return ok(await world.coverage({ allWorlds, ...(threshold === undefined ? {} : { threshold }) }));
  },

  listDeprecatedCallers: async ({ world }) => ok(await world.deprecatedCallers()),

  listFaults: async ({ world }) => ok(await world.faults.list()),

  async addFault({ world, body }) {
    const { remove: _remove, ...planted } = await world.faults.add(body as Fault);
    return { status: 201, body: planted };
  },

  async removeFault({ world, path }) {
    const id = String(path['faultId']);
    if (!(await world.faults.remove(id))) throw new NotThere(`there is no fault ${id}`);
    return done;
  },

  async clearFaults({ world }) {
    await world.faults.clear();
    return done;
  },
};

const FILTERS = ['operationId', 'method', 'path', 'status', 'verdict', 'deprecated', 'fault'] as const;

function filterOf(query: ParameterValues): RequestFilter {
  return Object.fromEntries(FILTERS.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])));
}

/** For a bug, only its message is shown, not its stack. */
function show({ crash, ...exchange }: Exchange): object {
  return crash === undefined ? exchange : { ...exchange, crash: crash instanceof Error ? crash.message : 'no Error' };
}
