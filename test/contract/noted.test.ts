import { expect, test } from 'vitest';
import { notesOf } from './support/documents.js';

const OK = 'responses: { 200: { description: ok } }';
const TEXT = 'schema: { type: string }';

/** An operation at `/a`, as the YAML of its fields in one line. */
function at(path: string, fields: string, method = 'get'): string {
  return `paths: { '${path}': { ${method}: { ${fields} } } }`;
}

function taking(schema: string, mediaType = 'application/json'): string {
  return at(
    '/a',
    `operationId: send, requestBody: { content: { ${mediaType}: { schema: ${schema} } } }, ${OK}`,
    'post',
  );
}

const v2 = (parameters: string, consumes = '[application/json]'): string =>
  at('/a/{ids}', `consumes: ${consumes}, parameters: [ ${parameters} ], ${OK}`, 'post');
const IDS = '{ name: ids, in: path, required: true, type: string }';
const chosen = (mapping: string): string =>
  `${taking(`{ oneOf: [ { $ref: '#/components/schemas/X' } ], discriminator: { propertyName: k, mapping: { ${mapping} } } }`)}
components: { schemas: { X: { type: object, properties: { k: { type: string } } } } }`;

test.each([
  [
    'a path without a slash',
    '3.0.3',
    `paths: { a: { get: { ${OK} } }, /b: { get: { ${OK} } } }`,
    'the path a does not begin with a slash; its operations are ignored',
  ],
  [
    'two paths that are one',
    '3.0.3',
    `paths: { '/a/{id}': { parameters: [ { name: id, in: path, ${TEXT} } ], get: { ${OK} } }, '/a/{no}': { parameters: [ { name: no, in: path, ${TEXT} } ], get: { ${OK} } } }`,
    'the paths /a/{id} and /a/{no} differ only in parameter names; if both have an operation with the same method, the first one is used',
  ],
  [
    'a status that is none',
    '3.0.3',
    at('/a', 'responses: { 200: { description: ok }, success: { description: ok } }'),
    'a response needs a status, a range such as 4XX, or default, not "success"; it is ignored',
  ],
  [
    'an operation without responses',
    '3.0.3',
    at('/a', 'operationId: x'),
    'x documents no response; the mock returns 501 where it would return a success',
  ],
  [
    'a body and a form',
    '2.0',
    v2(`${IDS}, { name: b, in: body, schema: {} }, { name: f, in: formData, type: string }`),
    'an operation cannot have both a body and formData; f in formData is ignored',
  ],
  [
    'a file in JSON',
    '2.0',
    v2(`${IDS}, { name: f, in: formData, type: file }`),
    'a form cannot be sent as application/json; it is read as multipart/form-data',
  ],
  [
    'a repeated value in a path',
    '2.0',
    v2('{ name: ids, in: path, required: true, type: array, items: { type: integer }, collectionFormat: multi }'),
    'collectionFormat multi is for query and formData alone; ids in path is read as csv',
  ],
  [
    'a parameter with a schema and content',
    '3.0.3',
    at('/a', `parameters: [ { name: q, in: query, ${TEXT}, content: { application/json: {} } } ], ${OK}`),
    'q has both schema and content; content is ignored',
  ],
  [
    'a header field with a schema and content',
    '3.0.3',
    at(
      '/a',
      `responses: { 200: { description: ok, headers: { X-A: { ${TEXT}, content: { application/json: {} } } } } }`,
    ),
    'X-A has both schema and content; content is ignored',
  ],
  [
    'an exclusive bound of OpenAPI 3.0 in 3.1',
    '3.1.0',
    taking('{ type: number, minimum: 1, exclusiveMinimum: true }'),
    'exclusiveMinimum must be a number in OpenAPI 3.1; it is read as in OpenAPI 3.0',
  ],
  [
    'a variable of a server without a value',
    '3.0.3',
    `servers: [ { url: 'https://x.example/{tenant}' } ]\n${at('/a', OK)}`,
    'the server URL has the variable {tenant} without a default; it is read as empty',
  ],
  [
    'a server at another host that has no path',
    '3.0.3',
    `servers: [ { url: 'https://x.example/v1' }, { url: 'http://localhost:8080' } ]\n${at('/a', OK)}`,
    'the server http://localhost:8080 has no base path: the mock serves only paths below /v1',
  ],
  [
    'a server of an operation that is at another host than its others',
    '3.0.3',
    `servers: [ { url: 'https://x.example/v1' } ]\n${at('/a', `servers: [ { url: /two }, { url: 'https://y.example/one' } ], ${OK}`)}`,
    'https://y.example/one is on another host than the servers of the document; the mock serves its operations at /two',
  ],
  [
    'a mapping that leads nowhere',
    '3.0.3',
    chosen("y: '#/components/schemas/Y'"),
    'the discriminator maps y to "#/components/schemas/Y", which is not a schema; this mapping is ignored',
  ],
  [
    'a mapping to a name of no schema',
    '3.0.3',
    chosen('y: Y'),
    'the discriminator maps y to "Y", which is not a schema; this mapping is ignored',
  ],
  [
    'a body that is not read',
    '3.0.3',
    taking('{ type: object }', 'application/xml'),
    'the body application/xml of send is not validated',
  ],
  ['a body in YAML', '3.0.3', taking('{ type: object }', 'text/yaml'), 'the body text/yaml of send is not validated'],
  [
    'a dialect that nobody knows',
    '3.1.0',
    `jsonSchemaDialect: https://dialects.example/mine\n${at('/a', OK)}`,
    'the jsonSchemaDialect "https://dialects.example/mine" is not known; schemas are read as JSON Schema 2020-12',
  ],
  [
    'an example in a file that is not there',
    '3.0.3',
    at(
      '/a',
      'responses: { 200: { description: ok, content: { application/json: { examples: { e: { externalValue: ./none.json } } } } } }',
    ),
    'there is no file ./none.json; this example is ignored',
  ],
  [
    'a parameter for credentials',
    '3.0.3',
    at('/a', `parameters: [ { name: Authorization, in: header, ${TEXT} } ], ${OK}`),
    'a parameter cannot be the header field Authorization, which security schemes describe; it is ignored',
  ],
  [
    'a parameter for a media type',
    '3.0.3',
    at('/a', `parameters: [ { name: accept, in: header, ${TEXT} } ], ${OK}`),
    'a parameter cannot be the header field accept, which the content describes; it is ignored',
  ],
  [
    'a rule beside a reference',
    '3.0.3',
    `${taking("{ properties: { s: { $ref: '#/components/schemas/S', maxLength: 2, nullable: true, description: Ours. } } }")}
components: { schemas: { S: { type: string } } }`,
    'maxLength beside a $ref has no effect before OpenAPI 3.1; it is ignored',
  ],
  [
    'a field of a parameter beside a reference',
    '3.1.0',
    `${at('/a', `parameters: [ { $ref: '#/components/parameters/P', required: true, description: Ours. } ], ${OK}`)}
components: { parameters: { P: { name: p, in: query, ${TEXT} } } }`,
    'required beside a $ref has no effect; it is ignored',
  ],
  [
    'content of a 204',
    '3.0.3',
    at('/a', 'responses: { 204: { description: ok, content: { application/json: {} } } }'),
    'a 204 response has no body (RFC 9110); its `content` is ignored',
  ],
])('%s is noted once, with its line', (_, version, rest, note) => {
  const first = version === '2.0' ? "swagger: '2.0'" : `openapi: ${version}`;
  const notes = notesOf({ 'a.yaml': `${first}\ninfo: { title: A, version: '1' }\n${rest}` });
  expect(notes).toEqual([expect.stringMatching(/^a\.yaml:[3-5]:\d+: /)]);
  expect(notes[0]?.replace(/^\S+ /, '')).toBe(note);
});

