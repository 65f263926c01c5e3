import { expect, test } from 'vitest';
import { notesOf } from './support/documents.js';

const OK = 'responses: { 200: { description: ok } }';
const TEXT = 'schema: { type: string }';

/** An operation, as the YAML of its fields in one line. */
const at = (path: string, fields: string, method = 'get'): string =>
  `paths: { '${path}': { ${method}: { ${fields} } } }`;
const answering = (rest: string, status = 200): string =>
  at('/a', `responses: { ${status}: { description: ok, ${rest} } }`);
const given = (parameter: string): string => at('/a', `parameters: [ { ${parameter} } ], ${OK}`);
const taking = (schema: string, type = 'application/json'): string =>
  at('/a', `operationId: send, requestBody: { content: { ${type}: { schema: ${schema} } } }, ${OK}`, 'post');
const v2 = (parameters: string, consumes = '[application/json]'): string =>
  at('/a/{ids}', `consumes: ${consumes}, parameters: [ ${parameters} ], ${OK}`, 'post');
const IDS = '{ name: ids, in: path, required: true, type: string }';
const X = '{ X: { type: object, properties: { k: { type: string } } } }';
const choice = (mapping: string): string =>
  `{ oneOf: [ { $ref: '#/components/schemas/X' } ], discriminator: { propertyName: k, mapping: { ${mapping} } } }`;
const chosen = (mapping: string): string => `${taking(choice(mapping))}\ncomponents: { schemas: ${X} }`;
const servers = (urls: string, own = ''): string =>
  `servers: [ ${urls.replaceAll(/\S+/g, "{ url: '$&' }").replaceAll('} {', '}, {')} ]\n${at('/a', `${own}${OK}`)}`;
const byId = (name: string): string => `{ parameters: [ { name: ${name}, in: path, ${TEXT} } ], get: { ${OK} } }`;

const headOf = (version: string): string =>
  `${version === '2.0' ? "swagger: '2.0'" : `openapi: ${version}`}\ninfo: { title: A, version: '1' }\n`;

// A note, and below it the document of which it is noted: its version and the rest of it.
const NOTED = `
the path a does not begin with a slash; its operations are ignored
  3.0.3 paths: { a: { get: { ${OK} } }, /b: { get: { ${OK} } } }
the paths /a/{id} and /a/{no} differ only in parameter names; if both have an operation with the same method, the first one is used
  3.0.3 paths: { '/a/{id}': ${byId('id')}, '/a/{no}': ${byId('no')} }
a response needs a status, a range such as 4XX, or default, not "success"; it is ignored
  3.0.3 ${at('/a', 'responses: { 200: { description: ok }, success: { description: ok } }')}
x documents no response; the mock returns 501 where it would return a success
  3.0.3 ${at('/a', 'operationId: x')}
an operation cannot have both a body and formData; f in formData is ignored
  2.0 ${v2(`${IDS}, { name: b, in: body, schema: {} }, { name: f, in: formData, type: string }`)}
a form cannot be sent as application/json; it is read as multipart/form-data
  2.0 ${v2(`${IDS}, { name: f, in: formData, type: file }`)}
collectionFormat multi is for query and formData alone; ids in path is read as csv
  2.0 ${v2(IDS.replace('string', 'array, items: { type: integer }, collectionFormat: multi'))}
q has both schema and content; content is ignored
  3.0.3 ${given(`name: q, in: query, ${TEXT}, content: { application/json: {} }`)}
X-A has both schema and content; content is ignored
  3.0.3 ${answering(`headers: { X-A: { ${TEXT}, content: { application/json: {} } } }`)}
exclusiveMinimum must be a number in OpenAPI 3.1; it is read as in OpenAPI 3.0
  3.1.0 ${taking('{ type: number, minimum: 1, exclusiveMinimum: true }')}
the server URL has the variable {tenant} without a default; it is read as empty
  3.0.3 ${servers('https://x.example/{tenant}')}
the server http://localhost:8080 has no base path: the mock serves only paths below /v1
  3.0.3 ${servers('https://x.example/v1 http://localhost:8080')}
https://y.example/one is on another host than the servers of the document; the mock serves its operations at /two
  3.0.3 ${servers('https://x.example/v1', "servers: [ { url: /two }, { url: 'https://y.example/one' } ], ")}
the discriminator maps y to "#/components/schemas/Y", which is not a schema; this mapping is ignored
  3.0.3 ${chosen("y: '#/components/schemas/Y'")}
the discriminator maps y to "Y", which is not a schema; this mapping is ignored
  3.0.3 ${chosen('y: Y')}
the body application/xml of send is not validated
  3.0.3 ${taking('{ type: object }', 'application/xml')}
the body text/yaml of send is not validated
  3.0.3 ${taking('{ type: object }', 'text/yaml')}
the jsonSchemaDialect "https://dialects.example/mine" is not known; schemas are read as JSON Schema 2020-12
  3.1.0 jsonSchemaDialect: https://dialects.example/mine\n${at('/a', OK)}
there is no file ./none.json; this example is ignored
  3.0.3 ${answering('content: { application/json: { examples: { e: { externalValue: ./none.json } } } }')}
a parameter cannot be the header field Authorization, which security schemes describe; it is ignored
  3.0.3 ${given(`name: Authorization, in: header, ${TEXT}`)}
a parameter cannot be the header field accept, which the content describes; it is ignored
  3.0.3 ${given(`name: accept, in: header, ${TEXT}`)}
maxLength beside a $ref has no effect before OpenAPI 3.1; it is ignored
  3.0.3 ${taking("{ properties: { s: { $ref: '#/components/schemas/X', maxLength: 2, nullable: true, description: Ours. } } }")}
components: { schemas: ${X} }
required beside a $ref has no effect; it is ignored
  3.1.0 ${given("$ref: '#/components/parameters/P', required: true, description: Ours.")}
components: { parameters: { P: { name: p, in: query, ${TEXT} } } }
a 204 response has no body (RFC 9110); its \`content\` is ignored
  3.0.3 ${answering('content: { application/json: {} }', 204)}
`;

