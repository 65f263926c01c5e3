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
])('a list is read in the style %s', (_, parameter, query) => expect(read(parameter, query)).toEqual({ n: [1, 2] }));

test('a list in a header field is parted by commas', () =>
  expect(read(`{ name: X-N, in: header, ${numbers} }`, '', { 'x-n': '1, 2' })).toEqual({ 'X-N': [1, 2] }));

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

test('an object that is spread over the query takes its own fields alone', () =>
  expect(read(`{ name: p, in: query, ${point} }`, 'x=3&y=4')).toEqual({ p: { x: 3 }, unknown: ['y'] }));

test('a deepObject holds objects and lists', () => {
  const parameter =
    '{ name: f, in: query, style: deepObject, schema: { type: object, properties: { tags: { type: array, items: { type: integer } }, age: { type: object, properties: { gte: { type: integer } } } } } }';
  expect(read(parameter, 'f[age][gte]=3&f[tags][]=1&f[tags][]=2')).toEqual({ f: { age: { gte: 3 }, tags: [1, 2] } });
});

test('a list may be written with brackets', () =>
  expect(read(`{ name: n, in: query, ${numbers} }`, 'n[]=1&n[]=2')).toEqual({ n: [1, 2] }));

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

/** The value of `n`, in a path, a query or a cookie. */
function readN(place: string, beside: string, sent: string): unknown {
  const file = withParameter(`{ name: n, in: ${place}, required: true, ${beside} }`)['a.yaml'] ?? '';
  const [operation] = loadFiles({ 'a.yaml': place === 'path' ? file.replace('/a:', "'/a/{n}':") : file }).operations;
  const raw: Parameters<typeof readParameters>[1] = {
    pathValues: place === 'path' ? { n: sent } : {},
    query: place === 'query' ? sent : '',
    headers: place === 'cookie' ? { cookie: sent } : {},
  };
  const reading = readParameters(operation as never, raw);
  return { ...reading.path, ...reading.query, ...reading.cookie }['n'];
}

const texts = 'schema: { type: array, items: { type: string } }';
const fields = 'schema: { type: object, properties: { k: { type: string }, l: { type: string } } }';

test.each([
  ['path', `style: simple, ${texts}`, 'a%2Cb,c%2Fd', ['a,b', 'c/d']],
  ['path', `style: label, ${texts}`, '.a%2Cb,c', ['a,b', 'c']],
  ['path', `style: label, explode: true, ${texts}`, '.a%2Eb.c%2Cd', ['a.b', 'c,d']],
  ['path', `style: matrix, ${texts}`, ';n=a%2Cb,c', ['a,b', 'c']],
  ['path', `style: matrix, explode: true, ${texts}`, ';n=a%2Cb;n=c%3Bd', ['a,b', 'c;d']],
  ['path', `style: matrix, explode: true, ${fields}`, ';k=a%3Bb;l=c%3Dd', { k: 'a;b', l: 'c=d' }],
  ['path', `style: simple, explode: true, ${fields}`, 'k=a%2Cb,l=c%3Dd', { k: 'a,b', l: 'c=d' }],
  ['path', `style: simple, ${fields}`, 'k,a%2Cb', { k: 'a,b' }],
  ['query', `explode: false, ${texts}`, 'n=a%2Cb,c+d', ['a,b', 'c d']],
  ['query', `explode: false, ${texts}`, 'n=a%2Cb', ['a,b']],
  ['query', `explode: false, ${fields}`, 'n=k,a%2Cb', { k: 'a,b' }],
  ['query', `explode: true, ${texts}`, 'n=a%2Cb&n=c', ['a,b', 'c']],
  ['cookie', `explode: false, ${texts}`, 'n=a%2Cb,c', ['a,b', 'c']],
  // A blank and a bar cannot be in a URL as they are, so that they separate in escapes as well.
  ['query', `style: spaceDelimited, explode: false, ${texts}`, 'n=a%20b+c', ['a', 'b', 'c']],
  ['query', `style: pipeDelimited, explode: false, ${texts}`, 'n=a%7Cb|c', ['a', 'b', 'c']],
])('a delimiter in percent escapes is data: in a %s, %s, %s', (place, beside, sent, expected) => {
  expect(readN(place, beside, sent)).toEqual(expected);
});

