import { expect, test } from 'vitest';
import { createHandlers } from '../../../src/mock/operations/index.js';
import { createStateless } from '../../../src/mock/response/from-contract.js';
import type { World } from '../../../src/mock/world/world.js';
import { ask } from '../../support/test-world.js';
import { content, fill, inPath, openPaths } from '../../support/open-paths.js';

const item = { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, name: { type: 'string' } } };
/** No record is like this, so every answer that has one breaks the contract. */
const answer = {
  ...item,
  required: ['id', 'name'],
  properties: { ...item.properties, name: { type: 'string', enum: ['fixed'] } },
};
const PATHS = {
  '/items': {
    get: { responses: { 200: content({ type: 'array', items: item }) } },
    post: { requestBody: content(item), responses: { 201: content(answer) } },
  },
  '/items/bulk': {
    post: {
      requestBody: content({ type: 'array', items: item }),
      responses: { 201: content({ type: 'array', items: answer, maxItems: 1 }) },
    },
  },
  '/items/{id}': {
    parameters: [inPath('id')],
    get: { responses: { 200: content(item) } },
    patch: { requestBody: content(item), responses: { 200: content(answer) } },
    put: { requestBody: content(item), responses: { 200: content(answer) } },
    delete: { responses: { 200: content(answer) } },
  },
};

function open(): World {
  const world = openPaths(PATHS);
  const { handlers } = createStateless({
    contract: world.contract,
    stateful: createHandlers(world.contract),
    seed: 1,
    specPath: 'small.json',
    prism: false,
  });
  world.stateless = handlers;
  fill(world, 'items', [{ id: 1, name: 'A' }]);
  return world;
}

test.each([
  ['POST /items', '{"id":9,"name":"B"}'],
  ['POST /items/bulk', '[{"id":8,"name":"B"},{"id":9,"name":"C"}]'],
  ['PATCH /items/1', '{"id":1,"name":"B"}'],
  ['PUT /items/1', '{"id":1,"name":"B"}'],
])(
  '%s, whose answer would break the contract, is answered from the contract and takes back what it did',
  (target, body) => {
    const world = open();
    const notes: string[] = [];
    world.onExchange = (exchange) => notes.push(...exchange.notes);
    const before = ask(world, 'GET /items').value;
    expect(ask(world, target, { body }).status).toBeLessThan(300);
    expect(notes).toEqual([expect.stringMatching(/^is stateless: body.*small\.json:\d+/)]);
    expect(ask(world, 'GET /items').value).toEqual(before);
  },
);

test('what is removed is gone, also where the answer to that comes from the contract alone', () => {
  const world = open();
  const notes: string[] = [];
  world.onExchange = (exchange) => notes.push(...exchange.notes);
  expect(ask(world, 'DELETE /items/1')).toMatchObject({ status: 200, value: { name: 'fixed' } });
  expect(notes).toEqual([expect.stringMatching(/^generated from the contract: body\/name .*small\.json:\d+/)]);
  expect(ask(world, 'GET /items').value).toEqual([]);
});

test('where the contract gives no answer to it either, nothing is removed', () => {
  const world = open();
  world.stateless = { ...world.stateless, 'DELETE /items/{id}': () => ({ status: 200, headers: {}, body: undefined }) };
  expect(ask(world, 'DELETE /items/1').status).toBe(501);
  expect(ask(world, 'GET /items').value).toEqual([{ id: 1, name: 'A' }]);
});
