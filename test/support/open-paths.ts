import type { World } from '../../src/mock/world/world.js';
import { createStateless } from '../../src/mock/response/from-contract.js';
import { createHandlers } from '../../src/mock/operations/index.js';
import type { Collection } from '../../src/mock/store/collection.js';
import type { Key, Fields } from '../../src/mock/store/kept.js';
import { parseContract } from './parse-contract.js';
import { createTestWorld, type TestWorldOptions } from './test-world.js';

type Schema = Record<string, unknown>;

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
