import { expect, test } from 'vitest';
import { readForm } from '../../../src/contract/forms.js';
import type { Contract } from '../../../src/contract/contract.js';
import type { Operation } from '../../../src/contract/model.js';
import { readParameters } from '../../../src/contract/parameters.js';
import { describeNotes } from '../../../src/contract/document/document.js';
import { loadFiles } from '../support/documents.js';

const HEAD = "swagger: '2.0'\ninfo: { title: T, version: '1' }\n";

/** A document of Swagger 2.0 with one operation, `POST /a/{p}`. */
function load(operation: string, more = ''): { contract: Contract; operation: Operation } {
  const post = `post:\n      ${operation}\n      responses: { '200': { description: ok } }`;
  const contract = loadFiles({ 's.yaml': `${HEAD}${more}paths:\n  /a/{p}:\n    ${post}\n` });
  const [only] = contract.operations;
  if (only === undefined) throw new Error('there is no operation');
  return { contract, operation: only };
}

type Sent = { p?: string; query?: string; form?: string; header?: string };

/** What is read of a request and which rules it breaks. */
function judge(parameters: string, { p, query = '', form, header }: Sent): { read: unknown; broken: string[] } {
  const { contract, operation } = load(`parameters: [${parameters}]`);
  const headers: Record<string, string> = header === undefined ? {} : { 'x-h': header };
  const reading = readParameters(operation, { pathValues: p === undefined ? {} : { p }, query, headers });
  const content = operation.requestBody?.content[0];
  const pairs = Array.from(new URLSearchParams(form), ([name, value]) => ({ name, value }));
  const body = form === undefined ? undefined : readForm(pairs, content);
  const ofBody = body === undefined ? [] : contract.validate.requestBody(operation, content?.mediaType ?? '', body);
  const ofParameters = contract.validate
    .parameters(operation, reading)
    .filter(({ at }) => p !== undefined || at !== 'path/p');
  const read = body ?? { ...reading.query, ...reading.header, ...(p === undefined ? {} : reading.path) };
  return { read, broken: [...ofParameters, ...ofBody].map(({ at, rule }) => `${at} ${rule}`) };
}

const list = (place: string, more: string): string =>
  `{ name: ${place === 'header' ? 'X-H' : 'p'}, in: ${place}, required: true, type: array, items: { type: integer }, ${more} }`;
const field = (rules: string): string => `{ name: p, in: formData, ${rules} }`;
const lists = (own: string, items: string): string =>
  `{ name: p, in: query, type: array, ${own === '' ? '' : `${own}, `}items: { ${items} } }`;
const TOO_LARGE = 'query/p/1/0 maximum';
const PIPES = 'type: array, collectionFormat: pipes';
const integers = 'type: array, items: { type: integer }';

