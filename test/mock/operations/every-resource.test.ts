import { expect, test } from 'vitest';
import { loadContract } from '../../../src/contract/contract.js';
import { createStateless } from '../../../src/mock/response/from-contract.js';
import { createHandlers } from '../../../src/mock/operations/index.js';
import { listKept } from '../../../src/mock/store/kept.js';
import type { World } from '../../../src/mock/world/world.js';
import { createTestWorld } from '../../support/test-world.js';
import { useResource } from '../../support/use-resource.js';

const SMALL = 'test/contract/resources/support/documents';
/** Each beside what it is built like. */
const DOCUMENTS: [string, string][] = [
  ['the petstore that ships', 'spec/petstore.openapi.yaml'],
  ['the petstore with orders', 'examples/store-orders/petstore.openapi.yaml'],
  ['a todo service', `${SMALL}/chores.yaml`],
  ['a train-travel service', `${SMALL}/ferry.yaml`],
  ['a museum', `${SMALL}/gallery.yaml`],
  ["the OpenAPI Initiative's petstore", `${SMALL}/kennel.yaml`],
  ["Swagger's petstore", `${SMALL}/shelter.yaml`],
];

function openWorld(path: string): World {
  const contract = loadContract(path);
  const stateful = createHandlers(contract);
  const { handlers } = createStateless({ contract, stateful, seed: 1, specPath: path, prism: false });
  return createTestWorld({ contract, pets: [], stateless: handlers, others: 5 });
}

const CASES = DOCUMENTS.flatMap(([builtLike, path]) => {
  const several = listKept(loadContract(path)).filter(({ key }) => key !== undefined);
  return several.map(({ name }) => [name, builtLike, path] as const);
});

test.each(CASES)('the %s of %s behave as a client expects', (name, _, path) => {
  const world = openWorld(path);
  const exchanges: string[] = [];
  world.onExchange = ({ notes, atFault, reason }) =>
    exchanges.push(...notes, ...(atFault === 'mock' ? [String(reason)] : []));
  const kept = world.collections.kept.find((each) => each.name === name);
  if (kept === undefined) throw new Error(`there is no ${name}`);
  expect(useResource(kept, world)).toEqual([]);
  expect(exchanges).toEqual([]);
});

test('a handler that forgets what it is told is found out', () => {
  const world = openWorld('examples/store-orders/petstore.openapi.yaml');
  const orders = world.collections.kept.find(({ name }) => name === 'orders');
  if (orders === undefined) throw new Error('there are no orders');
  world.handlers = world.stateless;
  const problems = useResource(orders, world);
  expect(problems).toContainEqual(expect.stringMatching(/^a create adds one: 201/));
  expect(problems).toContainEqual(expect.stringMatching(/^what was removed is gone: 200/));
});