test('a document whose paths all lack their slash has no operation for that reason', () => {
  const notes = notesOf({ 'a.yaml': `openapi: 3.0.3\npaths: { a: { get: { ${OK} } }, x-a: {} }\n` });
  expect(notes).toEqual([
    'a.yaml:2:10: the path a does not begin with a slash; its operations are ignored',
    'a.yaml:2:1: the document has no operation at a path that begins with a slash, so there is nothing to serve',
  ]);
});

test.each([
  ['extensions beside paths and statuses', '3.1.0', at('/a', `x-a: {}, ${OK}`).replace('{ 200', '{ x-s: {}, 200')],
  ['paths that differ', '3.0.3', `paths: { /a/b: { get: { ${OK} } }, /a/c: { get: { ${OK} } }, x-p: {} }`],
  [
    'a file beside the value of an example',
    '3.2.0',
    at(
      '/a',
      'responses: { 200: { content: { application/json: { examples: { e: { externalValue: ./none.json, dataValue: 1 } } } } } }',
    ),
  ],
  ['a body of bytes', '3.0.3', taking('{ type: string, format: binary }', 'application/octet-stream')],
  ['a body of text', '3.0.3', taking('{ type: string, maxLength: 3 }', 'text/plain')],
  ['a mapping to a name', '3.0.3', chosen('y: X')],
  ['a mapping to a reference', '3.0.3', chosen("y: '#/components/schemas/X'")],
  ['a file in a form', '2.0', v2(`${IDS}, { name: f, in: formData, type: file }`, '[multipart/form-data]')],
  [
    'an older draft that a schema names',
    '3.1.0',
    taking("{ $schema: 'http://json-schema.org/draft-04/schema#', minimum: 1, exclusiveMinimum: true }"),
  ],
  [
    'a dialect of OpenAPI',
    '3.1.0',
    `jsonSchemaDialect: https://spec.openapis.org/oas/3.1/dialect/base\n${at('/a', OK)}`,
  ],
])('%s: nothing is noted', (_, version, rest) => {
  const first = version === '2.0' ? "swagger: '2.0'" : `openapi: ${version}`;
  expect(notesOf({ 'a.yaml': `${first}\ninfo: { title: A, version: '1' }\n${rest}` })).toEqual([]);
});