test.each<[parameter: string, sent: Sent, read: unknown, ...broken: string[]]>([
  // Every separator in every place.
  [list('query', ''), { query: 'p=1,2' }, { p: [1, 2] }],
  [list('query', 'collectionFormat: ssv'), { query: 'p=1+2' }, { p: [1, 2] }],
  [list('query', 'collectionFormat: tsv'), { query: 'p=1%092' }, { p: [1, 2] }],
  [list('query', 'collectionFormat: pipes'), { query: 'p=1%7C2' }, { p: [1, 2] }],
  [list('query', 'collectionFormat: multi'), { query: 'p=1&p=2' }, { p: [1, 2] }],
  [list('query', 'collectionFormat: tsv'), { query: 'p=1%09b' }, { p: [1, 'b'] }, 'query/p/1 type'],
  [list('path', 'collectionFormat: pipes'), { p: '1%7C2' }, { p: [1, 2] }],
  [list('path', 'collectionFormat: ssv'), { p: '1%202' }, { p: [1, 2] }],
  [list('header', 'maxItems: 1'), { header: '1,2' }, { 'X-H': [1, 2] }, 'header/X-H maxItems'],
  [field(integers), { form: 'p=1,2' }, { p: [1, 2] }],
  [field(`${integers}, collectionFormat: multi`), { form: 'p=1&p=2' }, { p: [1, 2] }],
  [field(integers), { form: 'p=1&p=b' }, { p: [1, 'b'] }, 'body/p/1 type'],
  [lists('collectionFormat: pipes', integers), { query: 'p=1,2%7C3' }, { p: [[1, 2], [3]] }],
  [
    lists('', `${PIPES}, items: { maximum: 2, type: integer }`),
    { query: 'p=1%7C2,3' },
    { p: [[1, 2], [3]] },
    TOO_LARGE,
  ],
  // The rules of a form.
  [field('type: integer, minimum: 2'), { form: 'p=1' }, { p: 1 }, 'body/p minimum'],
  [field('type: integer, maximum: 2, exclusiveMaximum: true'), { form: 'p=2' }, { p: 2 }, 'body/p exclusiveMaximum'],
  [field(`${integers}, minItems: 3`), { form: 'p=1,1' }, { p: [1, 1] }, 'body/p minItems'],
  [field('type: string, required: true'), { form: 'q=c' }, { q: 'c' }, 'body/p required'],
  [field('type: boolean'), { form: 'p=true' }, { p: true }],
  [field('type: integer, allowEmptyValue: true'), { form: 'p=' }, { p: '' }],
  [field('type: integer'), { form: 'p=' }, { p: '' }, 'body/p type'],
  ['{ name: p, in: query, type: integer, allowEmptyValue: true, required: true }', { query: 'p' }, {}],
  // As OpenAPI 3 writes it, which many documents do.
  ['{ name: p, in: query, schema: { type: integer, maximum: 3 } }', { query: 'p=4' }, { p: 4 }, 'query/p maximum'],
])('Swagger 2.0: %s is sent as %j', (parameter, sent, read, ...broken) => {
  expect(judge(parameter, sent)).toEqual({ read, broken });
});

test('each rule of a parameter keeps its line', () => {
  const { contract, operation } = load(
    'parameters:\n        - { name: n, in: formData, type: integer,\n          minimum: 2 }',
  );
  const { mediaType = '' } = operation.requestBody?.content[0] ?? {};
  const [violation] = contract.validate.requestBody(operation, mediaType, { n: 1 });
  expect(violation?.contract).toMatchObject({ file: 's.yaml', line: 8 });
});

const JSON_TYPE = ['application/json'];
const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data'];
const BODY = '{ name: b, in: body, schema: { type: object } }';
const OWN = 'consumes: [text/a], produces: [text/b], ';
const SHARED = 'consumes: [text/c]\nproduces: [text/d]\n';

test.each([
  ['the operation before the document', OWN, SHARED, BODY, [['text/a'], ['text/b']]],
  ['the document', '', SHARED, BODY, [['text/c'], ['text/d']]],
  ['JSON where nothing is said', '', '', BODY, [JSON_TYPE, JSON_TYPE]],
  ['both kinds of forms', 'consumes: [application/json], ', '', field('type: string'), [FORM_TYPES, JSON_TYPE]],
  ['parts for a file', '', '', field('type: file'), [['multipart/form-data'], JSON_TYPE]],
])('media types are of %s', (_, own, more, parameter, expected) => {
  const responses = "responses: { '200': { description: ok, schema: { type: object } } }";
  const paths = `paths:\n  /a:\n    post: { ${own}parameters: [${parameter}], ${responses} }\n`;
  const [operation] = loadFiles({ 's.yaml': `${HEAD}${more}${paths}` }).operations;
  const typesOf = (given: Operation['requestBody'] | Operation['responses'][0]): unknown =>
    given?.content.map(({ mediaType }) => mediaType);
  expect([typesOf(operation?.requestBody), typesOf(operation?.responses[0] as never)]).toEqual(expected);
});

test('a file is anything, whatever its media type', () => {
  const file = "responses: { '200': { description: ok, schema: { type: file } } }";
  const paths = `  /a: { get: { produces: [application/json, text/csv], ${file} } }\n  /b: { get: { ${file} } }\n`;
  const { operations, validate } = loadFiles({ 's.yaml': `${HEAD}paths:\n${paths}` });
  const judgeFile = (index: number, type: string, value: unknown): unknown[] => {
    const response = { status: 200, headers: { 'Content-Type': type }, body: { value, text: '' } };
    return validate.response(operations[index] as Operation, response);
  };
  expect(judgeFile(0, 'application/json', { a: 1 })).toEqual([]);
  expect(judgeFile(0, 'text/csv', 'a,b')).toEqual([]);
  expect(judgeFile(1, 'image/png', '')).toEqual([]);
});

