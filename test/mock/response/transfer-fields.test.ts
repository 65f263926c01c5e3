import { expect, test } from 'vitest';
import { createPetstoreFetch } from '../../../src/index.js';
import { makeFile } from '../../support/folder.js';
import { content, inPath, openPaths } from '../../support/open-paths.js';
import { ask } from '../../support/test-world.js';
import { listOf, NUMBER, object, TEXT, type Schema } from '../../support/schemas.js';

const FIELDS = {
  'Content-Encoding': 'gzip',
  'Transfer-Encoding': 'chunked',
  'Content-Length': '3',
  Connection: 'upgrade',
  Trailer: 'X-Sum',
  Upgrade: 'h2c',
  'X-Sum': 'abc',
};

const thing = object({ id: NUMBER, name: TEXT }, ['id', 'name']);

function describePaths(required: boolean): object {
  const fields = Object.entries(FIELDS).map(([name, value]) => [
    name,
    { required, schema: { ...TEXT, enum: [value] } },
  ]);
  const shown = (schema: Schema): object => ({
    responses: { 200: { ...content(schema), headers: Object.fromEntries(fields) as object } },
  });
  return {
    '/report': { get: { operationId: 'report', ...shown(thing) } },
    '/things': { get: shown(listOf(thing)) },
    '/things/{id}': { parameters: [inPath('id')], get: shown(thing) },
  };
}

test.each([
  ['optional', false],
  ['required', true],
])('no answer says that it is coded or cut where it is not, though the fields are %s', async (_, required) => {
  const document = { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: describePaths(required) };
  const spec = makeFile('api.json', JSON.stringify(document));
  for (const prism of [true, false]) {
    const petstore = createPetstoreFetch({ spec, prism });
    for (const path of ['/report', '/things', '/things/1']) {
      const { status, headers } = await petstore.fetch(`http://petstore.example${path}`);
      const sent = Object.keys(FIELDS).filter(
        (name) => headers.has(name) && name !== 'X-Sum' && name !== 'Content-Length',
      );
      expect([path, status, sent, headers.get('content-length') === '3']).toEqual([path, 200, [], false]);
    }
  }
});

test("a handler's answer says nothing of the transfer either, but that the connection is closed", () => {
  const body = { value: { id: 1, name: 'x' }, text: '{"id":1,"name":"x"}' };
  const paths = { '/report': { get: { operationId: 'report', responses: { 200: content(thing) } } } };
  const headersOf = (fields: Record<string, string>): object => {
    const report = () => ({ status: 200, headers: { 'Content-Type': 'application/json', ...fields }, body });
    return ask(openPaths(paths, { handlers: { report } }), 'GET /report').headers;
  };
  expect(headersOf(FIELDS)).toEqual({ 'Content-Type': 'application/json', 'X-Sum': 'abc' });
  expect(headersOf({ Connection: 'close' })).toMatchObject({ Connection: 'close' });
});
