import type { World } from '../../src/mock/world/world.js';
import { createStateless } from '../../src/mock/response/from-contract.js';
import { createHandlers } from '../../src/mock/handle-request.js';
import type { Collection } from '../../src/mock/store/collection.js';
import type { Key, Fields } from '../../src/mock/store/kept.js';
import { parseContract } from './parse-contract.js';
import { listOf, type Schema } from './schemas.js';
import { createTestWorld, type TestWorldOptions } from './test-world.js';

interface PathOptions extends Omit<TestWorldOptions, 'contract'> {
  components?: object;
  /** Whether what keeps no state is answered from the contract. Default: `false`. */
  answersAll?: boolean;
}

/** A world of a contract that has these paths. */
export function openPaths(paths: object, { components = {}, answersAll, ...options }: PathOptions = {}): World {
  const contract = parseContract({ paths, components }, { shownAs: 'small.json' });
  if (answersAll !== true) return createTestWorld({ ...options, contract });
  const stateful = createHandlers(contract);
  const { handlers } = createStateless({ contract, stateful, seed: 1, specPath: 'small.json', prism: false });
  return createTestWorld({ stateless: handlers, ...options, contract });
}

/** A body, or an answer with one. */
export function content(schema: Schema, mediaType = 'application/json'): Schema {
  return { description: 'Fine.', content: { [mediaType]: { schema } } };
}

export function inPath(name: string, type = 'integer'): Schema {
  return { name, in: 'path', required: true, schema: { type } };
}

export const inQuery = (name: string, schema: Schema = { type: 'string' }): Schema => ({ name, in: 'query', schema });

export const inHeader = (name: string): Schema => ({ name, in: 'header', schema: { type: 'string' } });

interface KeepOptions {
  /** The type of what stands in the path. Default: integer. */
  key?: 'integer' | 'string';
  /** What a client sends. Default: the record. */
  sent?: Schema;
  /** What a list shows. Default: a list of the records. */
  list?: Schema;
  /** Responses that each operation has as well, by status. */
  also?: Readonly<Record<string, object>>;
}

/** The paths of a collection and of its items, such as `/users/{id}`, with these of `list create get replace update remove`. */
export function keep(
  item: string,
  record: Schema,
  operations = 'list get',
  { key = 'integer', sent = record, list = listOf(record), also = {} }: KeepOptions = {},
): Record<string, Record<string, object>> {
  const names = Array.from(item.matchAll(/\{([^}]+)\}/g), ([, name = '']) => inPath(name, key));
  const asked = new Set(operations.split(' '));
  const requestBody = content(sent);
  const one = { responses: { 200: content(record), ...also } };
  const pick = (all: Record<string, [role: string, operation: object]>): Record<string, object> =>
    Object.fromEntries(
      Object.entries(all).flatMap(([method, [role, each]]) => (asked.has(role) ? [[method, each]] : [])),
    );
  return {
    [item.slice(0, item.lastIndexOf('/'))]: {
      parameters: names.slice(0, -1),
      ...pick({
        get: ['list', { responses: { 200: content(list), ...also } }],
        post: ['create', { requestBody, responses: { 201: content(record), ...also } }],
      }),
    },
    [item]: {
      parameters: names,
      ...pick({
        get: ['get', one],
        put: ['replace', { requestBody, ...one }],
        patch: ['update', { requestBody, ...one }],
        delete: ['remove', { responses: { 204: { description: 'Gone.' }, ...also } }],
      }),
    },
  };
}

/** The collection of a resource, with these records in place of all. */
export function fill(
  world: World,
  name: string,
  records: readonly Fields[] = [],
  within: readonly Key[] = [],
): Collection {
  const kept = world.collections.kept.find((each) => each.name === name);
  if (kept === undefined) throw new Error(`there are no ${name}`);
  const collection = world.collections.open(kept, within);
  collection.replace(records);
  return collection;
}