const rows = NOTED.trim().split(/\n(?=.*\n {2})/);

test.each(rows.map((row) => /^(.*)\n {2}(\S+) ([^]*)$/.exec(row)?.slice(1) ?? [row]))(
  '%s: this is noted once, with its line',
  (note, version = '', rest = '') => {
    const notes = notesOf({ 'a.yaml': headOf(version) + rest });
    expect(notes).toEqual([expect.stringMatching(/^a\.yaml:[3-5]:\d+: /)]);
    expect(notes[0]?.replace(/^\S+ /, '')).toBe(note);
  },
);

test('a document whose paths all lack their slash has no operation for that reason', () => {
  const notes = notesOf({ 'a.yaml': `openapi: 3.0.3\npaths: { a: { get: { ${OK} } }, x-a: {} }\n` });
  expect(notes).toEqual([
    'a.yaml:2:10: the path a does not begin with a slash; its operations are ignored',
    'a.yaml:2:1: the document has no operation at a path that begins with a slash, so there is nothing to serve',
  ]);
});

const FAR_EXAMPLE = 'examples: { e: { externalValue: ./none.json, dataValue: 1 } }';
const DIALECT = 'https://spec.openapis.org/oas/3.1/dialect/base';
const DRAFT_4 = "$schema: 'http://json-schema.org/draft-04/schema#'";

test.each([
  ['extensions beside paths and statuses', '3.1.0', at('/a', `x-a: {}, ${OK}`).replace('{ 200', '{ x-s: {}, 200')],
  ['paths that differ', '3.0.3', `paths: { /a/b: { get: { ${OK} } }, /a/c: { get: { ${OK} } }, x-p: {} }`],
  ['a file beside the value of an example', '3.2.0', answering(`content: { application/json: { ${FAR_EXAMPLE} } }`)],
  ['a body of bytes', '3.0.3', taking('{ type: string, format: binary }', 'application/octet-stream')],
  ['a body of text', '3.0.3', taking('{ type: string, maxLength: 3 }', 'text/plain')],
  ['a mapping to a name', '3.0.3', chosen('y: X')],
  ['a mapping to a reference', '3.0.3', chosen("y: '#/components/schemas/X'")],
  ['a file in a form', '2.0', v2(`${IDS}, { name: f, in: formData, type: file }`, '[multipart/form-data]')],
  ['an older draft that a schema names', '3.1.0', taking(`{ ${DRAFT_4}, minimum: 1, exclusiveMinimum: true }`)],
  ['a dialect of OpenAPI', '3.1.0', `jsonSchemaDialect: ${DIALECT}\n${at('/a', OK)}`],
])('%s: nothing is noted', (_, version, rest) => expect(notesOf({ 'a.yaml': headOf(version) + rest })).toEqual([]));
