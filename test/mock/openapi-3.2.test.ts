import { expect, test } from 'vitest';
import { createPetstoreApp } from '../../src/index.js';
import { makeFolder } from '../support/folder.js';
import { content } from '../support/open-paths.js';
import request from 'supertest';

const n = {
  type: 'object',
  required: ['n'],
  properties: { n: { type: 'integer' }, tags: { type: 'array', items: { type: 'string' } } },
  additionalProperties: false,
};
const ok = { 200: content({}), 400: content({}) };
const items = (mediaType: string, itemSchema: unknown = n): object => ({
  required: true,
  content: { [mediaType]: { itemSchema } },
});
const whole = (mediaType: string): object => ({
  parameters: [{ name: 'q', in: 'querystring', required: true, content: { [mediaType]: { schema: n } } }],
  responses: ok,
});
const cookie = (name: string, schema: unknown): object => ({
  parameters: [{ name, in: 'cookie', style: 'cookie', schema }],
  responses: ok,
});
const event = {
  type: 'object',
  required: ['event', 'data'],
  properties: { event: { const: 'tick' }, data: { const: 'a\nb' } },
};
const both = (mediaType: string, itemSchema?: unknown): object => ({
  get: { responses: { 200: { description: '', ...items(mediaType, itemSchema) } } },
  post: { requestBody: items(mediaType, itemSchema), responses: ok },
});
const examples = { list: { dataValue: [{ n: 1 }, { n: 2 }] }, text: { serializedValue: '{"n":3}\n' } };
const list = (type: string): object => ({ type: 'array', items: { type } });
const encoded = {
  parameters: [
    {
      name: 'q',
      in: 'querystring',
      content: {
        'application/x-www-form-urlencoded': {
          schema: {
            type: 'object',
            properties: { pipes: list('integer'), one: list('integer'), deep: n, json: n },
            additionalProperties: false,
          },
          encoding: {
            pipes: { style: 'pipeDelimited', explode: false },
            one: { style: 'form', explode: false },
            deep: { style: 'deepObject' },
            json: { contentType: 'application/json' },
          },
        },
      },
    },
  ],
  responses: ok,
};
const field = (schema: unknown, example: object, more = {}): object => ({
  schema,
  examples: { one: example },
  ...more,
});
const fields = {
  'X-Data': field(list('integer'), { dataValue: [4, 5] }),
  'X-Both': field(list('integer'), { dataValue: [4, 5], serializedValue: '4, 5' }),
  'X-Text': field({ type: 'string' }, { serializedValue: 'as it is; q="1"' }),
  'X-Value': field(list('integer'), { value: '6,7' }),
  'X-Object': field({ type: 'object' }, { dataValue: { a: 1 } }, { explode: true }),
  'X-Json': { content: { 'application/json': field({ type: 'object' }, { dataValue: { k: [1] } }) } },
  'X-Wrong': field({ type: 'integer' }, { dataValue: 1, serializedValue: 'one' }),
};
const exact = (mediaType: string, example: object): object => ({
  get: {
    responses: { 200: { description: '', content: { [mediaType]: { schema: {}, examples: { one: example } } } } },
  },
});
const app = createPetstoreApp({
  spec: `${makeFolder({
    'a.json': JSON.stringify({
      openapi: '3.2.0',
      info: { title: 'A', version: '1' },
      paths: {
        '/form': { get: whole('application/x-www-form-urlencoded') },
        '/json': { get: whole('application/json') },
        '/list': { get: cookie('c', { type: 'array', items: { type: 'integer' } }) },
        '/fields': { get: cookie('o', n) },
        '/lines': both('application/jsonl'),
        '/nd': both('application/x-ndjson'),
        '/seq': both('application/json-seq'),
        '/events': both('text/event-stream', event),
        '/data': {
          get: {
            responses: {
              200: {
                description: '',
                content: {
                  'application/json': {
                    examples: { one: { dataValue: { n: 1 } }, two: { serializedValue: '{"n":2}' } },
                  },
                },
              },
            },
          },
        },
        '/encoded': { get: encoded },
        '/headers': { get: { responses: { 204: { description: '', headers: fields } } } },
        '/xml': exact('application/xml', { dataValue: { n: 5 }, serializedValue: '<e n="5"><!-- so --></e>' }),
        '/csv': exact('text/csv', { dataValue: [{ a: 1 }], serializedValue: 'a\r\n1\r\n' }),
        '/spaced': exact('application/json', { dataValue: { n: 1 }, serializedValue: '{ "n": 1 }\n' }),
        '/shown': {
          get: {
            responses: { 200: { description: '', content: { 'application/jsonl': { itemSchema: n, examples } } } },
          },
        },
      },
    }),
  })}/a.json`,
  prism: false,
});

