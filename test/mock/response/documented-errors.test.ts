import { expect, test } from 'vitest';
import type { ApiResponse } from '../../../src/contract/model.js';
import { handleRequest } from '../../../src/mock/handle-request.js';
import { createTestWorld, makeRequest, ask, KEY } from '../../support/test-world.js';
import { parseContract } from '../../support/parse-contract.js';
import { content, inPath, openPaths } from '../../support/open-paths.js';
import { yaml } from '../../support/yaml.js';
import { listOf, object, TEXT, YES } from '../../support/schemas.js';

// One operation whose `limit` is refused: what its refusal looks like, by what the document has for it.

function refuse(responses: string, components = ''): ApiResponse {
  const text = `openapi: 3.1.0
info: { title: T, version: 1.0.0 }
security: [{ key: [] }]
paths:
  /things:
    get:
      operationId: listThings
      parameters: [{ name: limit, in: query, schema: { type: integer } }]
      responses: { '200': { description: Fine. }, ${responses} }
components: { securitySchemes: { key: { type: http, scheme: bearer } }${components} }
`;
  const contract = parseContract(text, { shownAs: 'things.yaml' });
  const handlers = { listThings: () => ({ status: 200, headers: {}, body: undefined }) };
  return handleRequest(makeRequest('GET /things?limit=x'), createTestWorld({ contract, pets: [], handlers }));
}

const json = (schema: string, more = ''): string =>
  `{ description: Bad., content: { application/json: { schema: ${schema}${more} } } }`;
const TOLD = 'query/limit must be an integer, but is "x"';

test.each([
  ["'400': { description: Bad. }, '422': { description: Bad. }", 422],
  ["'422': { description: Bad. }", 422],
  ["'480': { description: Bad. }, '404': { description: None. }", 480],
  ["'4XX': { description: Bad. }", 400],
  ['default: { description: Bad. }', 400],
  ["'404': { description: None. }, '409': { description: There. }", 400],
])('where the document has %s, an invalid request is refused with %d', (responses, status) => {
  expect(refuse(responses).status).toBe(status);
});

const T = '{ type: string }';
const OURS = { code: 'invalid_request', message: TOLD, status: 400 };
const UUID = expect.stringMatching(/^[\da-f-]{36}$/) as string;

// An error's schema, and below it the body that says what is wrong, where TOLD stands for it and UUID for a UUID.
const ERRORS = `
{ required: [title], properties: { type: ${T}, title: ${T}, status: { type: integer }, detail: ${T} } }
  { "type": "string", "title": "string", "status": 400, "detail": "TOLD" }
{ required: [title], additionalProperties: false, properties: { title: ${T} } }
  { "title": "TOLD" }
{ properties: { title: ${T} } }
  { "title": "TOLD" }
{ properties: { error: { type: object, required: [code], properties: { code: { type: integer }, message: ${T} } } } }
  { "error": { "code": 400, "message": "TOLD" } }
{ required: [errors], additionalProperties: false, properties: { errors: { type: array, minItems: 1, items: ${T} } } }
  { "errors": ["TOLD"] }
{ required: [errors], additionalProperties: false, properties: { errors: { type: array, items: ${T} } } }
  { "errors": ["TOLD"] }
{ required: [errors], properties: { errors: { type: array, minItems: 1, items: { type: object, properties: { detail: ${T}, field: ${T} } } } } }
  { "errors": [{ "detail": "TOLD", "field": "string" }] }
{ required: [error], properties: { error: { enum: [invalid_request, other] }, error_description: ${T} } }
  { "error": "invalid_request", "error_description": "TOLD" }
${T}
  "TOLD"
{ properties: { message: ${T} } }
  { "message": "TOLD" }
{ required: [code, message], properties: { code: { type: integer }, message: ${T} } }
  { "code": 400, "message": "TOLD" }
{ oneOf: [{ type: object, required: [message], properties: { message: ${T} } }, { type: object, required: [errors], properties: { errors: { type: array } } }] }
  { "message": "TOLD" }
{ required: [problem], properties: { problem: ${T} } }
  { "problem": "TOLD" }
{ properties: { message: { type: string, maxLength: 20 } } }
  { "message": "${TOLD.slice(0, 19)}…" }
{ type: array, minItems: 1, items: { type: object, properties: { text: ${T} } } }
  [{ "text": "TOLD" }]
{ type: array, minItems: 1, items: ${T} }
  ["TOLD"]
{ type: object, additionalProperties: { type: array, items: ${T} } }
  { "property1": ["TOLD"] }
{ properties: { kind: { enum: [bad] } } }
  { "kind": "bad" }
{ type: object }
  { "code": "invalid_request", "message": "TOLD", "status": 400 }
{ properties: { code: { enum: [E1, E2] }, message: ${T} } }
  { "code": "E1", "message": "TOLD" }
{ required: [code, message, status, trace], properties: { code: ${T}, message: ${T}, status: { type: integer }, trace: { type: string, format: uuid } } }
  { "code": "invalid_request", "message": "TOLD", "status": 400, "trace": "UUID" }
`;

