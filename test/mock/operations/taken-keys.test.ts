import { expect, test } from 'vitest';
import { content, fill, inPath, openPaths } from '../../support/open-paths.js';
import { ask } from '../../support/test-world.js';
import type { World } from '../../../src/mock/world/world.js';

const text = { type: 'string' };
const board = { type: 'object', required: ['slug', 'name'], properties: { slug: text, name: text } };
const said = { description: 'Refused.' };

interface Form {
  /** What a create takes: whether the client must name the key. */
  sent: Record<string, unknown>;
  refusals: Record<string, object>;
}

function open({ sent, refusals }: Form): { world: World; log: string[] } {
  const world = openPaths({
    '/boards': {
      get: { responses: { 200: content({ type: 'array', items: board }) } },
      post: { requestBody: content(sent), responses: { 201: content(board), ...refusals } },
    },
    '/boards/bulk': {
      post: {
        requestBody: content({ type: 'array', items: sent }),
        responses: { 201: content({ type: 'array', items: board }), ...refusals },
      },
    },
    '/boards/{slug}': { parameters: [inPath('slug', 'string')], get: { responses: { 200: content(board) } } },
  });
  fill(world, 'boards', [{ slug: 'home', name: 'A' }]);
  const log: string[] = [];
  world.onExchange = ({ notes, reason }) => log.push(...notes, ...(reason === undefined ? [] : [reason]));
  return { world, log };
}

const optional = { ...board, required: ['name'] };
const body = '{"slug":"home","name":"B"}';

test.each([
  ['409 where it is documented', { 400: said, 409: said }, 409],
  ['else 422', { 400: said, 422: said }, 422],
  ['else 400', { 400: said }, 400],
  ['else 409 all the same', {}, 409],
])('a create with a taken key is refused: %s', (_, refusals, status) => {
  const { world, log } = open({ sent: board, refusals });
  expect(ask(world, 'POST /boards', { body }).status).toBe(status);
  expect(log).toEqual(['key home is in use: a board with this slug exists already']);
  expect(ask(world, 'GET /boards').value).toEqual([{ slug: 'home', name: 'A' }]);
});

test('where the service may give the key and no 409 is documented, the record has another, which the log says', () => {
  const { world, log } = open({ sent: optional, refusals: { 400: said } });
  const { status, value } = ask(world, 'POST /boards', { body });
  expect([status, value]).toEqual([201, { slug: expect.not.stringMatching(/^home$/) as string, name: 'B' }]);
  expect(log).toEqual(['key home is in use, so the new board has another']);
});

test('where the service may give the key and 409 is documented, a taken one is refused', () => {
  const { world, log } = open({ sent: optional, refusals: { 409: said } });
  expect(ask(world, 'POST /boards', { body }).status).toBe(409);
  expect(log).toEqual([expect.stringContaining('key home is in use')]);
});

test('of several records, none is made where the key of one is taken', () => {
  const { world } = open({ sent: board, refusals: { 409: said } });
  const two = '[{"slug":"new","name":"N"},{"slug":"home","name":"B"}]';
  expect(ask(world, 'POST /boards/bulk', { body: two }).status).toBe(409);
  expect(ask(world, 'GET /boards').value).toEqual([{ slug: 'home', name: 'A' }]);
});

test.each([
  ['Another board has this name.', 409],
  ['It exists already.', 201],
])('where the 409 says "%s", a create with the name of another is answered with %i', (description, status) => {
  const { world } = open({ sent: board, refusals: { 409: { description } } });
  expect(ask(world, 'POST /boards', { body: '{"slug":"new","name":"A"}' }).status).toBe(status);
});
