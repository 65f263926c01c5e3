import { expect, test } from 'vitest';
import type { World } from '../../../src/mock/world/world.js';
import { ask } from '../../support/test-world.js';
import { content, fill, keep, openPaths } from '../../support/open-paths.js';
import { listOf, NUMBER, object, TEXT, type Schema } from '../../support/schemas.js';

const secret = { type: 'string', writeOnly: true };
const creator = { $ref: '#/components/schemas/Creator' };

/** A record in which everything called `password` is for requests only. */
const NOTE = {
  id: NUMBER,
  text: TEXT,
  password: secret,
  creator: { allOf: [creator] },
  readers: listOf({ oneOf: [creator, TEXT] }),
  byName: { type: 'object', additionalProperties: creator },
  parent: { $ref: '#/components/schemas/Note' },
};
/** What clients send, and a record does not describe. */
const sent = object({ ...NOTE, login: object({ user: TEXT, password: secret }) });

const SENT = {
  text: 'a',
  password: 'p1',
  creator: { name: 'A', password: 'p2' },
  readers: [{ name: 'B', password: 'p3' }, 'text'],
  byName: { c: { name: 'C', password: 'p4' } },
  parent: { text: 'b', password: 'p5', parent: { creator: { password: 'p6' } } },
};
const SHOWN = {
  text: 'a',
  creator: { name: 'A' },
  readers: [{ name: 'B' }, 'text'],
  byName: { c: { name: 'C' } },
  parent: { text: 'b', parent: { creator: {} } },
};

function open(shown: Schema = { $ref: '#/components/schemas/Note' }): World {
  const paths = keep('/notes/{id}', shown, 'list create get replace', { sent, list: object({ items: listOf(shown) }) });
  const requestBody = content({ type: 'array' }, 'application/json-patch+json');
  const patch = { requestBody, responses: { 200: content(shown) } };
  const components = { schemas: { Note: object(NOTE), Creator: object({ name: TEXT, password: secret }) } };
  return openPaths({ ...paths, '/notes/{id}': { ...paths['/notes/{id}'], patch } }, { components });
}

test('what only requests have is in no answer, wherever in a record it is', () => {
  const world = open();
  const body = JSON.stringify(SENT);
  expect(ask(world, 'POST /notes', { body }).value).toEqual({ id: 1, ...SHOWN });
  expect(ask(world, 'PUT /notes/1', { body }).value).toEqual({ id: 1, ...SHOWN });
  const add = (path: string): object => ({ op: 'add', path, value: 'p7' });
  const patch = JSON.stringify([add('/creator/password'), add('/password')]);
  const headers = { 'content-type': 'application/json-patch+json' };
  expect(ask(world, 'PATCH /notes/1', { body: patch, headers }).value).toEqual({ id: 1, ...SHOWN });
  expect(ask(world, 'GET /notes/1').value).toEqual({ id: 1, ...SHOWN });
  expect(ask(world, 'GET /notes').value).toEqual({ items: [{ id: 1, ...SHOWN }] });
});

test('nor is it there when a test or a fixture has put it there', () => {
  const world = open();
  fill(world, 'notes', [{ id: 7, ...SENT }]);
  expect(ask(world, 'GET /notes/7').value).toEqual({ id: 7, ...SHOWN });
});

test.each([
  ['does not describe is not shown either', {}, { user: 'A' }],
  ['describes without the mark is shown', { password: TEXT }, { user: 'A', password: 'p' }],
])('what a request marks and the answer %s', (_, described, login) => {
  const world = open(object({ id: NUMBER, text: TEXT, login: object({ user: TEXT, ...described }) }));
  const body = JSON.stringify({ text: 'a', login: { user: 'A', password: 'p' } });
  expect(ask(world, 'POST /notes', { body }).value).toEqual({ id: 1, text: 'a', login });
});
