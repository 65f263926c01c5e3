import { findKept, describeRecord } from '../handles/records.js';
import type { LoadOptions, Records, NewPet, Pet, PetStatus } from '../petstore-world.js';
import { done, NotThere, ok, type AdminCall, type AdminHandler } from './handler.js';
import type { Int64 } from '../../contract/document/json.js';
import { PetstoreMockError } from '../../errors.js';
import { listShippedPacks } from '../../mock/fixtures/load-fixtures.js';

/** The records of every resource of a world. */
export const collectionHandlers: Readonly<Record<string, AdminHandler>> = {
  listCollections: async ({ world }) => ok({ collections: await world.collections() }),

  async getRecordSchema({ world: { name }, worlds, path }) {
    const entry = worlds.enter(name);
    if (!('world' in entry)) throw new NotThere(`there is no world ${name}`);
    return ok(describeRecord(findKept(entry.world, String(path['collection'])), entry.world.contract));
  },

  listRecords: async (call) => ok(await recordsOf(call).list()),

  addRecord: async (call) => ({ status: 201, body: await recordsOf(call).add(call.body as object) }),

  replaceRecords: async (call) => ok(await recordsOf(call).replace(call.body as object[])),

  async clearRecords(call) {
    await recordsOf(call).clear();
    return done;
  },

  countRecords: async (call) => ok({ count: await recordsOf(call).count() }),

  async getRecord(call) {
    const record = await recordsOf(call).get(keyOf(call));
    if (record === undefined) throw noRecord(call);
    return ok(record);
  },

  async updateRecord(call) {
    const record = await recordsOf(call).update(keyOf(call), call.body as Record<string, unknown>);
    if (record === undefined) throw noRecord(call);
    return ok(record);
  },

  async removeRecord(call) {
    if (!(await recordsOf(call).remove(keyOf(call)))) throw noRecord(call);
    return done;
  },
};

function recordsOf({ world, path, query }: AdminCall): Records<Record<string, unknown>> {
  const written = typeof query['within'] === 'string' ? query['within'] : '';
  const within = written === '' ? [] : written.split(',').map((key) => decodeURIComponent(key));
  return world.collection(String(path['collection']), { within });
}

function keyOf({ path }: AdminCall): string {
  return String(path['key']);
}

function noRecord(call: AdminCall): NotThere {
  return new NotThere(`the collection ${String(call.path['collection'])} has no record ${keyOf(call)}`);
}

/** The pets of a world, and ways back to them. */
export const petHandlers: Readonly<Record<string, AdminHandler>> = {
  async listPets({ world, query }) {
    const status = query['status'] as PetStatus | undefined;
    return ok(await world.pets.list(status === undefined ? {} : { status }));
  },

  addPet: async ({ world, body }) => ({ status: 201, body: await world.pets.add(body as NewPet) }),

  replacePets: async ({ world, body }) => ok(await world.pets.replace(body as Pet[])),

  async clearPets({ world }) {
    await world.pets.clear();
    return done;
  },

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

  async saveSnapshot({ world, path }) {
    await world.snapshots.save(String(path['snapshot']));
    return done;
  },

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
};

async function noSnapshot({ snapshots }: AdminCall['world'], name: string): Promise<NotThere> {
  const names = await snapshots.list();
  return new NotThere(
    `there is no snapshot ${name}; there ${names.length === 0 ? 'is none' : `are ${names.join(', ')}`}`,
  );
}