test.each([
  ['/form?n=1&tags=a&tags=b', '', 200],
  ['/form?n=x', '', 400],
  ['/form?n=1&other=1', '', 400],
  ['/form', '', 400],
  ['/encoded?pipes=1%7C2&one=1,2&deep[n]=1&json=%7B%22n%22:1%7D', '', 200],
  ['/encoded?pipes=1%7Cx', '', 400],
  ['/encoded?one=1,x', '', 400],
  ['/encoded?deep[n]=x', '', 400],
  ['/encoded?json=%7B%22n%22:%22x%22%7D', '', 400],
  ['/json?%7B%22n%22%3A1%7D', '', 200],
  ['/json?%7B%22n%22%3A%22x%22%7D', '', 400],
  ['/json?n=1', '', 400],
  ['/list', 'c=1; c=2; d=x', 200],
  ['/list', 'c=1; c=x', 400],
  ['/fields', 'n=1; d=x', 200],
  ['/fields', 'n=x', 400],
])('GET %s with the cookies %j is answered with %i', async (target, cookies, status) => {
  const asked = request(app).get(target);
  expect((await (cookies === '' ? asked : asked.set('Cookie', cookies))).status).toBe(status);
});

test.each([
  ['/lines', 'application/jsonl', '{"n":1}\n{"n":2}\n', '{"n":1}\n{"n":"x"}\n'],
  ['/nd', 'application/x-ndjson', '{"n":1}\r\n\r\n{"n":2}', '{"n":1}\n{n'],
  ['/seq', 'application/json-seq', '\u001e{"n":1}\n\u001e{"n":2}\n', '\u001e{"m":1}\n'],
  ['/events', 'text/event-stream', ': hello\n\nevent: tick\ndata: a\ndata: b\n\n', 'event: tock\ndata: a\ndata: b\n\n'],
])('each item of a sequence is validated at %s, and made there', async (target, type, valid, invalid) => {
  const send = async (body: string): Promise<number> =>
    (
      await request(app)
        .post(target)
        .set('Content-Type', type)
        .serialize((text) => text)
        .send(body)
    ).status;
  expect([await send(valid), await send(invalid)]).toEqual([200, 400]);
  const made = await request(app)
    .get(target)
    .buffer(true)
    .parse((response, done) => {
      let text = '';
      response
        .setEncoding('utf8')
        .on('data', (part: string) => (text += part))
        .on('end', () => done(null, text));
    });
  expect([made.status, made.headers['content-type']]).toEqual([200, type]);
  expect(await send(made.body as string)).toBe(200);
});

test.each([
  ['/data', 'one', '{"n":1}'],
  ['/data', 'two', '{"n":2}'],
  ['/shown', 'list', '{"n":1}\n{"n":2}\n'],
  ['/shown', 'text', '{"n":3}\n'],
])('the example of %s called %s is sent', async (target, name, text) => {
  const answer = await request(app)
    .get(target)
    .set('Prefer', `example=${name}`)
    .buffer(true)
    .parse((response, done) => {
      let body = '';
      response
        .setEncoding('utf8')
        .on('data', (part: string) => (body += part))
        .on('end', () => done(null, body));
    });
  expect(answer.body).toBe(text);
});

test('an example of a header field is data or the text itself', async () => {
  const { headers } = await request(app).get('/headers');
  const sent = Object.keys(fields).map((name) => headers[name.toLowerCase()]);
  expect(sent).toEqual(['4,5', '4, 5', 'as it is; q="1"', '6,7', 'a=1', '{"k":[1]}', expect.stringMatching(/^\d+$/)]);
});

test.each([
  ['/xml', '<e n="5"><!-- so --></e>'],
  ['/csv', 'a\r\n1\r\n'],
  ['/spaced', '{ "n": 1 }\n'],
])('what an example says is sent for its value is sent as it is at %s', async (target, text) => {
  const got = await request(app)
    .get(target)
    .buffer(true)
    .parse((response, done) => {
      let all = '';
      response
        .setEncoding('utf8')
        .on('data', (part: string) => (all += part))
        .on('end', () => done(null, all));
    });
  expect(got.body).toBe(text);
});
