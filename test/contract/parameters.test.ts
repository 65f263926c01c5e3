import { expect, test } from 'vitest';
import type { Contract } from '../../src/contract/contract.js';
import { readParameters, type ParameterReading, type RepeatedPolicy } from '../../src/contract/parameters.js';
import { loadFiles } from './support/documents.js';
import { parseSource, createNotes } from '../../src/contract/document/document.js';
import { readOperations } from '../../src/contract/operations/operations.js';
import type { Operation } from '../../src/contract/model.js';
import { words } from '../support/words.js';

type Read = ParameterReading & { contract: Contract };

/** What is read of a request for a parameter `n`, of which the rest is given in YAML. */
function readAll(place: string, beside: string, sent: string): Read {
  const parameter = `{ name: n, in: ${place}, ${place === 'path' ? 'required: true, ' : ''}${beside} }`;
  const get = `get: { parameters: [${parameter}], responses: { '200': { description: Fine. } } }`;
  const path = place === 'path' ? '/a/{n}' : '/a';
  const head = 'openapi: 3.1.0\ninfo: { title: T, version: 1.0.0 }\n';
  const contract = loadFiles({ 'a.yaml': `${head}paths: { '${path}': { ${get} } }\n` });
  const pathValues: Record<string, string> = place === 'path' ? { n: sent } : {};
  const headers: Record<string, string> = place === 'header' ? { n: sent } : place === 'cookie' ? { cookie: sent } : {};
  const query = place === 'query' ? sent : '';
  return { ...readParameters(contract.operations[0] as never, { pathValues, query, headers }), contract };
}

function read(place: string, beside: string, sent: string): unknown {
  const reading = readAll(place, beside, sent);
  return { ...reading.path, ...reading.query, ...reading.header, ...reading.cookie }['n'];
}

const arrayOf = (items: string): string => `{ type: array, items: { type: ${items} } }`;
const map = (values: string): string => `{ type: object, additionalProperties: ${values} }`;
const some = (...schemas: string[]): string => `{ anyOf: [${schemas.join(', ')}] }`;
const integers = arrayOf('integer');
const nothing = "{ type: 'null' }";
const numbers = `schema: ${integers}`;
const texts = `schema: ${arrayOf('string')}`;
const fields = 'schema: { type: object, properties: { k: { type: string }, l: { type: string } } }';
const point = 'schema: { allOf: [{ type: object, properties: { x: { type: integer }, tag: { type: string } } }] }';
const either = `schema: ${some(map('{ type: integer }'), integers, '{ type: integer }')}`;
const long = `schema: ${some(integers, '{ type: string, maxLength: 3 }')}`;
const xy =
  'schema: { type: array, items: { type: object, properties: { x: { type: integer }, y: { type: integer } } } }';

