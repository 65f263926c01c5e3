import { expect, test } from 'vitest';
import { readParameters } from '../../src/contract/parameters.js';
import { loadFiles } from './support/documents.js';

const withParameter = (parameter: string): Record<string, string> => ({
  'a.yaml': `openapi: 3.1.0\ninfo: { title: T, version: 1.0.0 }\npaths:\n  /a:\n    get:\n      parameters:\n        - ${parameter}\n      responses: { '200': { description: Fine. } }\n`,
});

function read(parameter: string, query: string, headers: Record<string, string> = {}): unknown {
  const [operation] = loadFiles(withParameter(parameter)).operations;
  const reading = readParameters(operation as never, { pathValues: {}, query, headers });
  return {
    ...reading.query,
    ...reading.header,
    ...reading.cookie,
    ...(reading.unknown.length > 0 ? { unknown: reading.unknown } : {}),
  };
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

const point = 'schema: { allOf: [{ type: object, properties: { x: { type: integer }, tag: { type: string } } }] }';

test.each([
  ['form', `{ name: p, in: query, ${point} }`, 'x=3&tag=a'],
  ['form that is not exploded', `{ name: p, in: query, explode: false, ${point} }`, 'p=x,3,tag,a'],
  ['pipeDelimited', `{ name: p, in: query, style: pipeDelimited, explode: false, ${point} }`, 'p=x|3|tag|a'],
  [
    'JSON',
    `{ name: p, in: query, content: { application/json: { ${point} } } }`,
    'p=%7B%22x%22:3,%22tag%22:%22a%22%7D',
  ],
])('an object is read in the style %s', (_, parameter, query) => {
  expect(read(parameter, query)).toEqual({ p: { x: 3, tag: 'a' } });
});

test('an object that is spread over the query takes its own fields alone', () => {
  expect(read(`{ name: p, in: query, ${point} }`, 'x=3&y=4')).toEqual({ p: { x: 3 }, unknown: ['y'] });
});

test('a deepObject holds objects and lists', () => {
  const parameter =
    '{ name: f, in: query, style: deepObject, schema: { type: object, properties: { tags: { type: array, items: { type: integer } }, age: { type: object, properties: { gte: { type: integer } } } } } }';
  expect(read(parameter, 'f[age][gte]=3&f[tags][]=1&f[tags][]=2')).toEqual({ f: { age: { gte: 3 }, tags: [1, 2] } });
});

test('a list may be written with brackets', () => {
  expect(read(`{ name: n, in: query, ${numbers} }`, 'n[]=1&n[]=2')).toEqual({ n: [1, 2] });
});

test('a cookie is read, and so is the type that a reference gives', () => {
  expect(read('{ name: c, in: cookie, schema: { anyOf: [{ type: integer }] } }', '', { cookie: 'a=1; c=7' })).toEqual({
    c: 7,
  });
});

test.each([
  ['label', 'false', '.3,4'],
  ['label', 'true', '.3.4'],
  ['matrix', 'false', ';n=3,4'],
  ['matrix', 'true', ';n=3;n=4'],
  ['simple', 'false', '3,4'],
])('a list in a path is read in the style %s, exploded %s', (style, explode, text) => {
  const parameter = `{ name: n, in: path, required: true, style: ${style}, explode: ${explode}, ${numbers} }`;
  const files = { 'a.yaml': withParameter(parameter)['a.yaml']?.replace('/a:', "'/a/{n}':") ?? '' };
  const [operation] = loadFiles(files).operations;
  const reading = readParameters(operation as never, { pathValues: { n: text }, query: '', headers: {} });
  expect(reading.path).toEqual({ n: [3, 4] });
});

test.each(['p=x,1,y,2', 'p={"x":1,"y":2}'])('a list of objects is read as many clients write it: %s', (query) => {
  const parameter =
    '{ name: p, in: query, schema: { type: array, items: { type: object, properties: { x: { type: integer }, y: { type: integer } } } } }';
  expect(read(parameter, query)).toEqual({ p: [{ x: 1, y: 2 }] });
});
