import { expect, test } from 'vitest';
import type { ApiResponse } from '../../../src/contract/message.js';
import { handleRequest } from '../../../src/mock/handle-request.js';
import { createTestWorld, makeRequest } from '../../support/test-world.js';
import { parseContract } from '../../support/parse-contract.js';

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
  ["'422': { description: Bad. }, '480': { description: Bad. }", 422],
])('where the document has %s, an invalid request is refused with %d', (responses, status) => {
  expect(refuse(responses).status).toBe(status);
});

const text = '{ type: string }';

test.each<[string, string, unknown]>([
  [
    'problem details',
    `{ type: object, required: [title], properties: { type: ${text}, title: ${text}, status: { type: integer }, detail: ${text} } }`,
    { type: 'string', title: 'string', status: 400, detail: TOLD },
  ],
  [
    'a nested error',
    `{ type: object, properties: { error: { type: object, required: [code], properties: { code: { type: integer }, message: ${text} } } } }`,
    { error: { code: 400, message: TOLD } },
  ],
  [
    'a list of texts',
    `{ type: object, required: [errors], properties: { errors: { type: array, minItems: 1, items: ${text} } } }`,
    expect.objectContaining({ errors: [TOLD] }),
  ],
  [
    'a list of errors',
    `{ type: object, required: [errors], properties: { errors: { type: array, minItems: 1, items: { type: object, properties: { detail: ${text}, field: ${text} } } } } }`,
    { errors: [{ detail: TOLD, field: 'string' }] },
  ],
  [
    'a list of texts',
    `{ type: object, required: [errors], additionalProperties: false, properties: { errors: { type: array, items: ${text} } } }`,
    { errors: [TOLD] },
  ],
  [
    'an OAuth error',
    `{ type: object, required: [error], properties: { error: { enum: [invalid_request, other] }, error_description: ${text} } }`,
    { error: 'invalid_request', error_description: TOLD },
  ],
  [
    'a title alone',
    `{ type: object, required: [title], additionalProperties: false, properties: { title: ${text} } }`,
    { title: TOLD },
  ],
  ['a text', text, TOLD],
  ['a message alone', `{ type: object, properties: { message: ${text} } }`, { message: TOLD }],
  [
    'a code and a message',
    `{ type: object, required: [code, message], properties: { code: { type: integer }, message: ${text} } }`,
    { code: 400, message: TOLD },
  ],
  [
    'one of two forms',
    `{ oneOf: [{ type: object, required: [message], properties: { message: ${text} } }, { type: object, required: [errors], properties: { errors: { type: array } } }] }`,
    { message: TOLD },
  ],
  ['a title in an open object', `{ type: object, properties: { title: ${text} } }`, { title: TOLD }],
  [
    'a field of another name',
    `{ type: object, required: [problem], properties: { problem: ${text} } }`,
    { problem: TOLD },
  ],
  [
    'a list at the top',
    `{ type: array, minItems: 1, items: { type: object, properties: { text: ${text} } } }`,
    [{ text: TOLD }],
  ],
  ['a list of texts at the top', `{ type: array, minItems: 1, items: ${text} }`, [TOLD]],
  ['texts by field', `{ type: object, additionalProperties: { type: array, items: ${text} } }`, { property1: [TOLD] }],
  [
    'a short text',
    '{ type: object, properties: { message: { type: string, maxLength: 20 } } }',
    { message: `${TOLD.slice(0, 19)}…` },
  ],
  ['no text, and', '{ type: object, properties: { kind: { enum: [bad] } } }', { kind: 'bad' }],
  ['no member, and', '{ type: object }', { code: 'invalid_request', message: TOLD, status: 400 }],
  [
    'a code of its own',
    `{ type: object, properties: { code: { enum: [E1, E2] }, message: ${text} } }`,
    { code: 'E1', message: TOLD },
  ],
  [
    'our own body with more',
    `{ type: object, required: [code, message, status, trace], properties: { code: ${text}, message: ${text}, status: { type: integer }, trace: { type: string, format: uuid } } }`,
    { code: 'invalid_request', message: TOLD, status: 400, trace: expect.stringMatching(/^[\da-f-]{36}$/) },
  ],
])('%s has the message where it belongs', (_, schema, body) => {
  expect(refuse(`'400': ${json(schema)}`).body?.value).toEqual(body);
});

