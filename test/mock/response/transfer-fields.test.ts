import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPetstoreFetch } from '../../../src/index.js';
import { makeFolder } from '../../support/folder.js';
import { content, inPath, openPaths } from '../../support/open-paths.js';
import { ask } from '../../support/test-world.js';

type Schema = Record<string, unknown>;

const FIELDS = {
  'Content-Encoding': 'gzip',
  'Transfer-Encoding': 'chunked',
  'Content-Length': '3',
  Connection: 'upgrade',
  Trailer: 'X-Sum',
  Upgrade: 'h2c',
  'X-Sum': 'abc',
};

/** The fields of an answer, as a contract describes them. */
const describeFields = (required: boolean): Schema =>
  Object.fromEntries(
    Object.entries(FIELDS).map(([name, value]) => [name, { required, schema: { type: 'string', enum: [value] } }]),
  );
const thing = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
};

function describePaths(required: boolean): Schema {
  const headers = describeFields(required);
  const one = { 200: { ...content(thing), headers } };
  return {
    '/report': { get: { operationId: 'report', responses: one } },
    '/things': { get: { responses: { 200: { ...content({ type: 'array', items: thing }), headers } } } },
    '/things/{id}': { parameters: [inPath('id')], get: { responses: one } },
  };
}

test.each([
  ['optional', false],
  ['required', true],
])('no answer says that it is coded or cut where it is not, though the fields are %s', async (_, required) => {
  const spec = join(makeFolder(), 'api.json');
  writeFileSync(
    spec,
    JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: describePaths(required) }),
  );
  for (const prism of [true, false]) {
    const petstore = createPetstoreFetch({ spec, prism });
    for (const path of ['/report', '/things', '/things/1']) {
      const answer = await petstore.fetch(`http://petstore.example${path}`, {
        headers: { Authorization: 'Bearer petstore-dev-key' },
      });
      const sent = Object.keys(FIELDS).filter((name) => answer.headers.has(name));
      expect([path, answer.status, sent.filter((name) => name !== 'X-Sum' && name !== 'Content-Length')]).toEqual([
        path,
        200,
        [],
      ]);
      expect(answer.headers.get('content-length')).not.toBe('3');
    }
  }
});

test("a handler's answer says nothing of the transfer either, but that the connection is closed", () => {
  const answer = (fields: Record<string, string>) =>
    openPaths(
      { '/report': { get: { operationId: 'report', responses: { 200: content(thing) } } } },
      {
        handlers: {
          report: () => ({
            status: 200,
            headers: { 'Content-Type': 'application/json', ...fields },
            body: { value: { id: 1, name: 'x' }, text: '{"id":1,"name":"x"}' },
          }),
        },
      },
    );
  const { headers } = ask(answer(FIELDS), 'GET /report');
  expect(headers).toEqual({ 'Content-Type': 'application/json', 'X-Sum': 'abc' });
  expect(ask(answer({ Connection: 'close' }), 'GET /report').headers).toMatchObject({ Connection: 'close' });
});
