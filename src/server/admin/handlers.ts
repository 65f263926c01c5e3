import type { ParameterValues, ParameterReading } from '../../contract/parameters.js';
import type { Worlds } from '../../mock/world/worlds.js';
import type {
  PetstoreWorld,
  PetstoreWorlds,
  Exchange,
  RequestFilter,
  LoadOptions,
  Records,
  NewPet,
  Pet,
  PetStatus,
} from '../petstore-world.js';
import { DEFAULT_WORLD } from '../../mock/persistence/changes.js';
import type { Rejected } from './guard.js';
import type { DelayRange } from '../../mock/world/clock.js';
import { resetWorld } from '../../mock/world/world.js';
import { mapTexts } from '../../redact/map-texts.js';
import { PetstoreMockError } from '../../errors.js';
import { worldPath } from '../world-names.js';
import type { Fault } from '../../mock/faults/faults.js';
import { NAMES, writeHar } from '../handles/requests.js';
import { findKept, describeRecord } from '../handles/records.js';
import type { Int64 } from '../../contract/document/json.js';
import { listShippedPacks } from '../../mock/fixtures/load-fixtures.js';

/** An accepted call: it passed the guards and conforms to the admin API's document. */
export interface AdminCall extends Pick<ParameterReading, 'path' | 'query'> {
  body: unknown;
  /** Made when the handler uses it. */
  readonly world: PetstoreWorld;
  handles: PetstoreWorlds;
  worlds: Worlds;
  gone: AbortSignal;
}

/** The result of a call; without a body the status is 204. */
export type AdminAnswer = { status: number; body?: unknown };

/** Answers one operation of the admin API. Throws a `PetstoreMockError` if the call fails. */
export type AdminHandler = (call: AdminCall) => Promise<AdminAnswer>;

const done: AdminAnswer = { status: 204 };

const after = async (work: Promise<unknown>): Promise<AdminAnswer> => work.then(() => done);

export const ok = (body: unknown): AdminAnswer => ({ status: 200, body });

export class NotThere extends Error {}

/** What tells about the process itself, or waits for others, and so must not keep them out. */
export const PASSES_NO_GATE: ReadonlySet<string> = new Set(['getHealth', 'getReadiness', 'waitForRequests']);

export function nameOfWorld(reading: ParameterReading): string {
  return listNamed(reading)[0] ?? DEFAULT_WORLD;
}

export function findTwoWorlds(reading: ParameterReading): string[] {
  const [one, two = one] = listNamed(reading);
  return one === two ? [] : [`the header X-Petstore-World names the world ${one}, query/world the world ${two}`];
}

/** RFC 9110, section 13.1.1: a call with `If-Match: *` is for what is there, and makes no world. */
export function refuseGone(reading: ParameterReading, worlds: Worlds): Rejected | undefined {
  const name = nameOfWorld(reading);
  if (reading.header['If-Match'] === undefined || worlds.has(name)) return undefined;
  const message = `there is no world ${name}; a call without If-Match creates it`;
  return { status: 412, code: 'no_such_world', message };
}

function listNamed({ header, query }: ParameterReading): string[] {
  return [header['X-Petstore-World'], query['world']].filter((name) => typeof name === 'string');
}

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

async function describeClock({ world }: AdminCall, change?: Promise<Date>): Promise<AdminAnswer> {
  await change;
  const now = await world.clock.now();
  return ok({ now: now.toISOString(), frozen: await world.clock.isFrozen() });
}

function filterOf(query: ParameterValues): RequestFilter {
  return Object.fromEntries(NAMES.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])));
}

function show({ crash, ...exchange }: Exchange): object {
  return crash === undefined ? exchange : { ...exchange, crash: crash instanceof Error ? crash.message : 'no Error' };
}

function recordsOf({ world, path, query }: AdminCall): Records<Record<string, unknown>> {
  const written = typeof query['within'] === 'string' ? query['within'] : '';
  const within = written === '' ? [] : written.split(',').map((key) => decodeURIComponent(key));
  return world.collection(String(path['collection']), { within });
}

function keyOf({ path }: AdminCall): string {
  return String(path['key']);
}

function orNone<Of>(record: Of | undefined, call: AdminCall): Of {
  if (record !== undefined) return record;
  throw new NotThere(`the collection ${String(call.path['collection'])} has no record ${keyOf(call)}`);
}

async function noSnapshot({ snapshots }: AdminCall['world'], name: string): Promise<NotThere> {
  const names = await snapshots.list();
  return new NotThere(
    `there is no snapshot ${name}; there ${names.length === 0 ? 'is none' : `are ${names.join(', ')}`}`,
  );
}