test.each<[place: string, beside: string, sent: string, expected: unknown]>([
  // Lists and objects in each style.
  ['query', numbers, 'n=1&n=2', [1, 2]],
  ['query', numbers, 'n[]=1&n[]=2', [1, 2]],
  ['query', `explode: false, ${numbers}`, 'n=1,2', [1, 2]],
  ['query', `style: spaceDelimited, ${numbers}`, 'n=1%202', [1, 2]],
  ['header', numbers, '1, 2', [1, 2]],
  ['query', point, 'x=3&tag=a', { x: 3, tag: 'a' }],
  ['query', `style: pipeDelimited, explode: false, ${point}`, 'n=x|3|tag|a', { x: 3, tag: 'a' }],
  ['query', `content: { application/json: { ${point} } }`, 'n=%7B%22x%22:3,%22tag%22:%22a%22%7D', { x: 3, tag: 'a' }],
  ['cookie', 'schema: { anyOf: [{ type: integer }] }', 'a=1; n=7', 7],
  ['path', `style: label, explode: false, ${numbers}`, '.3,4', [3, 4]],
  ['path', `style: label, explode: true, ${numbers}`, '.3.4', [3, 4]],
  ['path', `style: matrix, explode: true, ${numbers}`, ';n=3;n=4', [3, 4]],
  ['path', `style: simple, explode: false, ${numbers}`, '3,4', [3, 4]],
  ['query', xy, 'n=x,1,y,2', [{ x: 1, y: 2 }]],
  ['query', xy, 'n={"x":1,"y":2}', [{ x: 1, y: 2 }]],
  // A delimiter in percent escapes is data.
  ['path', `style: simple, ${texts}`, 'a%2Cb,c%2Fd', ['a,b', 'c/d']],
  ['path', `style: label, explode: true, ${texts}`, '.a%2Eb.c%2Cd', ['a.b', 'c,d']],
  ['path', `style: matrix, explode: true, ${texts}`, ';n=a%2Cb;n=c%3Bd', ['a,b', 'c;d']],
  ['path', `style: simple, explode: true, ${fields}`, 'k=a%2Cb,l=c%3Dd', { k: 'a,b', l: 'c=d' }],
  ['query', `explode: false, ${fields}`, 'n=k,a%2Cb', { k: 'a,b' }],
  ['query', `explode: true, ${numbers}`, 'n=1%2C2', ['1,2']],
  ['cookie', `explode: false, ${texts}`, 'n=a%2Cb,c', ['a,b', 'c']],
  // A blank and a bar cannot be in a URL as they are, so that they separate in escapes as well.
  ['query', `style: spaceDelimited, explode: false, ${texts}`, 'n=a%20b+c', ['a', 'b', 'c']],
  ['query', `style: pipeDelimited, explode: false, ${texts}`, 'n=a%7Cb|c', ['a', 'b', 'c']],
  // Clients that escape every delimiter are understood where nothing else is valid.
  ['path', `style: simple, ${numbers}`, '1%2C2', [1, 2]],
  ['query', `explode: false, ${numbers}`, 'n=1%2C2', [1, 2]],
  ['query', `explode: false, ${point}`, 'n=x%2C3%2Ctag%2Ca', { x: 3, tag: 'a' }],
  // Alternatives elsewhere than in a query.
  ['header', long, '1, 2', [1, 2]],
  ['cookie', long, 'n=1; d=0; n=2', [1, 2]],
  ['path', `style: label, ${either}`, '.3', [3]],
  ['path', `style: matrix, ${either}`, ';n=x,3,y,4', { x: 3, y: 4 }],
  ['path', `style: matrix, explode: true, ${either}`, ';n=3;n=4', [3, 4]],
  ['path', `style: simple, explode: true, ${either}`, 'x=3,y=4', { x: 3, y: 4 }],
])('in a %s, with %s, %s is read', (place, beside, sent, expected) => {
  expect(read(place, beside, sent)).toEqual(expected);
});

test('an object takes its own fields alone, spread over the query or deep, and others are unknown', () => {
  expect(readAll('query', point, 'x=3&y=4')).toMatchObject({ query: { n: { x: 3 } }, unknown: ['y'] });
  const deep = 'style: deepObject, schema: { type: object, properties: { age: { type: integer } } }';
  const reading = readAll('query', deep, 'n[age]=3&n[name]=Rex&g[age]=1');
  expect(reading).toMatchObject({ query: { n: { age: 3, name: 'Rex' } }, unknown: ['g[age]'] });
  expect(readAll('query', deep, '').query).toEqual({});
});

const ages = `{ type: object, properties: { tags: ${integers}, age: { type: object, properties: { gte: { type: integer } } } } }`;
const kind = (is: string, type: string): string =>
  `{ type: object, required: [k, a], properties: { k: { const: ${is} }, a: { type: ${type} } } }`;

const KINDS = some(kind('1', 'integer'), kind('two', 'string'));

