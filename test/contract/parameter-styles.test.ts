import { expect, test } from 'vitest';
import { readParameters } from '../../src/contract/parameters.js';
import { loadFiles, refusalOf } from './support/documents.js';

const withParameter = (parameter: string): Record<string, string> => ({
  'a.yaml': `openapi: 3.1.0\ninfo: { title: T, version: 1.0.0 }\npaths:\n  /a:\n    get:\n      parameters:\n        - ${parameter}\n      responses: { '200': { description: Fine. } }\n`,
});

function read(parameter: string, query: string, headers: Record<string, string> = {}): unknown {
  const [operation] = loadFiles(withParameter(parameter)).operations;
  const reading = readParameters(operation as never, { pathValues: {}, query, headers });
  return { ...reading.query, ...reading.header, ...(reading.unknown.length > 0 ? { unknown: reading.unknown } : {}) };
}

const numbers = 'schema: { type: array, items: { type: integer } }';

test.each([
  ['form', `{ name: n, in: query, ${numbers} }`, 'n=1&n=2'],
  ['form that is not exploded', `{ name: n, in: query, explode: false, ${numbers} }`, 'n=1,2'],
  ['spaceDelimited', `{ name: n, in: query, style: spaceDelimited, ${numbers} }`, 'n=1%202'],
  ['pipeDelimited', `{ name: n, in: query, style: pipeDelimited, ${numbers} }`, 'n=1|2'],
])('a list is read in the style %s', (_, parameter, query) => {
  expect(read(parameter, query)).toEqual({ n: [1, 2] });
});

test('a list in a header field is parted by commas', () => {
  expect(read(`{ name: X-N, in: header, ${numbers} }`, '', { 'x-n': '1, 2' })).toEqual({ 'X-N': [1, 2] });
});

test('an object is read in the style deepObject, and none of its parts is unknown', () => {
  const parameter =
    '{ name: f, in: query, style: deepObject, schema: { type: object, properties: { age: { type: integer } } } }';
  expect(read(parameter, 'f[age]=3&f[name]=Rex&g[age]=1')).toEqual({ f: { age: 3, name: 'Rex' }, unknown: ['g[age]'] });
  expect(read(parameter, '')).toEqual({});
});

test.each([
  [
    'a style that is not supported',
    '{ name: n, in: header, style: matrix, schema: {} }',
    /^a\.yaml:7:34: the style matrix is not supported in header; simple is\./,
  ],
  [
    'an object that is not a deepObject',
    '{ name: n, in: query, schema: { type: object } }',
    /^a\.yaml:7:11: the parameter n is an object, which is not supported; style: deepObject is\./,
  ],
  ['no schema', '{ name: n, in: query, content: {} }', /^a\.yaml:7:11: the parameter n has no `schema`\./],
])('a parameter with %s is refused with its place', (_, parameter, message) => {
  expect(refusalOf(withParameter(parameter))).toMatch(message);
});