test('parameters of a path and shared ones are inherited, and an own one replaces them', () => {
  const text = `${HEAD}parameters:
  Limit: { name: limit, in: query, type: integer, maximum: 5 }
  Name: { name: name, in: formData, type: string, maxLength: 3 }
  Thing: { name: thing, in: body, required: true, schema: { $ref: '#/definitions/Thing' } }
responses:
  Fine: { description: ok, schema: { $ref: '#/definitions/Thing' }, headers: { X-N: { type: integer } }, examples: { application/json: { id: 7 } } }
paths:
  /a:
    parameters: [{ $ref: '#/parameters/Limit' }, { $ref: '#/parameters/Name' }, { name: age, in: formData, type: integer }]
    post: { parameters: [{ name: age, in: formData, type: string }], responses: { '200': { $ref: '#/responses/Fine' } } }
  /b:
    post: { parameters: [{ $ref: '#/parameters/Thing' }], responses: { '200': { $ref: 'more.yaml#/responses/Fine' } } }
  /c: { $ref: 'more.yaml#/c' }
definitions:
  Thing: { type: object, discriminator: kind, properties: { id: { type: integer, x-nullable: true } } }
`;
  const more = `c:
  get: { operationId: c, parameters: [{ name: q, in: query, type: integer, maximum: 3 }], responses: { '200': { description: ok } } }
responses:
  Fine: { description: ok, schema: { $ref: 's.yaml#/definitions/Thing' } }
`;
  const contract = loadFiles({ 's.yaml': text, 'more.yaml': more });
  const [a, b, c] = contract.operations as [Operation, Operation, Operation];
  expect(a.parameters.map(({ name }) => name)).toEqual(['limit']);
  expect([...(a.requestBody?.fields ?? [])].toSorted()).toEqual(['age', 'name']);
  const form = a.requestBody?.content[0]?.mediaType ?? '';
  expect(contract.validate.requestBody(a, form, { name: 'long', age: 'x' }).map(({ at }) => at)).toEqual(['body/name']);
  expect(a.responses[0]?.headers.map(({ name }) => name)).toEqual(['X-N']);
  expect(contract.document.at(`${a.responses[0]?.pointer}/content/application~1json/example`)).toEqual({ id: 7 });
  expect(b.requestBody).toMatchObject({ required: true });
  const body = { value: { id: 'x' }, text: '' };
  const wrong = { status: 200, headers: { 'Content-Type': 'application/json' }, body };
  expect(contract.validate.response(b, wrong).map(({ contract: { line } }) => line)).toEqual([17]);
  expect(contract.validate.response(b, { ...wrong, body: { value: { id: null }, text: '' } })).toEqual([]);
  const [broken] = contract.validate.parameters(c, readParameters(c, { pathValues: {}, query: 'q=4', headers: {} }));
  expect(broken?.contract).toMatchObject({ file: 'more.yaml', line: 2 });
  contract.validate.compileAll();
  expect(describeNotes(contract.listNotes(), Infinity)).toEqual([]);
});

test('a list of items is noted and not read', () => {
  const schema = '{ type: array, items: [{ type: string }, { type: integer }] }';
  const { contract, operation } = load(`parameters: [{ name: b, in: body, schema: ${schema} }]`);
  expect(contract.validate.requestBody(operation, 'application/json', [1, 'a'])).toEqual([]);
  expect(contract.listNotes().map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/^items must be a schema, not .*; it is ignored\.$/),
  );
});

test('schemes of credentials are those of OpenAPI 3', () => {
  const schemes = `securityDefinitions: { b: { type: basic }, k: { type: apiKey, name: X-Key, in: header },
  o: { type: oauth2, flow: application, tokenUrl: "http://a", scopes: { r: reads } } }
`;
  const { contract } = load('parameters: []', schemes);
  const told = contract.securitySchemes.map(({ name, kind }) => `${name} ${kind}`);
  expect(told).toEqual(['b basic', 'k header', 'o bearer']);
});
