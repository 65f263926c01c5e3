import { expect, test } from 'vitest';
import { readBody } from '../../../src/mock/request/read-request.js';
import { profileWith, shippedContract } from '../../support/shipped.js';
import { ask, makeRequest, outcome, type RequestOptions } from '../../support/test-world.js';
import { parseContract } from '../../support/parse-contract.js';
import { listOf, NUMBER, object, TEXT } from '../../support/schemas.js';
import { inQuery, openPaths } from '../../support/open-paths.js';

function read(options: RequestOptions, choices: Record<string, string> = {}, id = 'createPet'): unknown {
  const operation = shippedContract.operations.find((each) => each.id === id);
  if (operation === undefined) throw new Error(`no operation ${id}`);
  const reading = readBody(operation, makeRequest('POST /v1/pets', options), profileWith(choices));
  return reading.kind === 'rejected' ? `${reading.status} ${reading.message}` : reading;
}

const FORM = 'application/x-www-form-urlencoded';
const type = (contentType: string): RequestOptions => ({ headers: { 'content-type': contentType } });

/** What is read of a body where the contract takes this media type, with a schema and an encoding. */
function readAs(mediaType: string, content: object, body: string): ReturnType<typeof readBody> {
  const post = { operationId: 'a', requestBody: { content: { [mediaType]: content } }, responses: {} };
  const [operation] = parseContract({ paths: { '/a': { post } } }).operations;
  return readBody(operation as never, makeRequest('POST /a', { body, ...type(mediaType) }), profileWith());
}

const READ = { kind: 'read', mediaType: 'application/json' };

test.each(['application/json', 'Application/JSON', 'application/json;charset="UTF-8"'])(
  'a body of %s is read',
  (each) => expect(read({ body: '{"a":1}', ...type(each) })).toEqual({ ...READ, value: { a: 1 } }),
);

test.each(['text/plain', 'application/jsonp', 'application/problem+json', 'application', ''])(
  'a body of %j is refused',
  (contentType) => expect(read({ body: '{}', ...type(contentType) })).toMatch(/^415 the body is sent as /),
);

test('a body that is encoded is refused, since nothing decodes it', () => {
  expect(read({ body: '{}', headers: { 'content-encoding': 'gzip' } })).toMatch(/^415 .*Content-Encoding: gzip/);
  expect(read({ body: '{}', headers: { 'content-encoding': 'Identity' } })).toMatchObject({ kind: 'read' });
});

test.each([
  ['text/xml', 'object', { kind: 'unread' }],
  ['text/plain', 'object', { kind: 'unread' }],
  ['text/plain', 'string', { kind: 'read', value: 'q=1&r' }],
  ['text/xml', 'string', { kind: 'read', value: 'q=1&r' }],
  // A form that the contract takes as a text is read as it was sent.
  [FORM, 'string', { kind: 'read', value: 'q=1&r' }],
])('a body of %s where the contract wants an %s is %j', (mediaType, wanted, expected) => {
  expect(readAs(mediaType, { schema: { type: wanted } }, 'q=1&r')).toMatchObject(expected);
});

test.each<[string, object]>([
  ['a={"n":1}', { a: { n: 1 } }],
  ['a=n,1', { a: { n: 1 } }],
  ['a=', { a: {} }],
  ['l=[1,2]', { l: [1, 2] }],
  ['l=[1', { l: ['[1'] }],
  ['o={"n":1}&o={"n":2}', { o: [{ n: 1 }, { n: 2 }] }],
  // A delimiter in percent escapes is data.
  ['&t=a%2Cb,c+d&u=%E0%', { t: ['a,b', 'c d'], u: '\uFFFD%' }],
])('the form %s is read as many clients write it', (body, value) => {
  const n = object({ n: NUMBER });
  const schema = object({ a: n, l: listOf(NUMBER), o: listOf(n), t: listOf(TEXT), u: TEXT });
  const encoding = { t: { style: 'form', explode: false } };
  expect(readAs(FORM, { schema, encoding }, body)).toMatchObject({ kind: 'read', value });
});

const fields = object({ o: { type: 'object' }, tags: listOf(TEXT) });
const nested = { content: { [FORM]: { schema: fields, encoding: { o: { style: 'deepObject', explode: true } } } } };
const seen: unknown[] = [];
const responses = { 204: { description: 'Done.' }, 400: { description: 'No.' } };
const parameter = { ...inQuery('o', { type: 'object' }), style: 'deepObject', explode: true };
const world = openPaths(
  { '/form': { post: { operationId: 'send', parameters: [parameter], requestBody: nested, responses } } },
  { handlers: { send: (call) => (seen.push(call.body), { status: 204, headers: {}, body: undefined }) } },
);
const { headers = {} } = type(FORM);

test.each([64, 65, 100_000])('a field of a form that is nested %d deep has an answer', (depth) => {
  const told = outcome(ask(world, 'POST /form', { body: `o${'[a]'.repeat(depth)}=1`, headers }));
  expect(told).toMatch(depth > 64 ? /^400 body\/o is nested more than 64 levels deep/ : /^204/);
});

test('so has a parameter', () => {
  const told = outcome(ask(world, `POST /form?o${'[a]'.repeat(65)}=1`, { body: 'tags=x', headers }));
  expect(told).toMatch(/^400 query\/o is nested more than 64 levels deep/);
});

test('every name of a form, and every value of one, is read once', () => {
  seen.length = 0;
  const names = Array.from({ length: 1000 }, (_, index) => `k${index}=${index}`);
  const tags = Array.from({ length: 1000 }, (_, index) => `tags=${index}`);
  const items = Array.from({ length: 1000 }, (_, index) => `o[list${index}]=${index}`);
  ask(world, 'POST /form', { body: [...names, ...tags, ...items].join('&'), headers });
  const { o, tags: all, ...rest } = seen[0] as { o: object; tags: string[] };
  expect([Object.keys(o).length, all.length, Object.keys(rest).length]).toEqual([1000, 1000, 1000]);
});
