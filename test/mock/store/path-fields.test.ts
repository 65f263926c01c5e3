import { expect, test } from 'vitest';
import { content, inPath, openPaths } from '../../support/open-paths.js';
import { ask } from '../../support/test-world.js';

const text = { type: 'string' };
const comment = {
  type: 'object',
  required: ['id', 'file_key', 'message'],
  properties: { id: text, file_key: text, message: text, version_number: { type: 'integer' } },
};
const list = { type: 'object', required: ['comments'], properties: { comments: { type: 'array', items: comment } } };
const sent = { type: 'object', required: ['message'], properties: { message: text } };

const FILES = {
  '/files/{fileKey}/comments': {
    parameters: [inPath('fileKey', 'string')],
    get: { responses: { 200: content(list) } },
    post: { requestBody: content(sent), responses: { 201: content(comment) } },
  },
  '/files/{fileKey}/comments/{comment_id}': {
    parameters: [inPath('fileKey', 'string'), inPath('comment_id', 'string')],
    get: { responses: { 200: content(comment) } },
    put: { requestBody: content(comment), responses: { 200: content(comment) } },
    delete: { responses: { 204: { description: 'Gone.' } } },
  },
};

test('what a path names and no resource is, is in each record of its list', () => {
  const world = openPaths(FILES, { others: 3 });
  expect(ask(world, 'GET /files/ABC/comments').value).toMatchObject({
    comments: [{ file_key: 'ABC' }, { file_key: 'ABC' }, { file_key: 'ABC' }],
  });
  expect(ask(world, 'GET /files/XYZ/comments').value).toMatchObject({ comments: [{ file_key: 'XYZ' }, {}, {}] });
});

test('it is in what is created there, and no request changes it', () => {
  const world = openPaths(FILES);
  const made = ask(world, 'POST /files/ABC/comments', { body: '{"message":"Fine"}' });
  expect(made).toMatchObject({ status: 201, value: { file_key: 'ABC', message: 'Fine' } });
  const { id } = made.value as { id: string };
  const put = ask(world, `PUT /files/ABC/comments/${id}`, {
    body: JSON.stringify({ id, file_key: 'OTHER', message: 'Better' }),
  });
  expect(put.value).toMatchObject({ file_key: 'ABC', message: 'Better' });
});

test('a number in the record is one where the path has a text', () => {
  const build = { type: 'object', required: ['id'], properties: { id: text, project_no: { type: 'integer' } } };
  const world = openPaths(
    {
      '/projects/{projectNo}/builds': {
        parameters: [inPath('projectNo', 'string')],
        get: { responses: { 200: content({ type: 'array', items: build }) } },
      },
      '/projects/{projectNo}/builds/{id}': {
        parameters: [inPath('projectNo', 'string'), inPath('id', 'string')],
        get: { responses: { 200: content(build) } },
      },
    },
    { others: 1 },
  );
  expect(ask(world, 'GET /projects/12/builds').value).toMatchObject([{ project_no: 12 }]);
});

test('the name of a team is not that of its members', () => {
  const named = { type: 'object', required: ['name'], properties: { name: text } };
  const team = { type: 'object', required: ['name', 'city'], properties: { name: text, city: text } };
  const member = { type: 'object', required: ['id', 'name'], properties: { id: text, name: text } };
  const world = openPaths(
    {
      '/teams': { get: { responses: { 200: content({ type: 'array', items: team }) } } },
      '/teams/{name}': {
        parameters: [inPath('name', 'string')],
        get: { responses: { 200: content(team) } },
        delete: { responses: { 204: { description: 'Gone.' } } },
      },
      '/teams/{name}/members': {
        parameters: [inPath('name', 'string')],
        get: { responses: { 200: content({ type: 'array', items: member }) } },
        post: { requestBody: content(named), responses: { 201: content(member) } },
      },
      '/teams/{name}/members/{id}': {
        parameters: [inPath('name', 'string'), inPath('id', 'string')],
        get: { responses: { 200: content(member) } },
      },
    },
    { others: 2 },
  );
  const [first] = ask(world, 'GET /teams').value as { name: string }[];
  const path = `/teams/${encodeURIComponent(first?.name ?? '')}/members`;
  expect(ask(world, `POST ${path}`, { body: '{"name":"Ida"}' })).toMatchObject({ status: 201, value: { name: 'Ida' } });
});
