import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPetstoreFetch } from '../../../src/index.js';
import { makeFolder } from '../../support/folder.js';
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
const loan = {
  type: 'object',
  required: ['id', 'reader'],
  properties: {
    id: { type: 'integer', readOnly: true },
    reader: text,
    // What has not happened yet has no time.
    closedAt: { type: ['string', 'null'], format: 'date-time' },
    cancelledAt: { type: 'string', format: 'date-time' },
  },
};
const ENDING = {
  '/loans': {
    get: { responses: { 200: content({ type: 'array', items: loan }) } },
    post: { requestBody: content(loan), responses: { 201: content(loan) } },
  },
  '/loans/{id}': { parameters: [inPath('id')], get: { responses: { 200: content(loan) } } },
};
const open = (choice: string): ReturnType<typeof openPaths> =>
  openPaths(PATHS, { choices: { 'unset-fields': choice } });

test('what was not sent is not there', () =>
  expect(ask(open('omitted'), 'POST /tasks', { body: '{"title":"Call"}' }).value).toEqual({ id: 1, title: 'Call' }));

test('with a profile, what may be null and was not sent is null, in every answer', () => {
  const world = open('as-null');
  const made = ask(world, 'POST /tasks', { body: '{"title":"Call","parent":7}' });
  expect(made.value).toEqual({ id: 1, title: 'Call', parent: 7, due: null });
  expect(ask(world, 'GET /tasks/1').value).toEqual(made.value);
  expect(ask(world, 'GET /tasks').value).toEqual([made.value]);
  const put = ask(world, 'PUT /tasks/1', { body: '{"title":"Write","due":"2026-01-02"}' });
  expect(put.value).toEqual({ id: 1, title: 'Write', parent: null, due: '2026-01-02' });
});

test('the records of the start follow the profile that the mock starts with', () => {
  const start = (choice: string): Record<string, unknown>[] => {
    const world = openPaths(ENDING, { choices: { 'unset-fields': choice }, others: 3 });
    return ask(world, 'GET /loans').value as Record<string, unknown>[];
  };
  const [omitted, asNull] = [start('omitted'), start('as-null')];
  expect(omitted).toHaveLength(3);
  expect(omitted.every((each) => !Object.hasOwn(each, 'closedAt'))).toBe(true);
  expect(asNull).toEqual(omitted.map((each) => Object.assign(each, { closedAt: null })));
});

test('of one resource alone, where the profile says so', async () => {
  const paths = { ...ENDING, ...PATHS };
  const document = { openapi: '3.1.0', info: { title: 'Loans', version: '1' }, paths };
  const mock = createPetstoreFetch({
    spec: join(makeFolder({ 'loans.json': JSON.stringify(document) }), 'loans.json'),
    profile: { gaps: { 'loans.unset-fields': 'as-null' } },
    count: 1,
  });
  const list = async (path: string): Promise<unknown> => (await mock.fetch(`${mock.url}${path}`)).json();
  expect(await list('/loans')).toMatchObject([{ closedAt: null }]);
  expect(JSON.stringify(await list('/tasks'))).not.toContain('null');
});