test.each(
  ERRORS.trim()
    .split(/\n(?=\S)/)
    .map((row) => row.split('\n')),
)('an error of %s is %s', (schema = '', body = '') => {
  const typed = schema.replace(/^\{ (?=properties|required)/, '{ type: object, ');
  const shown = refuse(`'400': ${json(typed)}`).body?.value;
  const named = JSON.stringify(shown)
    .replace(JSON.stringify(TOLD).slice(1, -1), 'TOLD')
    .replace(/[\da-f]{8}-[\da-f-]{27}/, 'UUID');
  expect(JSON.parse(named)).toEqual(JSON.parse(body));
});

test('an example of the document is what an error is made of', () => {
  const schema = `{ type: object, required: [reason], properties: { reason: ${T}, help: ${T}, statusCode: ${T} } }`;
  const example = "{ reason: Too many, help: 'https://example.com', statusCode: '429' }";
  const { body } = refuse(`'422': ${json(schema, `, example: ${example}`)}`);
  expect(body?.value).toEqual({ reason: TOLD, help: 'https://example.com', statusCode: '422' });
});

const FAULT = `{ type: object, xml: { name: fault }, properties: { message: ${T} } }`;

test.each([
  ['400', 'text/plain', T, TOLD],
  ['400', 'application/xml', FAULT, '<fault><message>query/limit must'],
  // Where the schema says nothing, the body is ours.
  ['480', 'text/xml', '{}', '<message>query/limit must'],
])('an error %s is told in %s too, of the schema %s', (status, mediaType, schema, text) => {
  const answer = refuse(`'${status}': { description: Bad., content: { ${mediaType}: { schema: ${schema} } } }`);
  expect([answer.status, answer.headers['Content-Type']]).toEqual([Number(status), mediaType]);
  expect(answer.body?.text).toContain(text);
});

test('header fields that the refusal has to have are there', () => {
  const id = '{ required: true, schema: { type: string, format: uuid } }';
  const { status, headers } = refuse(`'400': ${json('{ type: object }').replace(',', `, headers: { X-Id: ${id} },`)}`);
  expect([status, headers['X-Id']]).toEqual([400, UUID]);
});

const DETAILS = `{ type: object, required: [title], properties: { title: ${T}, detail: ${T} } }`;
const NONE = '{ type: object, required: [id], additionalProperties: false, properties: { id: { not: {} } } }';
const form = (member: string): string => json(`{ type: object, properties: { ${member}: ${T} } }`);

test.each([
  // What the Error body has a place for is told there.
  ["'404': { description: None. }", DETAILS, { title: 'string', detail: TOLD }],
  ["'404': { description: None. }", NONE, OURS],
  // Else the form is that of all others, where they have the same.
  [`'404': ${form('reason')}, '409': ${form('reason')}`, '', { reason: TOLD }],
  [`'404': ${form('reason')}, '409': ${form('other')}`, '', OURS],
])('an error that an operation does not document beside %s, and with the Error %s, is %j', (responses, error, body) => {
  const answer = refuse(responses, error === '' ? '' : `, schemas: { Error: ${error} }`);
  expect([answer.status, answer.body?.value]).toEqual([400, body]);
});

test.each([
  ['its own, in its spelling', '[unauthorized, INVALID_REQUEST]', 'INVALID_REQUEST'],
  ['a general one', '[unauthorized, not_found, BadRequest]', 'BadRequest'],
  ['the last of all', '[unauthorized, error]', 'error'],
])('where a document lists its codes, a refusal has %s and not that of another status', (_, codes, code) => {
  const schema = `{ type: object, required: [code, message], properties: { code: { type: string, enum: ${codes} }, message: ${T} } }`;
  expect(refuse(`'400': ${json(schema)}`).body?.value).toEqual({ code, message: TOLD });
});

// As FastAPI writes its documents.
const components = yaml<object>`
schemas:
  Item: { type: object, required: [title, sizes], properties: { id: { type: integer }, title: { type: string, minLength: 3 },
    sizes: { type: array, items: { type: integer } } } }
  HTTPValidationError: { title: HTTPValidationError, type: object, properties: {
    detail: { title: Detail, type: array, items: { $ref: '#/components/schemas/ValidationError' } } } }
  ValidationError: { title: ValidationError, type: object, required: [loc, msg, type], properties: {
    loc: { title: Location, type: array, items: { anyOf: [{ type: string }, { type: integer }] } },
    msg: { title: Message, type: string }, type: { title: Error Type, type: string } } }
`;
const item = { $ref: '#/components/schemas/Item' };
const refused = content({ $ref: '#/components/schemas/HTTPValidationError' });
const PATHS = {
  '/items': { post: { requestBody: content(item), responses: { 200: content(item), 422: refused } } },
  '/items/{item_id}': { parameters: [inPath('item_id')], get: { responses: { 200: content(item), 422: refused } } },
};

const ask422 = (target: string, body?: string): unknown => {
  const { status, value } = ask(openPaths(PATHS, { components }), target, body === undefined ? {} : { body });
  expect(status).toBe(422);
  return value;
};

test('each fault of a body is at its field', () => {
  expect(ask422('POST /items', '{"title":"a","sizes":[1,"x"]}')).toEqual({
    detail: [
      { loc: ['body', 'title'], msg: expect.stringContaining('title') as string, type: 'string_too_short' },
      { loc: ['body', 'sizes', 1], msg: expect.stringContaining('integer') as string, type: 'type_error' },
    ],
  });
});

test('a missing field is named, and so is a parameter', () => {
  const missing = { loc: ['body', 'sizes'], msg: 'body/sizes is required', type: 'missing' };
  expect(ask422('POST /items', '{"title":"abc"}')).toEqual({ detail: [missing] });
  expect(ask422('GET /items/x')).toMatchObject({ detail: [{ loc: ['path', 'item_id'], type: 'type_error' }] });
});

test('what is no fault of a field is one of the body', () =>
  expect(ask422('POST /items', '{')).toMatchObject({ detail: [{ loc: ['body'], type: 'value_error' }] }));

test('no message has the key of the service', () => {
  const told = JSON.stringify(ask422('POST /items', JSON.stringify({ title: 'abc', sizes: [KEY] })));
  expect(told).toContain('sizes');
  expect(told).not.toContain(KEY);
});

const vote = object({ file_key: TEXT, up: YES }, ['file_key']);

function open(answer: object): ReturnType<typeof openPaths> {
  const fixed = content(object({ name: { const: 'vote' } }, ['name']));
  const get = (name: string, shown: object): object => ({
    parameters: [inPath(name, 'string')],
    get: { responses: { 200: shown } },
  });
  const paths = { '/files/{FileKey}/votes': get('FileKey', answer), '/votes/{name}': get('name', fixed) };
  return openPaths(paths, { answersAll: true });
}

test.each([
  ['a record', vote, { file_key: 'ABC' }],
  ['a list', { ...listOf(vote), minItems: 2 }, [{ file_key: 'ABC' }, { file_key: 'ABC' }]],
  ['an envelope', object({ data: { ...listOf(vote), minItems: 1 } }, ['data']), { data: [{ file_key: 'ABC' }] }],
])('what keeps no state repeats what its path says: %s', (_, schema, expected) => {
  expect(ask(open(content(schema)), 'GET /files/ABC/votes').value).toMatchObject(expected);
});

test('an example has the key of the request, unless the client asks for the example by name', () => {
  const examples = { one: { value: { file_key: 'shown' } } };
  const world = open({ description: 'Fine.', content: { 'application/json': { schema: vote, examples } } });
  expect(ask(world, 'GET /files/ABC/votes').value).toEqual({ file_key: 'ABC' });
  const asked = ask(world, 'GET /files/ABC/votes', { headers: { prefer: 'example=one' } });
  expect(asked.value).toEqual({ file_key: 'shown' });
});

test('what the contract does not allow there stays as it was', () => {
  const fixed = object({ file_key: { enum: ['K1'] } }, ['file_key']);
  expect(ask(open(content(fixed)), 'GET /files/ABC/votes').value).toEqual({ file_key: 'K1' });
  expect(ask(open(content(vote)), 'GET /votes/anything').value).toEqual({ name: 'vote' });
});
