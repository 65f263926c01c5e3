import { expect, test, afterAll, beforeAll } from 'vitest';
import { createPetstoreFetch } from '../../src/index.js';
import { makeFile } from '../support/folder.js';
import { content } from '../support/open-paths.js';
import { listOf, NUMBER, object, TEXT } from '../support/schemas.js';
import { yaml } from '../support/yaml.js';
import { startPetstoreMock, type PetstoreMock } from '../../src/server/start-petstore-mock.js';

const FORM = 'application/x-www-form-urlencoded';
const n = { ...object({ n: NUMBER, tags: listOf(TEXT) }, ['n']), additionalProperties: false };
const ok = { 200: content({}), 400: content({}) };
const event = object({ event: { const: 'tick' }, data: { const: 'a\nb' } }, ['event', 'data']);
const items = (type: string, itemSchema: object): object => ({ required: true, content: { [type]: { itemSchema } } });
const whole = (type: string, schema: object = n, more: object = {}): object => {
  const query = { name: 'q', in: 'querystring', required: schema === n, content: { [type]: { schema, ...more } } };
  return { get: { parameters: [query], responses: ok } };
};
const cookie = (name: string, schema: unknown): object => ({
  get: { parameters: [{ name, in: 'cookie', style: 'cookie', schema }], responses: ok },
});
const both = (type: string, item: object = n): object => ({
  get: { responses: { 200: { description: '', ...items(type, item) } } },
  post: { requestBody: items(type, item), responses: ok },
});
const shows = (type: string, shown: object): object => ({
  get: { responses: { 200: { description: '', content: { [type]: shown } } } },
});
const exact = (type: string, one: object): object => shows(type, { schema: {}, examples: { one } });
const integers = listOf(NUMBER);
const encoded = { ...object({ pipes: integers, one: integers, deep: n, json: n }), additionalProperties: false };
const { encoding, fields, sequence, data } = yaml<Record<'encoding' | 'fields' | 'sequence' | 'data', object>>`
encoding: { pipes: { style: pipeDelimited, explode: false }, one: { style: form, explode: false },
  deep: { style: deepObject }, json: { contentType: application/json } }
sequence: { list: { dataValue: [{ n: 1 }, { n: 2 }] }, text: { serializedValue: "{\"n\":3}\n" } }
data: { one: { dataValue: { n: 1 } }, two: { serializedValue: '{"n":2}' } }
fields:
  X-Data: { schema: &list { type: array, items: { type: integer } }, examples: { one: { dataValue: [4, 5] } } }
  X-Both: { schema: *list, examples: { one: { dataValue: [4, 5], serializedValue: '4, 5' } } }
  X-Text: { schema: { type: string }, examples: { one: { serializedValue: 'as it is; q="1"' } } }
  X-Value: { schema: *list, examples: { one: { value: '6,7' } } }
  X-Object: { schema: { type: object }, explode: true, examples: { one: { dataValue: { a: 1 } } } }
  X-Json: { content: { application/json: { schema: { type: object }, examples: { one: { dataValue: { k: [1] } } } } } }
  X-Wrong: { schema: { type: integer }, examples: { one: { dataValue: 1, serializedValue: one } } }
`;
const paths = {
  '/form': whole(FORM),
  '/json': whole('application/json'),
  '/list': cookie('c', integers),
  '/fields': cookie('o', n),
  '/lines': both('application/jsonl'),
  '/nd': both('application/x-ndjson'),
  '/seq': both('application/json-seq'),
  '/events': both('text/event-stream', event),
  '/data': shows('application/json', { examples: data }),
  '/encoded': whole(FORM, encoded, { encoding }),
  '/headers': { get: { responses: { 204: { description: '', headers: fields } } } },
  '/xml': exact('application/xml', { dataValue: { n: 5 }, serializedValue: '<e n="5"><!-- so --></e>' }),
  '/csv': exact('text/csv', { dataValue: [{ a: 1 }], serializedValue: 'a\r\n1\r\n' }),
  '/spaced': exact('application/json', { dataValue: { n: 1 }, serializedValue: '{ "n": 1 }\n' }),
  '/shown': shows('application/jsonl', { itemSchema: n, examples: sequence }),
};
const document = JSON.stringify({ openapi: '3.2.0', info: { title: 'A', version: '1' }, paths });
const mock = createPetstoreFetch({ spec: makeFile('a.json', document), prism: false });
const get = (path: string, headers: Record<string, string> = {}): Promise<Response> => mock.fetch(path, { headers });

