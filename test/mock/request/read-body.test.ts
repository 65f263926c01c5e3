import { expect, test } from 'vitest';
import { readBody } from '../../../src/mock/request/read-body.js';
import { profileWith, shippedContract } from '../../support/shipped.js';
import { makeRequest, type RequestOptions } from '../../support/test-world.js';
import { parseContract } from '../../support/parse-contract.js';

function read(options: RequestOptions, choices: Record<string, string> = {}, id = 'createPet'): unknown {
  const operation = shippedContract.operations.find((each) => each.id === id);
  if (operation === undefined) throw new Error(`no operation ${id}`);
  const reading = readBody(operation, makeRequest('POST /v1/pets', options), profileWith(choices));
  return reading.kind === 'rejected' ? `${reading.status} ${reading.message}` : reading;
}

const type = (contentType: string): { headers: Record<string, string> } => ({
  headers: { 'content-type': contentType },
});

test.each([
  'application/json',
  'Application/JSON',
  'application/json; charset=utf-8',
  'application/json;charset="UTF-8"',
])('a body of %s is read', (contentType) => {
  expect(read({ body: '{"a":1}', ...type(contentType) })).toEqual({
    kind: 'read',
    mediaType: 'application/json',
    value: { a: 1 },
  });
});

test.each(['text/plain', 'application/jsonp', 'application/problem+json', 'application', ''])(
  'a body of %j is refused',
  (contentType) => {
    expect(read({ body: '{}', ...type(contentType) })).toMatch(/^415 the body is sent as /);
  },
);

test('an operation without a body passes over what is sent', () =>
  expect(read({ body: '{', ...type('text/plain') }, {}, 'listPets')).toEqual({ kind: 'none' }));

test.each([undefined, ''])('a body that is required and is %j is told to be missing', (body) => {
  expect(read(body === undefined ? {} : { body })).toBe('400 createPet needs a body, and none was sent');
});

test.each([
  ['{', '400 body: the JSON is malformed'],
  ['  ', '400 body: the JSON text is empty'],
  [Uint8Array.from([0x22, 0xff, 0x22]), '400 body: the bytes are not valid UTF-8'],
  ['['.repeat(200), '400 body: the JSON is nested more than 64 levels deep'],
])('the body %j is refused with its reason', (body, reason) => expect(read({ body })).toContain(reason));

test('a body that is encoded is refused, since nothing decodes it', () => {
  expect(read({ body: '{}', headers: { 'content-encoding': 'gzip' } })).toMatch(/^415 .*Content-Encoding: gzip/);
  expect(read({ body: '{}', headers: { 'content-encoding': 'Identity' } })).toMatchObject({ kind: 'read' });
});

test('a body that was too long to be read is refused with the bound', () =>
  expect(read({ bodyLongerThan: 1_048_576 })).toBe('413 the body is longer than 1048576 bytes'));

test('where the profile takes any media type, the body is judged as the contract has it', () => {
  expect(read({ body: '{}', ...type('text/plain') }, { 'wrong-media-type': 'accepted' })).toMatchObject({
    kind: 'read',
    mediaType: 'application/json',
  });
});

test('a form that the contract takes as a text is read as it was sent', () => {
  const content = '{ application/x-www-form-urlencoded: { schema: { type: string } } }';
  const document = `{ openapi: 3.1.0, info: { title: T, version: '1' }, paths: { /a: { post: { operationId: a, requestBody: { content: ${content} }, responses: {} } } } }`;
  const [operation] = parseContract(document, { shownAs: 'a.yaml' }).operations;
  const request = makeRequest('POST /a', { body: 'q=1&r', ...type('application/x-www-form-urlencoded') });
  expect(readBody(operation as never, request, profileWith())).toMatchObject({ kind: 'read', value: 'q=1&r' });
});

test.each([
  ['text/xml', 'object', 'unread'],
  ['text/plain', 'object', 'unread'],
  ['text/plain', 'string', 'read'],
  ['text/xml', 'string', 'read'],
])('a body of %s where the contract wants an %s is %s', (mediaType, wanted, kind) => {
  const content = `{ ${mediaType}: { schema: { type: ${wanted} } } }`;
  const document = `{ openapi: 3.1.0, info: { title: T, version: '1' }, paths: { /a: { post: { operationId: a, requestBody: { content: ${content} }, responses: {} } } } }`;
  const [operation] = parseContract(document, { shownAs: 'a.yaml' }).operations;
  expect(
    readBody(operation as never, makeRequest('POST /a', { body: '<a/>', ...type(mediaType) }), profileWith()).kind,
  ).toBe(kind);
});

test.each<[string, object]>([
  ['a={"n":1}', { a: { n: 1 } }],
  ['a=n,1', { a: { n: 1 } }],
  ['a=', { a: {} }],
  ['l=1&l=2', { l: [1, 2] }],
  ['l=[1,2]', { l: [1, 2] }],
  ['l=[1', { l: ['[1'] }],
  ['o={"n":1}&o={"n":2}', { o: [{ n: 1 }, { n: 2 }] }],
])('the form %s is read as many clients write it', (body, value) => {
  const object = '{ type: object, properties: { n: { type: integer } } }';
  const fields = `{ a: ${object}, l: { type: array, items: { type: integer } }, o: { type: array, items: ${object} } }`;
  const content = `{ application/x-www-form-urlencoded: { schema: { type: object, properties: ${fields} } } }`;
  const document = `{ openapi: 3.1.0, info: { title: T, version: '1' }, paths: { /a: { post: { operationId: a, requestBody: { content: ${content} }, responses: {} } } } }`;
  const [operation] = parseContract(document, { shownAs: 'a.yaml' }).operations;
  const request = makeRequest('POST /a', { body, ...type('application/x-www-form-urlencoded') });
  expect(readBody(operation as never, request, profileWith())).toMatchObject({ kind: 'read', value });
});

test('a delimiter in percent escapes is data in a field of a form, too', () => {
  const form = 'application/x-www-form-urlencoded';
  const schema = '{ type: object, properties: { t: { type: array, items: { type: string } }, u: { type: string } } }';
  const contract = parseContract(
    `openapi: 3.1.0
paths:
  /a:
    post:
      requestBody: { content: { ${form}: { schema: ${schema}, encoding: { t: { style: form, explode: false } } } } }
      responses: { '204': { description: ok } }
`,
    { shownAs: 'a.yaml' },
  );
  const request = makeRequest('POST /a', { body: '&t=a%2Cb,c+d&u=%E0%', ...type(form) });
  const reading = readBody(contract.operations[0] as never, request, profileWith({}));
  expect(reading).toMatchObject({ value: { t: ['a,b', 'c d'], u: '\uFFFD%' } });
});
