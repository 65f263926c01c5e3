import { expect, test } from 'vitest';
import { parseSource } from '../../src/contract/document/document.js';
import { createNotes } from '../../src/contract/document/notes.js';
import { readOperations } from '../../src/contract/operations/operations.js';
import type { Operation } from '../../src/contract/model.js';
import { readParameters, type ParameterReading, type RepeatedPolicy } from '../../src/contract/parameters.js';
import { words } from '../support/words.js';

const document = parseSource(
  `paths: { '/pets/{id}': { get: { parameters: [
  { name: id, in: path, required: true, schema: { type: integer } },
  { name: limit, in: query, schema: { type: integer } },
  { name: name, in: query, schema: { type: string } },
  { name: tame, in: query, schema: { type: boolean } },
  { name: tag, in: query, schema: { type: array, items: { type: integer } } },
  { name: odd, in: query, schema: { type: string, properties: { name: { type: string } } } },
  { name: X-Trace, in: header, schema: { type: integer } },
  { name: Content-Type, in: header, required: true, schema: { type: string } },
  { name: accept, in: header, required: true, schema: { type: string } }] } } }`,
  { code: 'unusable-contract', shownAs: 'a.yaml' },
);
const [operation] = readOperations(document, createNotes(document)) as [Operation];

type Raw = { id?: string; query?: string; headers?: Record<string, string> };

function read({ id = '1', query = '', headers = {} }: Raw, repeated?: RepeatedPolicy): ParameterReading {
  const options = repeated === undefined ? {} : { repeated };
  return readParameters(operation, { pathValues: { id }, query, headers }, options);
}

test('a number is read where the contract has a number', () => {
  expect(read({ id: '9223372036854775807', query: 'limit=10', headers: { 'x-trace': '7' } })).toMatchObject({
    path: { id: 9223372036854775807n },
    query: { limit: 10 },
    header: { 'X-Trace': 7 },
  });
});

test.each(['abc', '', ' 1', '0x10', '1,2', '+', '5.0', '1e1', '+5', '05'])(
  '%j stays a text where the contract has an integer',
  (text) => {
    expect(read({ query: `limit=${encodeURIComponent(text)}` }).query).toEqual({ limit: text });
  },
);

test.each<[string, Record<string, unknown>]>([
  ['name=12', { name: '12' }],
  ['tame=true', { tame: true }],
  ['tame=False', { tame: 'False' }],
  // As forms write them.
  ['name=a%2Bb+c%26%F0%9F%90%B6', { name: 'a+b c&🐶' }],
  // Only the first equals sign ends the name.
  ['name=a=b&&limit', { name: 'a=b', limit: '' }],
  ['n%61me=x', { name: 'x' }],
  // A text is one value, whatever properties its schema has beside its type.
  ['odd=a', { odd: 'a' }],
])('the query %s is read', (query, expected) => expect(read({ query }).query).toEqual(expected));

test('a plus sign in a path is a plus sign', () => expect(read({ id: '+1' }).path).toEqual({ id: '+1' }));

test('a parameter that stands more than once is told, and one of its values counts', () => {
  expect(read({ query: 'limit=1&limit=2' })).toMatchObject({ query: { limit: 1 }, repeated: ['limit'] });
  expect(read({ query: 'limit=1&limit=2' }, 'last').query).toEqual({ limit: 2 });
});

test('an array may stand more than once', () =>
  expect(read({ query: 'tag=1&tag=x&tag=3' })).toMatchObject({ query: { tag: [1, 'x', 3] }, repeated: [] }));

test('parameters that the contract does not have are told, once each', () =>
  expect(read({ query: 'a=1&b=2&a=3&limit=1&__proto__=x' }).unknown).toEqual(['a', 'b', '__proto__']));

test.each(['%', '%zz', '%c3', '%E0%A4%A'])('the escape %s is told and not read', (raw) => {
  expect(read({ id: raw, query: `name=${raw}` })).toMatchObject({
    path: {},
    query: {},
    badEscapes: [
      { part: 'query', name: 'name', raw: `name=${raw}` },
      { part: 'path', name: 'id', raw },
    ],
  });
});

test('a parameter that was not sent has no value', () =>
  expect(read({})).toMatchObject({ query: {}, header: {}, unknown: [], repeated: [], badEscapes: [] }));

test('what describes the message or the credentials is no parameter', () =>
  expect(operation.parameters.map(({ name }) => name)).toEqual(words`id limit name tame tag odd X-Trace`));
