import { expect, test } from 'vitest';
import type { World } from '../../../src/mock/world/world.js';
import { content, keep, openPaths } from '../../support/open-paths.js';
import { NUMBER, object, TEXT } from '../../support/schemas.js';
import { ask, outcome } from '../../support/test-world.js';

// A contract that has no 404: what is answered for a record that nobody has made, and for one that was removed.

const named = object({ name: TEXT }, ['name']);
const part = object({ id: NUMBER, name: TEXT }, ['id', 'name']);
const toy = object({ id: NUMBER, name: { ...TEXT, example: 'Ball' } }, ['id', 'name']);

function open(also: Record<string, object> = {}): World {
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
  const world = open();
  const notes: string[] = [];
  world.onExchange = (exchange) => notes.push(...exchange.notes);
  expect(ask(world, target, options).status).toBeLessThan(300);
  expect(notes).toEqual(['generated from the contract: no toy has the id 7, and the contract has no 404 for that']);
});

test('no toy is updated that is not there, also where the contract has no 404', () =>
  expect(outcome(ask(open(), 'PATCH /toys/7', { body: '{"name":"Kite"}' }))).toBe('404 no toy has the id 7'));

test.each<Record<string, object>>([
  { 404: { description: 'None.' } },
  { '4XX': { description: 'Bad.' } },
  { default: { ...content(object({ message: TEXT })), description: 'Bad.' } },
])('where the contract has an answer for it (%j), that is given', (absence) => {
  const statuses = REQUESTS.map(([target, options]) => `${target} ${ask(open(absence), target, options).status}`);
  expect(statuses).toEqual(REQUESTS.map(([target]) => `${target} 404`));
});

test('what was removed stays away until it is made again, also where the contract has no 404', () => {
  const world = open();
  expect(ask(world, 'POST /toys', { body: '{"name":"Kite"}' }).value).toMatchObject({ id: 1, name: 'Kite' });
  expect(ask(world, 'DELETE /toys/1').status).toBe(204);
  expect(outcome(ask(world, 'GET /toys/1'))).toBe('404 no toy has the id 1');
  expect(outcome(ask(world, 'GET /toys/1/parts'))).toBe('404 no toy has the id 1');
  world.collections.reset();
  expect(ask(world, 'GET /toys/1').value).toMatchObject({ name: 'Ball' });
});
