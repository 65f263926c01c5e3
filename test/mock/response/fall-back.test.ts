import { expect, test } from 'vitest';
import type { World } from '../../../src/mock/world/world.js';
import { ask, outcome } from '../../support/test-world.js';
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

// A contract that has no 404: what is answered for a record that nobody has made, and for one that was removed.

const named = object({ name: TEXT }, ['name']);
const part = object({ id: NUMBER, name: TEXT }, ['id', 'name']);
const toy = object({ id: NUMBER, name: { ...TEXT, example: 'Ball' } }, ['id', 'name']);

function openToys(also: Record<string, object> = {}): World {
  const toys = keep('/toys/{toyId}', toy, 'list create get replace remove', { sent: named, also });
  const patch = { requestBody: content(object({ name: TEXT })), responses: { 200: content(toy), ...also } };
  const parts = keep('/toys/{toyId}/parts/{partId}', part, 'list create get', { sent: named, also });
  return openPaths({ ...toys, '/toys/{toyId}': { ...toys['/toys/{toyId}'], patch }, ...parts }, { answersAll: true });
}

const REQUESTS: readonly [string, object][] = [
  ['GET /toys/7', {}],
  ['PUT /toys/7', { body: '{"name":"Kite"}' }],
  ['DELETE /toys/7', {}],
  ['GET /toys/7/parts', {}],
  ['POST /toys/7/parts', { body: '{"name":"String"}' }],
];

test.each(REQUESTS)('%s of a toy that nobody has made is answered by the contract alone', (target, options) => {
  const world = openToys();
  const notes: string[] = [];
  world.onExchange = (exchange) => notes.push(...exchange.notes);
  expect(ask(world, target, options).status).toBeLessThan(300);
  expect(notes).toEqual(['generated from the contract: no toy has the id 7, and the contract has no 404 for that']);
});

test('no toy is updated that is not there, also where the contract has no 404', () =>
  expect(outcome(ask(openToys(), 'PATCH /toys/7', { body: '{"name":"Kite"}' }))).toBe('404 no toy has the id 7'));

test.each<Record<string, object>>([
  { 404: { description: 'None.' } },
  { '4XX': { description: 'Bad.' } },
  { default: { ...content(object({ message: TEXT })), description: 'Bad.' } },
])('where the contract has an answer for it (%j), that is given', (absence) => {
  const statuses = REQUESTS.map(([target, options]) => `${target} ${ask(openToys(absence), target, options).status}`);
  expect(statuses).toEqual(REQUESTS.map(([target]) => `${target} 404`));
});

test('what was removed stays away until it is made again, also where the contract has no 404', () => {
  const world = openToys();
  expect(ask(world, 'POST /toys', { body: '{"name":"Kite"}' }).value).toMatchObject({ id: 1, name: 'Kite' });
  expect(ask(world, 'DELETE /toys/1').status).toBe(204);
  expect(outcome(ask(world, 'GET /toys/1'))).toBe('404 no toy has the id 1');
  expect(outcome(ask(world, 'GET /toys/1/parts'))).toBe('404 no toy has the id 1');
  world.collections.reset();
  expect(ask(world, 'GET /toys/1').value).toMatchObject({ name: 'Ball' });
});
