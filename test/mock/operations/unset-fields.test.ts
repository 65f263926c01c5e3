import { expect, test } from 'vitest';
import { content, inPath, openPaths } from '../../support/open-paths.js';
import { ask } from '../../support/test-world.js';

const text = { type: 'string' };
const task = {
  type: 'object',
  required: ['id', 'title'],
  properties: {
    id: { type: 'integer', readOnly: true },
    title: text,
    due: { type: ['string', 'null'], format: 'date' },
    parent: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    secret: { type: ['string', 'null'], writeOnly: true },
    note: text,
  },
};
const PATHS = {
  '/tasks': {
    get: { responses: { 200: content({ type: 'array', items: task }) } },
    post: { requestBody: content(task), responses: { 201: content(task) } },
  },
  '/tasks/{id}': {
    parameters: [inPath('id')],
    get: { responses: { 200: content(task) } },
    put: { requestBody: content(task), responses: { 200: content(task) } },
  },
};
const open = (choice: string): ReturnType<typeof openPaths> =>
  openPaths(PATHS, { choices: { 'unset-fields': choice } });

test('what was not sent is not there', () => {
  const made = ask(open('omitted'), 'POST /tasks', { body: '{"title":"Call"}' });
  expect(made.value).toEqual({ id: 1, title: 'Call' });
});

test('with a profile, what may be null and was not sent is null, in every answer', () => {
  const world = open('as-null');
  const made = ask(world, 'POST /tasks', { body: '{"title":"Call","parent":7}' });
  expect(made.value).toEqual({ id: 1, title: 'Call', parent: 7, due: null });
  expect(ask(world, 'GET /tasks/1').value).toEqual(made.value);
  expect(ask(world, 'GET /tasks').value).toEqual([made.value]);
  const put = ask(world, 'PUT /tasks/1', { body: '{"title":"Write","due":"2026-01-02"}' });
  expect(put.value).toEqual({ id: 1, title: 'Write', parent: null, due: '2026-01-02' });
});
