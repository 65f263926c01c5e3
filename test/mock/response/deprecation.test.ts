import { expect, test } from 'vitest';
import type { ApiResponse } from '../../../src/contract/model.js';
import { changeContract } from '../../support/shipped.js';
import { ask, createTestWorld, outcome, type TestWorldOptions } from '../../support/test-world.js';
import { createPetstoreFetch } from '../../../src/index.js';
import { makeFile } from '../../support/folder.js';
import { content, inPath, openPaths } from '../../support/open-paths.js';
import { listOf, NUMBER, object, TEXT, type Schema } from '../../support/schemas.js';

const REMOVAL = '2030-12-05T00:00:00Z';
const DAY_LATER = '2030-12-06T00:00:00Z';

function getPetAt(time: string, options: TestWorldOptions = {}, offset = 0): ApiResponse {
  const clock = { now: () => Date.parse(time) + offset, elapsed: () => 0 };
  return ask(createTestWorld({ ...options, clock }), 'GET /v1/pets/1');
}

test('refusals of a deprecated operation announce it too', () => {
  const world = createTestWorld();
  expect(ask(world, 'GET /v1/pets/99').headers).toHaveProperty('Sunset');
  expect(ask(world, 'GET /v1/pets/1', { headers: { authorization: '' } }).headers).toHaveProperty('Sunset');
});

test('a Deprecation is sent as a profile has seen it, and else none, since nobody gave its date', () => {
  const headersWith = (values: Record<string, string>) => ask(createTestWorld({ values }), 'GET /v1/pets/1').headers;
  expect(headersWith({})).not.toHaveProperty('Deprecation');
  expect(headersWith({ 'deprecation-header': '@1767225600' })['Deprecation']).toBe('@1767225600');
});

const GONE = '410 getPet was removed on 2030-12-05; use listPets instead';
const atEnd = { choices: { 'removal-hour': 'end-of-day' } };

test.each<[ms: number, time: string, options: TestWorldOptions, told: string]>([
  [-1, REMOVAL, {}, '200'],
  [0, REMOVAL, {}, GONE],
  [1e12, REMOVAL, {}, GONE],
  [-1, DAY_LATER, atEnd, '200'],
  [0, DAY_LATER, atEnd, GONE],
])('%i ms after %s, with %j, the answer is %s', (offset, time, options, told) =>
  expect(outcome(getPetAt(time, options, offset))).toBe(told),
);

test('where the removal is at the end of the day, the header has the day after', () =>
  expect(getPetAt(REMOVAL, atEnd).headers['Sunset']).toBe('Fri, 06 Dec 2030 00:00:00 GMT'));

test('who has no key learns nothing of a removed operation', () => {
  const clock = { now: () => Date.parse(REMOVAL), elapsed: () => 0 };
  expect(ask(createTestWorld({ clock }), 'GET /v1/pets/1', { headers: { authorization: '' } }).status).toBe(401);
});

test('another day in the contract is another removal', () => {
  const contract = changeContract(["x-sunset: '2030-12-05'", "x-sunset: '2027-02-03'"]);
  expect(getPetAt('2027-02-03T00:00:00Z', { contract }).status).toBe(410);
  expect(getPetAt('2027-02-02T23:59:59Z', { contract }).headers['Sunset']).toBe('Wed, 03 Feb 2027 00:00:00 GMT');
});

test('without a day nothing is removed, and the successor is still named', () => {
  const contract = changeContract(["      x-sunset: '2030-12-05'\n", '']);
  const { status, headers } = getPetAt('2099-01-01T00:00:00Z', { contract });
  expect(status).toBe(200);
  expect(headers).not.toHaveProperty('Sunset');
  expect(headers).toHaveProperty('Link');
});

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
  const schemaOf = (value: string): Schema => ({ ...TEXT, enum: [value] });
  const fields = Object.entries(FIELDS).map(([name, value]) => [name, { required, schema: schemaOf(value) }]);
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
