import { expect, test } from 'vitest';
import type { World } from '../../../src/mock/world/world.js';
import { ask } from '../../support/test-world.js';
import { content, fill, inPath, openPaths } from '../../support/open-paths.js';

const secret = { type: 'string', writeOnly: true };
const text = { type: 'string' };
const object = (properties: Record<string, unknown>): Record<string, unknown> => ({ type: 'object', properties });
const creator = object({ name: text, password: secret });

/** A record in which everything called `password` is for requests only. */
const note = object({
  id: { type: 'integer' },
  text,
  password: secret,
  creator: { allOf: [{ $ref: '#/components/schemas/Creator' }] },
  readers: { type: 'array', items: { oneOf: [{ $ref: '#/components/schemas/Creator' }, text] } },
  byName: { type: 'object', additionalProperties: { $ref: '#/components/schemas/Creator' } },
  parent: { $ref: '#/components/schemas/Note' },
});
/** What clients send, and a record does not describe. */
const sent = object({ ...(note['properties'] as object), login: object({ user: text, password: secret }) });

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

const headers = (type: string): Record<string, string> => ({ authorization: 'Bearer test-key', 'content-type': type });

function open(shown: Record<string, unknown> = { $ref: '#/components/schemas/Note' }): World {
  const one = { 200: content(shown) };
  return openPaths(
    {
      '/notes': {
        get: { responses: { 200: content(object({ items: { type: 'array', items: shown } })) } },
        post: { requestBody: content(sent), responses: { 201: content(shown) } },
      },
      '/notes/{id}': {
        parameters: [inPath('id')],
        get: { responses: one },
        put: { requestBody: content(sent), responses: one },
        patch: { requestBody: content({ type: 'array' }, 'application/json-patch+json'), responses: one },
      },
    },
    { components: { schemas: { Note: note, Creator: creator } } },
  );
}

test('what only requests have is in no answer, wherever in a record it is', () => {
  const world = open();
  const body = JSON.stringify(SENT);
  const json = headers('application/json');
  expect(ask(world, 'POST /notes', { body, headers: json }).value).toEqual({ id: 1, ...SHOWN });
  expect(ask(world, 'PUT /notes/1', { body, headers: json }).value).toEqual({ id: 1, ...SHOWN });
  const patch = JSON.stringify([
    { op: 'add', path: '/creator/password', value: 'p7' },
    { op: 'add', path: '/password', value: 'p8' },
  ]);
  expect(ask(world, 'PATCH /notes/1', { body: patch, headers: headers('application/json-patch+json') }).value).toEqual({
    id: 1,
    ...SHOWN,
  });
  expect(ask(world, 'GET /notes/1').value).toEqual({ id: 1, ...SHOWN });
  expect(ask(world, 'GET /notes').value).toEqual({ items: [{ id: 1, ...SHOWN }] });
});

test('nor is it there when a test or a fixture has put it there', () => {
  const world = open();
  fill(world, 'notes', [{ id: 7, ...SENT }]);
  expect(ask(world, 'GET /notes/7').value).toEqual({ id: 7, ...SHOWN });
});

test('what a request marks and the answer does not describe is not shown either', () => {
  const world = open(object({ id: { type: 'integer' }, text, login: object({ user: text }) }));
  const body = JSON.stringify({ text: 'a', login: { user: 'A', password: 'p' } });
  const { value } = ask(world, 'POST /notes', { body, headers: headers('application/json') });
  expect(value).toEqual({ id: 1, text: 'a', login: { user: 'A' } });
});

test('what a request marks and the answer describes without the mark is shown', () => {
  const world = open(object({ id: { type: 'integer' }, text, login: object({ user: text, password: text }) }));
  const body = JSON.stringify({ text: 'a', login: { user: 'A', password: 'p' } });
  const { value } = ask(world, 'POST /notes', { body, headers: headers('application/json') });
  expect(value).toEqual({ id: 1, text: 'a', login: { user: 'A', password: 'p' } });
});
