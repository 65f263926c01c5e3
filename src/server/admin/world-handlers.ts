import type { DelayRange } from '../../mock/world/clock.js';
import { DEFAULT_WORLD } from '../../mock/persistence/changes.js';
import { resetWorld } from '../../mock/world/world.js';
import { mapTexts } from '../../redact/map-texts.js';
import { PetstoreMockError } from '../../errors.js';
import { worldPath } from '../world-names.js';
import { done, NotThere, ok, type AdminAnswer, type AdminCall, type AdminHandler } from './handler.js';
import type { ParameterValues } from '../../contract/parameters.js';
import type { Fault } from '../../mock/faults/faults.js';
import { writeHar } from '../handles/write-har.js';
import type { Exchange, RequestFilter } from '../petstore-world.js';

/** The mock as a whole, its worlds, their delays, clocks and profiles. */
export const worldHandlers: Readonly<Record<string, AdminHandler>> = {
  getHealth: async ({ worlds }) => {
    const problem = worlds.gate?.problem;
    return ok(problem === undefined ? { status: 'ok' } : { status: 'unavailable', reason: problem });
  },

  getReadiness: async ({ worlds }) => {
    const problem = worlds.gate?.problem;
    return problem === undefined
      ? ok({ status: 'ok' })
      : { status: 503, body: { code: 'unavailable', message: problem, status: 503 } };
  },

  async reset({ body, world, worlds }) {
    if ((body as { allWorlds?: boolean }).allWorlds !== true) await world.reset();
    else for (const each of worlds.all()) resetWorld(each);
    return done;
  },

  listWorlds: async ({ handles }) => ok({ worlds: await handles.worlds() }),

  async getWorld(call) {
    if (!call.worlds.has(nameOf(call))) throw noWorld(call);
    return describeWorld(call);
  },

  async createWorld(call) {
    call.handles.world(nameOf(call));
    return describeWorld(call);
  },

  async dropWorld(call) {
    const name = nameOf(call);
    if (name === DEFAULT_WORLD) {
      throw new PetstoreMockError('bad-world', 'the default world cannot be dropped; reset it.');
    }
    if (!call.worlds.drop(name)) throw noWorld(call);
    return done;
  },

  getDelay: async ({ world }) => ok(await world.delay.get()),

  setDelay: async ({ world, body }) => ok(await world.delay.set(body as DelayRange)),

  resetDelay: async ({ world }) => ok(await world.delay.reset()),

  getClock: async (call) => describeClock(call),

  async setClock(call) {
    await call.world.clock.set((call.body as { date: string }).date);
    return describeClock(call);
  },

  async advanceClock(call) {
    await call.world.clock.advance((call.body as { ms: number }).ms);
    return describeClock(call);
  },

  async freezeClock(call) {
    await call.world.clock.freeze((call.body as { date?: string }).date);
    return describeClock(call);
  },

  async resetClock(call) {
    await call.world.clock.reset();
    return describeClock(call);
  },

  getProfile: async ({ world }) => ok(await world.profile.get()),

  chooseInProfile: async ({ world, body }) =>
    ok(await world.profile.choose((body as { choices: Record<string, string> }).choices)),

  resetProfile: async ({ world }) => ok(await world.profile.reset()),
};

function nameOf({ path }: AdminCall): string {
  return String(path['name']);
}

function noWorld(call: AdminCall): NotThere {
  return new NotThere(`there is no world ${nameOf(call)}; there are ${call.worlds.names().join(', ')}`);
}

function describeWorld(call: AdminCall): AdminAnswer {
  const name = nameOf(call);
  const { contract, redact } = call.worlds.default;
  return ok(mapTexts({ name, path: worldPath(name, contract.basePath) }, redact));
}

async function describeClock({ world }: AdminCall): Promise<AdminAnswer> {
  const now = await world.clock.now();
  return ok({ now: now.toISOString(), frozen: await world.clock.isFrozen() });
}

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
