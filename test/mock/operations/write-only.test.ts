import { expect, test } from 'vitest';
import { ask } from '../../support/test-world.js';
import { content, inPath, openPaths } from '../../support/open-paths.js';

const text = { type: 'string' };
const secret = { ...text, writeOnly: true };
const logins = { type: 'array', items: { type: 'object', properties: { user: text, password: secret } } };
const user = { type: 'object', properties: { id: { type: 'integer' }, name: text, logins } };

const world = openPaths({
  '/users': { post: { requestBody: content(user), responses: { 201: content(user) } } },
  '/users/{userId}': {
    parameters: [inPath('userId')],
    get: { responses: { 200: content(user) } },
    patch: { requestBody: content(user), responses: { 200: content(user) } },
  },
});

test('what is write only within a list is kept and shown by no operation', () => {
  const headers = { authorization: 'Bearer test-key', 'content-type': 'application/json' };
  const sent = { name: 'Ada', logins: [{ user: 'a', password: 'wxyz' }] };
  const created = ask(world, 'POST /users', { body: JSON.stringify(sent), headers });
  const shown = { id: (created.value as { id: number }).id, name: 'Ada', logins: [{ user: 'a' }] };
  expect(created.value).toEqual(shown);
  const body = JSON.stringify({ logins: [{ user: 'b', password: 'stuv' }] });
  const changed = { ...shown, logins: [{ user: 'b' }] };
  expect(ask(world, `PATCH /users/${shown.id}`, { body, headers }).value).toEqual(changed);
  expect(ask(world, `GET /users/${shown.id}`).value).toEqual(changed);
});
