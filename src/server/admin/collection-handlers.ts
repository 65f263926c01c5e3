import { findKept } from '../handles/collections.js';
import { describeRecord } from '../handles/describe-record.js';
import type { Records } from '../records.js';
import { done, NotThere, ok, type AdminCall, type AdminHandler } from './handler.js';

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
