import { expect, test } from 'vitest';
import { content, fill, keep, openPaths } from '../../support/open-paths.js';
import { listOf, object, TEXT, type Schema } from '../../support/schemas.js';
import { ask } from '../../support/test-world.js';
import type { World } from '../../../src/mock/world/world.js';

const board = object({ slug: TEXT, name: TEXT }, ['slug', 'name']);
/** Where the service may give the key. */
const optional = { ...board, required: ['name'] };
const said = { description: 'Refused.' };
const HOME = { slug: 'home', name: 'A' };
const body = '{"slug":"home","name":"B"}';

function open(sent: Schema, refusals: Record<string, object>): { world: World; log: string[] } {
  const paths = keep('/boards/{slug}', board, 'list create get', { key: 'string', sent, also: refusals });
  const responses = { 201: content(listOf(board)), ...refusals };
  const world = openPaths({ ...paths, '/boards/bulk': { post: { requestBody: content(listOf(sent)), responses } } });
  fill(world, 'boards', [HOME]);
  const log: string[] = [];
  world.onExchange = ({ notes, reason }) => log.push(...notes, ...(reason === undefined ? [] : [reason]));
  return { world, log };
}

test.each([
  ['409 where it is documented', { 400: said, 409: said }, 409],
  ['else 422', { 400: said, 422: said }, 422],
  ['else 400', { 400: said }, 400],
  ['else 409 all the same', {}, 409],
])('a create with a taken key is refused: %s', (_, refusals, status) => {
  const { world, log } = open(board, refusals);
  expect(ask(world, 'POST /boards', { body }).status).toBe(status);
  expect(log).toEqual(['key home is in use: a board with this slug exists already']);
  expect(ask(world, 'GET /boards').value).toEqual([HOME]);
});

test('where the service may give the key and no 409 is documented, the record has another, which the log says', () => {
  const { world, log } = open(optional, { 400: said });
  const { status, value } = ask(world, 'POST /boards', { body });
  expect([status, value]).toEqual([201, { slug: expect.not.stringMatching(/^home$/) as string, name: 'B' }]);
  expect(log).toEqual(['key home is in use, so the new board has another']);
});

test('where the service may give the key and 409 is documented, a taken one is refused', () => {
  const { world, log } = open(optional, { 409: said });
  expect(ask(world, 'POST /boards', { body }).status).toBe(409);
  expect(log).toEqual([expect.stringContaining('key home is in use')]);
});

test('of several records, none is made where the key of one is taken', () => {
  const { world } = open(board, { 409: said });
  const two = '[{"slug":"new","name":"N"},{"slug":"home","name":"B"}]';
  expect(ask(world, 'POST /boards/bulk', { body: two }).status).toBe(409);
  expect(ask(world, 'GET /boards').value).toEqual([HOME]);
});

test.each([
  ['Another board has this name.', 409],
  ['It exists already.', 201],
])('where the 409 says "%s", a create with the name of another is answered with %i', (description, status) => {
  const { world } = open(board, { 409: { description } });
  expect(ask(world, 'POST /boards', { body: '{"slug":"new","name":"A"}' }).status).toBe(status);
});