test.each([
  ['path', `style: simple, ${numbers}`, '1%2C2', [1, 2]],
  ['query', `explode: false, ${numbers}`, 'n=1%2C2', [1, 2]],
  ['query', `explode: false, ${point}`, 'n=x%2C3%2Ctag%2Ca', { x: 3, tag: 'a' }],
])(
  'clients that escape every delimiter are understood where nothing else is valid: in a %s, %s',
  (place, beside, sent, expected) => {
    expect(readN(place, beside, sent)).toEqual(expected);
  },
);

test('what is escaped in a list that is repeated is no delimiter', () =>
  expect(readN('query', `explode: true, ${numbers}`, 'n=1%2C2')).toEqual(['1,2']));

test.each(['p=x,1,y,2', 'p={"x":1,"y":2}'])('a list of objects is read as many clients write it: %s', (query) => {
  const parameter =
    '{ name: p, in: query, schema: { type: array, items: { type: object, properties: { x: { type: integer }, y: { type: integer } } } } }';
  expect(read(parameter, query)).toEqual({ p: [{ x: 1, y: 2 }] });
});

const map = (values: string): string => `{ type: object, additionalProperties: ${values} }`;
const some = (...schemas: string[]): string => `{ anyOf: [${schemas.join(', ')}] }`;
const integers = '{ type: array, items: { type: integer } }';
const nothing = "{ type: 'null' }";

test.each([
  // Schema of n, what stands beside it, the query, what is read.
  [some(integers, nothing), '', 'n=1', { n: [1] }],
  [some(integers, '{ type: array, items: { type: string, enum: [all] } }'), '', 'n=all', { n: ['all'] }],
  ['{ oneOf: [{ type: integer }, { type: array, items: { type: integer }, minItems: 2 }] }', '', 'n=3', { n: 3 }],
  ['{ oneOf: [{ type: integer }, { type: array, items: { type: integer } }] }', '', 'n=3&n=4', { n: [3, 4] }],
  [some(integers, nothing), 'explode: false', 'n=1,2', { n: [1, 2] }],
  [some(integers, nothing), 'style: pipeDelimited, explode: false', 'n=1%7C2', { n: [1, 2] }],
  ["{ type: [array, 'null'], items: { type: [integer, string] } }", '', 'n=1&n=x', { n: [1, 'x'] }],
  ['{ type: array, prefixItems: [{ type: integer }, { type: string }] }', '', 'n=1&n=2', { n: [1, '2'] }],
  ['{ allOf: [{ type: array }, { items: { type: integer } }] }', '', 'n=1', { n: [1] }],
  ['{ type: [integer, boolean] }', '', 'n=true', { n: true }],
  [some('{ type: number }', '{ type: boolean }'), '', 'n=0.10', { n: 0.1 }],
  ['{ const: 5 }', '', 'n=5', { n: 5 }],
  ['{ enum: [1, true, a] }', '', 'n=a', { n: 'a' }],
  [some('{ type: integer }', '{ type: string }'), '', 'n=01', { n: '01' }],
  // What is valid decides.
  [some('{ type: integer, maximum: 5 }', '{ type: string, minLength: 2 }'), '', 'n=12', { n: '12' }],
  [some('{ type: integer }', '{ type: string }'), '', 'n=9007199254740993', { n: 9007199254740993n }],
  // Maps and objects.
  [map('{ type: integer }'), 'style: deepObject', 'n[a]=1&n[b]=2', { n: { a: 1, b: 2 } }],
  [some(map('{ type: boolean }'), nothing), 'style: deepObject', 'n[a]=true', { n: { a: true } }],
  [map(integers), 'style: deepObject', 'n[a][]=1&n[a][]=2', { n: { a: [1, 2] } }],
  [map(integers), 'style: deepObject', 'n[a]=1', { n: { a: [1] } }],
  [map(map('{ type: integer }')), 'style: deepObject', 'n[a][b]=1', { n: { a: { b: 1 } } }],
  [
    '{ type: object, patternProperties: { ^x: { type: integer } } }',
    'style: deepObject',
    'n[x]=1&n[y]=1',
    { n: { x: 1, y: '1' } },
  ],
  [map('{ type: integer }'), '', 'a=1&b=2', { n: { a: 1, b: 2 } }],
  [map('{ type: integer }'), 'explode: false', 'n=a,1,b,2', { n: { a: 1, b: 2 } }],
  [
    some(
      '{ type: object, required: [k, a], properties: { k: { const: 1 }, a: { type: integer } } }',
      '{ type: object, required: [k, a], properties: { k: { const: two }, a: { type: string } } }',
    ),
    'style: deepObject',
    'n[k]=two&n[a]=1',
    { n: { k: 'two', a: '1' } },
  ],
  // Without a value.
  ['{ type: integer }', 'allowEmptyValue: true, required: true', 'n=', {}],
])('%s, %s: %s is read as an alternative or a map says', (schema, beside, query, expected) => {
  const parameter = `{ name: n, in: query, ${beside === '' ? '' : `${beside}, `}schema: ${schema} }`;
  const contract = loadFiles(withParameter(parameter));
  const [operation] = contract.operations;
  const reading = readParameters(operation as never, { pathValues: {}, query, headers: {} });
  expect(reading).toMatchObject({ query: expected, unknown: [], repeated: [] });
  expect(contract.validate.parameters(operation as never, reading)).toEqual([]);
});

