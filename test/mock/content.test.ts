import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPetstoreMock, type PetstoreMock } from '../../src/server/start-petstore-mock.js';
import { makeFile } from '../support/folder.js';

// Media types, multipart bodies and header fields, over HTTP.

const CONTRACT = `openapi: 3.1.0
info: { title: Content, version: '1' }
paths:
  /keyed:
    get: { responses: { '200': { description: ok, content: { 'a/x+json; v=1': { example: { v: 1 } }, 'a/x+json; v=2': { example: { v: 2 } }, 'text/*': { example: hello } } } } }
    post:
      requestBody: { content: { 'application/*': { schema: { type: object, required: [any], properties: { any: { type: integer } } } }, application/json: { schema: { required: [one] } }, 'application/json; v=2': { schema: { required: [two] } } } }
      responses: { '200': { description: ok } }
  /upload:
    post:
      requestBody:
        content:
          multipart/form-data:
            schema: { type: object, required: [files], additionalProperties: false, properties: { files: { type: array, maxItems: 2, items: { type: string, format: binary, maxLength: 3 } }, about: { type: object, required: [by], properties: { by: { type: string } } } } }
            encoding: { files: { contentType: 'image/*, text/csv', headers: { X-Width: { schema: { type: integer } } } } }
      responses: { '200': { description: ok } }
  /things:
    get: { responses: { '200': { description: ok, content: { application/xml: { schema: { type: array, items: { $ref: '#/components/schemas/Thing' } } }, application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Thing' } } } } } } }
    post:
      requestBody: { content: { multipart/form-data: { schema: { $ref: '#/components/schemas/Thing' } } } }
      responses: { '201': { description: made, content: { 'application/*': { schema: { $ref: '#/components/schemas/Thing' } } } } }
  /things/{id}:
    get: { parameters: [{ name: id, in: path, required: true, schema: { type: integer } }], responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } } } }
  /fields:
    get:
      responses:
        '200':
          description: ok
          content: { 'text/html;charset=UTF-8': { example: <p> } }
          headers:
            X-Json: { required: true, content: { application/json: { schema: { type: object, required: [k], properties: { k: { type: integer, const: 7 } } } } } }
            X-Text: { required: true, content: { application/json: { schema: { type: string }, example: ü } } }
            X-Any: { required: true, content: { application/json: {} } }
            X-Map: { required: true, explode: true, schema: { type: object, example: { a: 1, b: true } } }
            X-Plain: { required: true, schema: { type: object, example: { a: 1, b: true } } }
components: { schemas: { Thing: { type: object, required: [id, name], properties: { id: { type: integer, readOnly: true }, name: { type: string }, photo: { type: string, format: binary } } } } }
`;

let mock: PetstoreMock;
beforeAll(async () => {
  mock = await startPetstoreMock({ spec: makeFile('content.yaml', CONTRACT), prism: false });
});
afterAll(() => mock.close());

const ask = (path: string, init: RequestInit = {}): Promise<Response> => fetch(`${mock.url}${path}`, init);
const post = (path: string, type: string, body: string): Promise<Response> =>
  ask(path, { method: 'POST', headers: { 'content-type': type }, body });

const FORM = 'application/x-www-form-urlencoded';

test.each([
  ['application/json', '{"one":1}', 200],
  ['application/json; charset=utf-8; v=2', '{"two":1}', 200],
  ['application/json; v=2', '{"one":1}', 400],
  ['application/hal+json', '{"any":1}', 200],
  ['application/hal+json', '{"one":1}', 400],
  [FORM, 'any=1', 200],
  [FORM, 'any=x', 400],
  ['text/plain', 'any=1', 415],
])('a body of %s with %s gets %d', async (type, body, status) => {
  expect((await post('/keyed', type, body)).status).toBe(status);
});

test.each([
  ['a/x+json; v=2', 'a/x+json; v=2', '{"v":2}'],
  ['text/csv, a/*;q=0.1', 'text/csv', 'hello'],
  ['*/*', 'a/x+json; v=1', '{"v":1}'],
])('Accept %s is given %s', async (accept, type, body) => {
  const response = await ask('/keyed', { headers: { accept } });
  expect([response.headers.get('content-type'), await response.text()]).toEqual([type, body]);
});

test('stored records are written as Accept asks', async () => {
  const response = await ask('/things', { headers: { accept: 'application/xml' } });
  const xml = ['application/xml', expect.stringContaining('<?xml')];
  expect([response.headers.get('content-type'), await response.text()]).toEqual(xml);
});

const part = (head: string, body: string): string =>
  `--B\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`;
const file = (body: string, type = 'image/png', name = 'files'): string =>
  part(`name="${name}"; filename="名.png"\r\nX-Width: 7\r\nContent-Type: ${type}`, body);
const about = (body: string): string => part('name="about"; filename=blob\r\nContent-Type: application/json', body);

test.each([
  ['two files', file('abc') + file('é', 'Text/CSV; header=present'), ''],
  ['nested JSON', file('') + about('{"by":"Ann"}'), ''],
  ['nested JSON that breaks its schema', file('') + about('{}'), 'body/about/by is required'],
  ['no file', about('{"by":"Ann"}'), 'body/files is required'],
  ['an unknown file', file('a') + file('a', 'image/png', 'other'), 'body/other'],
  ['too many files', file('a') + file('b') + file('c'), 'body/files must be an array of at most 2 items'],
  ['a file of four octets', file('éé'), 'body/files/0 must be at most 3 characters long'],
  ['another media type', file('a', 'text/html'), 'body/files must be sent as image/* or text/csv, but is sent as text'],
  ['a header field of a part', file('a').replace('7', 'wide'), 'body/files/x-width must be an integer'],
])('a multipart body with %s is validated', async (_, body, message) => {
  const response = await post('/upload', 'multipart/form-data; boundary=B', `${body}--B--\r\n`);
  const status = message === '' ? 200 : 400;
  expect([response.status, await response.text()]).toEqual([status, expect.stringContaining(message)]);
});

test.each([
  ['multipart/form-data', `${file('a')}--B--\r\n`, 'has no boundary'],
  ['multipart/form-data; boundary=B', file('a'), 'does not end with the delimiter --B--'],
])('%s with a body that does not fit it is rejected', async (type, body, message) => {
  const response = await post('/upload', type, body);
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(message)]);
});

test('a record is created from a form with a file, without the bytes', async () => {
  const body = `${part('name="name"', 'Rex')}${file('\u0000', 'image/png', 'photo')}--B--`;
  const response = await post('/things', 'multipart/form-data; boundary=B', body);
  expect([response.status, response.headers.get('content-type')]).toEqual([201, 'application/json']);
  expect(await response.json()).toEqual({ id: expect.any(Number) as number, name: 'Rex' });
});

test('header fields are in JSON, exploded or simple, as the contract has them', async () => {
  const { headers } = await ask('/fields');
  const shown = {
    'x-json': '{"k":7}',
    'x-text': String.raw`"\u00fc"`,
    'x-any': '{}',
    'x-map': 'a=1,b=true',
    'x-plain': 'a,1,b,true',
    'content-type': 'text/html; charset=utf-8',
  };
  expect(Object.fromEntries(headers)).toMatchObject(shown);
});
