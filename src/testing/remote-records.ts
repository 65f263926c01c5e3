import type { CollectionOptions, Records } from '../server/petstore-world.js';
import type { AdminClient } from './admin-client.js';

/** The records of a resource of a mock elsewhere, with the same methods as in process. */
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