test('in header fields, cookies and paths alternatives are read as in a query', () => {
  const schema = `schema: ${some(integers, '{ type: string, maxLength: 3 }')}`;
  expect(read(`{ name: X-N, in: header, ${schema} }`, '', { 'x-n': '1, 2' })).toEqual({ 'X-N': [1, 2] });
  expect(read(`{ name: X-N, in: header, ${schema} }`, '', { 'x-n': 'abc' })).toEqual({ 'X-N': 'abc' });
  expect(read(`{ name: c, in: cookie, ${schema} }`, '', { cookie: 'c=1,2' })).toEqual({ c: [1, 2] });
  expect(read(`{ name: c, in: cookie, ${schema} }`, '', { cookie: 'c=1; d=0; c=2' })).toEqual({ c: [1, 2] });
});

const either = `schema: ${some(map('{ type: integer }'), integers, '{ type: integer }')}`;

test.each([
  ['label', 'false', '.3', [3]],
  ['label', 'false', '.x,3,y,4', { x: 3, y: 4 }],
  ['label', 'true', '.x=3.y=4', { x: 3, y: 4 }],
  ['matrix', 'false', ';n=x,3,y,4', { x: 3, y: 4 }],
  ['matrix', 'true', ';x=3;y=4', { x: 3, y: 4 }],
  ['matrix', 'true', ';n=3;n=4', [3, 4]],
  ['simple', 'true', 'x=3,y=4', { x: 3, y: 4 }],
])('in a path, a map or a list is read in the style %s, exploded %s', (style, explode, text, value) => {
  const parameter = `{ name: n, in: path, required: true, style: ${style}, explode: ${explode}, ${either} }`;
  const files = { 'a.yaml': withParameter(parameter)['a.yaml']?.replace('/a:', "'/a/{n}':") ?? '' };
  const [operation] = loadFiles(files).operations;
  const reading = readParameters(operation as never, { pathValues: { n: text }, query: '', headers: {} });
  expect(reading.path).toEqual({ n: value });
});