test('an example of the document is what an error is made of', () => {
  const schema = `{ type: object, required: [reason], properties: { reason: ${text}, help: ${text}, statusCode: ${text} } }`;
  const answer = refuse(
    `'422': ${json(schema, `, example: { reason: Too many, help: 'https://example.com', statusCode: '429' }`)}`,
  );
  expect(answer.body?.value).toEqual({ reason: TOLD, help: 'https://example.com', statusCode: '422' });
});

test('errors are told in other media types than JSON too', () => {
  const plain = refuse(`'400': { description: Bad., content: { text/plain: { schema: ${text} } } }`);
  expect([plain.headers['Content-Type'], plain.body?.text]).toEqual(['text/plain', TOLD]);
  const xml = refuse(
    `'400': { description: Bad., content: { application/xml: { schema: { type: object, xml: { name: fault }, properties: { message: ${text} } } } } }`,
  );
  expect(xml.body?.text).toContain(`<fault><message>query/limit must`);
});

test('header fields that the refusal has to have are there', () => {
  const { status, headers } = refuse(
    `'400': { description: Bad., headers: { X-Id: { required: true, schema: { type: string, format: uuid } } }, content: { application/json: { schema: { type: object } } } }`,
  );
  expect([status, headers['X-Id']]).toEqual([400, expect.stringMatching(/^[\da-f-]{36}$/)]);
});

test('where the schema of an error says nothing, ours is told in the media type of the document', () => {
  const { status, headers, body } = refuse(`'480': { description: Bad., content: { text/xml: { schema: {} } } }`);
  expect([status, headers['Content-Type']]).toEqual([480, 'text/xml']);
  expect(body?.text).toContain(`<message>query/limit must`);
});

test.each([
  [
    'a place for it',
    '{ type: object, required: [title], properties: { title: { type: string }, detail: { type: string } } }',
    { title: 'string', detail: TOLD },
  ],
  [
    'none',
    '{ type: object, required: [id], additionalProperties: false, properties: { id: { not: {} } } }',
    { code: 'invalid_request', message: TOLD, status: 400 },
  ],
])('of an error that an operation does not document the Error body tells where it has %s', (_, schema, body) => {
  const answer = refuse("'404': { description: None. }", `, schemas: { Error: ${schema} }`);
  expect(answer.status).toBe(400);
  expect(answer.body?.value).toEqual(body);
});

test.each([
  ['the same', '{ reason: { type: string } }', { reason: TOLD }],
  ['several', '{ other: { type: string } }', { code: 'invalid_request', message: TOLD, status: 400 }],
])(
  'of an error that an operation does not document, the form is that of all others where they have %s',
  (_, other, body) => {
    const schema = (members: string): string => json(`{ type: object, properties: ${members} }`);
    const answer = refuse(`'404': ${schema('{ reason: { type: string } }')}, '409': ${schema(other)}`);
    expect(answer.body?.value).toEqual(body);
  },
);

test.each([
  ['its own, in its spelling', '[unauthorized, INVALID_REQUEST]', 'INVALID_REQUEST'],
  ['a general one', '[unauthorized, not_found, BadRequest]', 'BadRequest'],
  ['the last of all', '[unauthorized, error]', 'error'],
])('where a document lists its codes, a refusal has %s and not that of another status', (_, codes, code) => {
  const schema = `{ type: object, required: [code, message], properties: { code: { type: string, enum: ${codes} }, message: ${text} } }`;
  expect(refuse(`'400': ${json(schema)}`).body?.value).toEqual({ code, message: TOLD });
});