test.each([
  ['/form?n=1&tags=a&tags=b', '', 200],
  ['/form?n=x', '', 400],
  ['/form', '', 400],
  ['/encoded?pipes=1%7C2&one=1,2&deep[n]=1&json=%7B%22n%22:1%7D', '', 200],
  ['/encoded?pipes=1%7Cx', '', 400],
  ['/encoded?one=1,x', '', 400],
  ['/encoded?deep[n]=x', '', 400],
  ['/json?%7B%22n%22%3A1%7D', '', 200],
  ['/json?n=1', '', 400],
  ['/list', 'c=1; c=2; d=x', 200],
  ['/list', 'c=1; c=x', 400],
  ['/fields', 'n=1; d=x', 200],
  ['/fields', 'n=x', 400],
])('GET %s with the cookies %j is answered with %i', async (target, cookies, status) => {
  expect((await get(target, cookies === '' ? {} : { cookie: cookies })).status).toBe(status);
});

test.each([
  ['/lines', 'application/jsonl', '{"n":1}\n{"n":2}\n', '{"n":1}\n{"n":"x"}\n'],
  ['/nd', 'application/x-ndjson', '{"n":1}\r\n\r\n{"n":2}', '{"n":1}\n{n'],
  ['/seq', 'application/json-seq', '\u001e{"n":1}\n\u001e{"n":2}\n', '\u001e{"m":1}\n'],
  ['/events', 'text/event-stream', ': hello\n\nevent: tick\ndata: a\ndata: b\n\n', 'event: tock\ndata: a\ndata: b\n\n'],
])('each item of a sequence is validated at %s, and made there', async (target, type, valid, invalid) => {
  const send = async (body: string): Promise<number> =>
    (await mock.fetch(target, { method: 'POST', headers: { 'content-type': type }, body })).status;
  expect([await send(valid), await send(invalid)]).toEqual([200, 400]);
  const made = await get(target);
  expect([made.status, made.headers.get('content-type')]).toEqual([200, type]);
  expect(await send(await made.text())).toBe(200);
});

test.each([
  ['/data', 'one', '{"n":1}'],
  ['/data', 'two', '{"n":2}'],
  ['/shown', 'list', '{"n":1}\n{"n":2}\n'],
  ['/shown', 'text', '{"n":3}\n'],
  // What an example says is sent for its value is sent as it is.
  ['/xml', 'one', '<e n="5"><!-- so --></e>'],
])('the example of %s called %s is sent', async (target, name, text) => {
  expect(await (await get(target, { prefer: `example=${name}` })).text()).toBe(text);
});

test('an example of a header field is data or the text itself', async () => {
  const { headers } = await get('/headers');
  const sent = Object.keys(fields).map((name) => headers.get(name));
  expect(sent).toEqual(['4,5', '4, 5', 'as it is; q="1"', '6,7', 'a=1', '{"k":[1]}', expect.stringMatching(/^\d+$/)]);
});

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

let served: PetstoreMock;
beforeAll(async () => {
  served = await startPetstoreMock({ spec: makeFile('content.yaml', CONTRACT), prism: false });
});
afterAll(() => served.close());

const ask = (path: string, init: RequestInit = {}): Promise<Response> => fetch(`${served.url}${path}`, init);
const post = (path: string, type: string, body: string): Promise<Response> =>
  ask(path, { method: 'POST', headers: { 'content-type': type }, body });

test.each([
  ['application/json', '{"one":1}', 200],
  ['application/json; charset=utf-8; v=2', '{"two":1}', 200],
  ['application/json; v=2', '{"one":1}', 400],
  ['application/hal+json', '{"any":1}', 200],
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

const part = (head: string, body: string): string =>
  `--B\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`;
const file = (body: string, type = 'image/png', name = 'files'): string =>
  part(`name="${name}"; filename="名.png"\r\nX-Width: 7\r\nContent-Type: ${type}`, body);
const about = (body: string): string => part('name="about"; filename=blob\r\nContent-Type: application/json', body);

test.each([
  ['two files', file('abc') + file('é', 'Text/CSV; header=present'), ''],
  ['nested JSON', file('') + about('{"by":"Ann"}'), ''],
  ['nested JSON that breaks its schema', file('') + about('{}'), 'body/about/by is required'],
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
