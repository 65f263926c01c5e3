import type { DelayRange } from '../../mock/world/delay-range.js';
import { DEFAULT_WORLD } from '../../mock/world/changes.js';
import { resetWorld } from '../../mock/world/world.js';
import { mapTexts } from '../../redact/map-texts.js';
import { PetstoreMockError } from '../../errors.js';
import { worldPath } from '../world-names.js';
import { done, NotThere, ok, type AdminAnswer, type AdminCall, type AdminHandler } from './handler.js';

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
