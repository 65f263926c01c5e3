import type { World } from '../../src/mock/world/world.js';
import type { Collection } from '../../src/mock/store/collection.js';
import type { Key } from '../../src/mock/store/keys.js';
import type { Fields } from '../../src/mock/store/stored-record.js';
import { parseContract } from './parse-contract.js';
import { createTestWorld, type TestWorldOptions } from './test-world.js';

type Schema = Record<string, unknown>;

/** A world of a contract that has these paths. */
export function openPaths(paths: object, options: Omit<TestWorldOptions, 'contract'> = {}): World {
  const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'Small', version: '1' }, paths });
  return createTestWorld({ ...options, contract: parseContract(text, { shownAs: 'small.json' }) });
}

/** A body, or an answer with one. */
export function content(schema: Schema, mediaType = 'application/json'): Schema {
  return { description: 'Fine.', content: { [mediaType]: { schema } } };
}

export function inPath(name: string, type = 'integer'): Schema {
  return { name, in: 'path', required: true, schema: { type } };
}

export function inQuery(name: string, schema: Schema = { type: 'string' }): Schema {
  return { name, in: 'query', schema };
}

export function inHeader(name: string): Schema {
  return { name, in: 'header', schema: { type: 'string' } };
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