test.each([
  // Schema of n, what stands beside it, the query, what is read.
  [some(integers, nothing), '', 'n=1', { n: [1] }],
  ['{ oneOf: [{ type: integer }, { type: array, items: { type: integer }, minItems: 2 }] }', '', 'n=3', { n: 3 }],
  [some(integers, nothing), 'explode: false', 'n=1,2', { n: [1, 2] }],
  [some(integers, nothing), 'style: pipeDelimited, explode: false', 'n=1%7C2', { n: [1, 2] }],
  ["{ type: [array, 'null'], items: { type: [integer, string] } }", '', 'n=1&n=x', { n: [1, 'x'] }],
  ['{ type: array, prefixItems: [{ type: integer }, { type: string }] }', '', 'n=1&n=2', { n: [1, '2'] }],
  ['{ allOf: [{ type: array }, { items: { type: integer } }] }', '', 'n=1', { n: [1] }],
  ['{ type: [integer, boolean] }', '', 'n=true', { n: true }],
  [some('{ type: number }', '{ type: boolean }'), '', 'n=0.10', { n: 0.1 }],
  ['{ enum: [1, true, a] }', '', 'n=a', { n: 'a' }],
  [some('{ type: integer }', '{ type: string }'), '', 'n=01', { n: '01' }],
  // What is valid decides.
  [some('{ type: integer, maximum: 5 }', '{ type: string, minLength: 2 }'), '', 'n=12', { n: '12' }],
  [some('{ type: integer }', '{ type: string }'), '', 'n=9007199254740993', { n: 9007199254740993n }],
  // Maps and objects.
  [ages, 'style: deepObject', 'n[age][gte]=3&n[tags][]=1&n[tags][]=2', { n: { age: { gte: 3 }, tags: [1, 2] } }],
  [map('{ type: integer }'), 'style: deepObject', 'n[a]=1&n[b]=2', { n: { a: 1, b: 2 } }],
  [map(integers), 'style: deepObject', 'n[a][]=1&n[a][]=2', { n: { a: [1, 2] } }],
  ['{ patternProperties: { ^x: { type: integer } } }', 'style: deepObject', 'n[x]=1&n[y]=1', { n: { x: 1, y: '1' } }],
  [map('{ type: integer }'), '', 'a=1&b=2', { n: { a: 1, b: 2 } }],
  [KINDS, 'style: deepObject', 'n[k]=two&n[a]=1', { n: { k: 'two', a: '1' } }],
  // Without a value.
  ['{ type: integer }', 'allowEmptyValue: true, required: true', 'n=', {}],
])('%s, %s: %s is read as an alternative or a map says', (schema, beside, query, expected) => {
  const reading = readAll('query', `${beside === '' ? '' : `${beside}, `}schema: ${schema}`, query);
  expect(reading).toMatchObject({ query: expected, unknown: [], repeated: [] });
  const { contract } = reading;
  expect(contract.validate.parameters(contract.operations[0] as never, reading)).toEqual([]);
});

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

function readPet({ id = '1', query = '', headers = {} }: Raw, repeated?: RepeatedPolicy): ParameterReading {
  const options = repeated === undefined ? {} : { repeated };
  return readParameters(operation, { pathValues: { id }, query, headers }, options);
}

test('a number is readPet where the contract has a number', () => {
  expect(readPet({ id: '9223372036854775807', query: 'limit=10', headers: { 'x-trace': '7' } })).toMatchObject({
    path: { id: 9223372036854775807n },
    query: { limit: 10 },
    header: { 'X-Trace': 7 },
  });
});

test.each(['abc', '', ' 1', '0x10', '1,2', '+', '5.0', '1e1', '+5', '05'])(
  '%j stays a text where the contract has an integer',
  (text) => {
    expect(readPet({ query: `limit=${encodeURIComponent(text)}` }).query).toEqual({ limit: text });
  },
);

test.each<[string, Record<string, unknown>]>([
  ['tame=true', { tame: true }],
  // As forms write them.
  ['name=a%2Bb+c%26%F0%9F%90%B6', { name: 'a+b c&🐶' }],
  // Only the first equals sign ends the name.
  ['name=a=b&&limit', { name: 'a=b', limit: '' }],
  ['n%61me=x', { name: 'x' }],
  // A text is one value, whatever properties its schema has beside its type.
  ['odd=a', { odd: 'a' }],
])('the query %s is read', (query, expected) => expect(readPet({ query }).query).toEqual(expected));

test('a plus sign in a path is a plus sign', () => expect(readPet({ id: '+1' }).path).toEqual({ id: '+1' }));

test('a parameter that stands more than once is told, and one of its values counts', () => {
  expect(readPet({ query: 'limit=1&limit=2' })).toMatchObject({ query: { limit: 1 }, repeated: ['limit'] });
  expect(readPet({ query: 'limit=1&limit=2' }, 'last').query).toEqual({ limit: 2 });
});

test('parameters that the contract does not have are told, once each', () =>
  expect(readPet({ query: 'a=1&b=2&a=3&limit=1&__proto__=x' }).unknown).toEqual(['a', 'b', '__proto__']));

test.each(['%', '%zz', '%c3', '%E0%A4%A'])('the escape %s is told and not read', (raw) => {
  expect(readPet({ id: raw, query: `name=${raw}` })).toMatchObject({
    path: {},
    query: {},
    badEscapes: [
      { part: 'query', name: 'name', raw: `name=${raw}` },
      { part: 'path', name: 'id', raw },
    ],
  });
});

test('what describes the message or the credentials is no parameter', () =>
  expect(operation.parameters.map(({ name }) => name)).toEqual(words`id limit name tame tag odd X-Trace`));
