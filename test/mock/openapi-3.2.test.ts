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
