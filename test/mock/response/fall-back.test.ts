import { expect, test } from 'vitest';
import type { World } from '../../../src/mock/world/world.js';
import { ask } from '../../support/test-world.js';
import { content, fill, keep, openPaths } from '../../support/open-paths.js';
import { listOf, NUMBER, object, TEXT } from '../../support/schemas.js';

const item = object({ id: NUMBER, name: TEXT }, ['id']);
/** No record is like this, so every answer that has one breaks the contract. */
const answer = object({ id: NUMBER, name: { ...TEXT, enum: ['fixed'] } }, ['id', 'name']);
const change = { requestBody: content(item), responses: { 200: content(answer) } };
const { '/items': all, '/items/{id}': one } = keep('/items/{id}', item);
const PATHS = {
  '/items': { ...all, post: { requestBody: content(item), responses: { 201: content(answer) } } },
  '/items/bulk': {
    post: { requestBody: content(listOf(item)), responses: { 201: content({ ...listOf(answer), maxItems: 1 }) } },
  },
  '/items/{id}': { ...one, patch: change, put: change, delete: { responses: { 200: content(answer) } } },
};

function open(): { world: World; notes: string[] } {
  const world = openPaths(PATHS, { answersAll: true });
  fill(world, 'items', [{ id: 1, name: 'A' }]);
  const notes: string[] = [];
  world.onExchange = (exchange) => notes.push(...exchange.notes);
  return { world, notes };
}

test.each([
  ['POST /items', '{"id":9,"name":"B"}'],
  ['POST /items/bulk', '[{"id":8,"name":"B"},{"id":9,"name":"C"}]'],
  ['PATCH /items/1', '{"id":1,"name":"B"}'],
  ['PUT /items/1', '{"id":1,"name":"B"}'],
])('%s, whose answer would break the contract, is answered from that and takes back what it did', (target, body) => {
  const { world, notes } = open();
  const before = ask(world, 'GET /items').value;
  expect(ask(world, target, { body }).status).toBeLessThan(300);
  expect(notes).toEqual([expect.stringMatching(/^is stateless: body.*small\.json:\d+/)]);
  expect(ask(world, 'GET /items').value).toEqual(before);
});

test('what is removed is gone, also where the answer to that comes from the contract alone', () => {
  const { world, notes } = open();
  expect(ask(world, 'DELETE /items/1')).toMatchObject({ status: 200, value: { name: 'fixed' } });
  expect(notes).toEqual([expect.stringMatching(/^generated from the contract: body\/name .*small\.json:\d+/)]);
  expect(ask(world, 'GET /items').value).toEqual([]);
});

test('where the contract gives no answer to it either, nothing is removed', () => {
  const { world } = open();
  world.stateless = { ...world.stateless, 'DELETE /items/{id}': () => ({ status: 200, headers: {}, body: undefined }) };
  expect(ask(world, 'DELETE /items/1').status).toBe(501);
  expect(ask(world, 'GET /items').value).toEqual([{ id: 1, name: 'A' }]);
});