/** The handlers of the admin API by `operationId`, apart from those of `describe-operation.ts`. */
export const HANDLERS: Readonly<Record<string, AdminHandler>> = {
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
    if (name === DEFAULT_WORLD)
      throw new PetstoreMockError('bad-world', 'the default world cannot be dropped; reset it.');
    if (!call.worlds.drop(name)) throw noWorld(call);
    return done;
  },

  getDelay: async ({ world }) => ok(await world.delay.get()),
  setDelay: async ({ world, body }) => ok(await world.delay.set(body as DelayRange)),
  resetDelay: async ({ world }) => ok(await world.delay.reset()),
  getClock: async (call) => describeClock(call),
  setClock: async (call) => describeClock(call, call.world.clock.set((call.body as { date: string }).date)),
  advanceClock: async (call) => describeClock(call, call.world.clock.advance((call.body as { ms: number }).ms)),
  freezeClock: async (call) => describeClock(call, call.world.clock.freeze((call.body as { date?: string }).date)),
  resetClock: async (call) => describeClock(call, call.world.clock.reset()),
  getProfile: async ({ world }) => ok(await world.profile.get()),

  chooseInProfile: async ({ world, body }) =>
    ok(await world.profile.choose((body as { choices: Record<string, string> }).choices)),

  resetProfile: async ({ world }) => ok(await world.profile.reset()),

  listCollections: async ({ world }) => ok({ collections: await world.collections() }),

  async getRecordSchema({ world: { name }, worlds, path }) {
    const entry = worlds.enter(name);
    if (!('world' in entry)) throw new NotThere(`there is no world ${name}`);
    return ok(describeRecord(findKept(entry.world, String(path['collection'])), entry.world.contract));
  },

  listRecords: async (call) => ok(await recordsOf(call).list()),
  addRecord: async (call) => ({ status: 201, body: await recordsOf(call).add(call.body as object) }),
  replaceRecords: async (call) => ok(await recordsOf(call).replace(call.body as object[])),
  clearRecords: async (call) => after(recordsOf(call).clear()),
  countRecords: async (call) => ok({ count: await recordsOf(call).count() }),
  getRecord: async (call) => ok(orNone(await recordsOf(call).get(keyOf(call)), call)),

  async updateRecord(call) {
    const record = await recordsOf(call).update(keyOf(call), call.body as Record<string, unknown>);
    return ok(orNone(record, call));
  },

  async removeRecord(call) {
    orNone((await recordsOf(call).remove(keyOf(call))) || undefined, call);
    return done;
  },

  async listPets({ world, query }) {
    const status = query['status'] as PetStatus | undefined;
    return ok(await world.pets.list(status === undefined ? {} : { status }));
  },

  addPet: async ({ world, body }) => ({ status: 201, body: await world.pets.add(body as NewPet) }),
  replacePets: async ({ world, body }) => ok(await world.pets.replace(body as Pet[])),
  clearPets: async ({ world }) => after(world.pets.clear()),
  countPets: async ({ world }) => ok({ count: await world.pets.count() }),

  async getPet({ world, path }) {
    const id = path['petId'] as Int64;
    const pet = await world.pets.get(id);
    if (pet === undefined) throw new NotThere(`no pet has the id ${id}`);
    return ok(pet);
  },

  exportFixtures: async ({ world }) => ok({ pack: await world.snapshots.export() }),

  async loadFixtures({ world, body }) {
    const { pack, ...options } = body as { pack: string } & LoadOptions;
    await world.snapshots.load(pack, options);
    return done;
  },

  async useFixtures({ world, body }) {
    const { fixtures, ...options } = body as { fixtures: string; seed?: number; count?: number };
    const shipped = listShippedPacks();
    // A path would let the caller read files of this machine.
    if (!shipped.includes(fixtures)) {
      const message = `there is no shipped fixture pack ${fixtures}; there are ${shipped.join(', ')}. To use another, put its text to /fixtures with start: true.`;
      throw new PetstoreMockError('unusable-fixtures', message);
    }
    await world.useFixtures(fixtures, options);
    return done;
  },

  listSnapshots: async ({ world }) => ok({ snapshots: await world.snapshots.list() }),
  saveSnapshot: async ({ world, path }) => after(world.snapshots.save(String(path['snapshot']))),

  async removeSnapshot({ world, path }) {
    const name = String(path['snapshot']);
    if (!(await world.snapshots.remove(name))) throw await noSnapshot(world, name);
    return done;
  },

  async restoreSnapshot({ world, path }) {
    const name = String(path['snapshot']);
    if (!(await world.snapshots.list()).includes(name)) throw await noSnapshot(world, name);
    await world.snapshots.restore(name);
    return done;
  },

  listRequests: async ({ world, query }) => ok((await world.requests.list(filterOf(query))).map(show)),
  countRequests: async ({ world, query }) => ok({ count: await world.requests.count(filterOf(query)) }),
  writeHar: async ({ world, query }) => ok(writeHar(await world.requests.list(filterOf(query)))),

  async waitForRequests({ world, query, gone }) {
    const options = { count: Number(query['count']), timeout: Number(query['timeout']) };
    const waiting = world.requests.waitFor(filterOf(query), { ...options, signal: gone });
    return ok((await waiting).map(show));
  },

  clearRequests: async ({ world }) => after(world.requests.clear()),

  async listViolations({ world, worlds }) {
    const exchanges = await world.violations();
    const entry = worlds.enter(world.name);
    const total = 'world' in entry ? entry.world.journal.faultyCount : exchanges.length;
    return ok({ total, exchanges: exchanges.map(show) });
  },

  assertNoViolations: async ({ world, body }) =>
    after(world.assertNoViolations({ allow: (body as { allow?: RequestFilter[] }).allow ?? [] })),

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

  clearFaults: async ({ world }) => after(world.faults.clear()),
};
