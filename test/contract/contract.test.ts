import { expect, test } from 'vitest';
import { sampleValue } from '../../src/contract/samples/sample.js';
import { changeContract, changeSpec } from '../support/shipped.js';
import { refusalOf } from './support/refusal.js';
import { parseContract } from '../support/parse-contract.js';
import { words } from '../support/words.js';
import { notesOf } from './support/documents.js';

/** The message without its place, and the line of the text to which the place points. */
function refused(text: string): [message: string, line: string] {
  const error = refusalOf(() => parseContract(text, { shownAs: 's.yaml' }));
  expect(error.code).toBe('unusable-contract');
  expect(error.place).toMatchObject({ file: 's.yaml', line: expect.any(Number) });
  expect(error.message).not.toContain('\n');
  return [error.message.replace(/^s\.yaml:\d+:\d+: /, ''), text.split('\n')[(error.place?.line ?? 0) - 1] ?? ''];
}

test('a contract may be written in JSON, and in OpenAPI 3.0', () => {
  const contract = parseContract('{"openapi": "3.0.3", "paths": {"/a": {"get": {"responses": {}}}}}', {
    shownAs: 's.json',
  });
  expect(contract).toMatchObject({ title: 'API', basePath: '', operations: [{ path: '/a' }] });
});

const AT_V1 = words`http://localhost:4010/v1 //example.com/v1 api.example.com/v1 api.example.com:8080/v1/ gateway:8080/v1
  10.0.0.1/v1 https://https://api.example.com/v1 https:///v1 ://api.example.com/v1`;

test.each([
  ...AT_V1.map((url) => [url, '/v1']),
  ...words`https://example.com //example.com api.example.com`.map((url) => [url, '']),
  ...words`/relative/v3 relative/v3`.map((url) => [url, '/relative/v3']),
  ['https://example.com/api/v2/', '/api/v2'],
  ['v1.0/things', '/v1.0/things'],
])('the default %s of the server gives the base path %j', (url, basePath) => {
  expect(changeContract(['default: http://localhost:4010/v1', `default: ${url}`]).basePath).toBe(basePath);
});

const OK = { responses: { 200: {} } };
const messagesOf = (document: object): string[] =>
  parseContract(document)
    .listNotes()
    .map(({ message }) => message);

test('a server without a scheme is told with how it was read', () => {
  const listNotes = (url: string): string[] => messagesOf({ servers: [{ url }], paths: { '/a': { get: OK } } });
  expect(listNotes('api.example.com/v1')).toEqual([
    'the server URL api.example.com/v1 has no scheme; api.example.com is read as its host, and the base path is /v1.',
  ]);
  // References without a scheme that a URL may be (RFC 3986 section 4.2).
  expect([...listNotes('//api.example.com/v1'), ...listNotes('/v1')]).toEqual([]);
});

test.each([
  [{ host: 'api.example.com', basePath: '/v1' }, '/v1'],
  [{ host: 'https://api.example.com', basePath: '/v1', schemes: ['https'] }, '/v1'],
  [{ host: 'api.example.com' }, ''],
  [{ basePath: 'v1' }, '/v1'],
])('Swagger 2.0 with %j has the base path %j', (place, basePath) => {
  expect(parseContract({ swagger: '2.0', ...place, paths: { '/a': { get: OK } } }).basePath).toBe(basePath);
});

test.each([
  // What, its text, the line that is pointed at, the message.
  ['what is no YAML', 'a: {', 'a: {', 'this is not valid YAML'],
  ['an empty file', '', '', 'the file is empty.'],
  ['a text', 'hello', 'hello', 'this is not an OpenAPI 3 or Swagger 2.0 document: it has no `openapi` field.'],
  ['Swagger 1', 'swagger: "1.2"\npaths: {}', 'swagger', 'its `swagger` field is "1.2".'],
  ['a version to come', 'openapi: 4.0.0\npaths: {}', 'openapi: 4', 'document: its `openapi` field is "4.0.0".'],
])('%s is refused with file and line', (_, text, line, message) => {
  const [told, at] = refused(text);
  expect(told).toContain(message);
  expect(at).toContain(line);
});

/** The one note on a text, and the line of the text to which it points. */
function noted(text: string): [message: string, line: string] {
  const contract = parseContract(text, { shownAs: 's.yaml' });
  contract.validate.compileAll();
  const [note, ...others] = contract.listNotes();
  expect(others).toEqual([]);
  return [note?.message ?? 'nothing', text.split('\n')[(note?.place.line ?? 0) - 1] ?? ''];
}

test('the shipped contract has nothing odd', () => expect(noted(changeSpec())).toEqual(['nothing', '']));

test.each([
  ['no operation', 'openapi: 3.1.0\npaths: {}', 'paths: {}'],
  ['webhooks alone', 'openapi: 3.1.0\nwebhooks: { sold: { post: { responses: {} } } }', 'openapi'],
])('that a document has %s is noted with file and line', (_, text, line) => {
  const [told, at] = noted(text);
  expect(told).toMatch(/^the document has no operation/);
  expect(at).toContain(line);
});

const NAME = "description: The animal's name.";
const TYPE = `type: string\n          ${NAME}`;
const STATUS = '    PetStatus:\n      type: string';
const ENUM = 'enum: [available, pending, sold]';
const PATTERN = String.raw`\A\p{Alnum}+\z`;
const PROPERTIES = '      properties:\n';

test.each([
  // What is replaced, by what, the line that is pointed at, the note.
  ['http://localhost:4010/v1', '"http://[::"', '- url:', 'URL http://[:: is not valid; its path is ignored.'],
  ['schemas/Pets', 'schemas/No', 'schemas/No', 'unresolved $ref #/components/schemas/No: it leads nowhere;'],
  [STATUS, `${STATUS}\n      $ref: '#/components/schemas/PetStatus'`, '$ref', 'it refers to itself; treated as {}.'],
  [NAME, 'minLenght: 3', 'minLenght', 'no keyword minLenght; did you mean minLength? As written, it has no effect.'],
  ['maximum: 100', 'maximum: a lot', 'maximum: a lot', 'maximum must be a number, not "a lot"; it is ignored.'],
  [TYPE, TYPE.replace('string', 'text'), 'type: text', /^type must be one of null, .*, not "text"; it is ignored\.$/],
  [ENUM, 'enum: []', 'enum: []', 'enum must be a list of at least one value, not []; it is ignored.'],
  [ENUM, 'enum: [1, 2.5]', '[1, 2.5]', 'no value of enum is of type string, so no value would be valid; enum'],
  [NAME, "pattern: '('", 'pattern', 'pattern must be a regular expression of ECMA-262, not "("; it is not checked.'],
  [NAME, `pattern: '${PATTERN}'`, 'Alnum', `"${PATTERN}" is not one of ECMA-262; it is read as "^[0-9A-Za-z]+$".`],
  [PROPERTIES, `${PROPERTIES}        other: 7\n`, 'other: 7', 'other must be a schema, not 7; it is ignored.'],
  ['minimum: 1\n', 'minimum: 101\n', 'maximum: 100', 'no value satisfies both minimum 101 and maximum 100.'],
  [NAME, 'format: animal', 'format: animal', 'the format "animal" is unknown and not checked.'],
  [NAME, 'disallow: number', 'disallow', 'disallow is a keyword of an older JSON Schema and has no effect.'],
])('with %j written as %j, the line with %j is noted, and it costs that spot alone', (from, to, line, message) => {
  const [told, at] = noted(changeSpec([from, to]));
  expect(told).toMatch(message);
  expect(at).toContain(line);
});

test('what depends on a pattern that cannot be read is not judged, and its example is the value', () => {
  const names = { [String.raw`^\h$`]: false, '^(?P<n>a)$': false };
  const Map = { patternProperties: names, additionalProperties: false };
  const Code = { type: 'string', pattern: String.raw`^\h$`, example: 'f' };
  const contract = parseContract({ paths: {}, components: { schemas: { Map, Code } } });
  const judge = (value: unknown): number => contract.validate.value('/components/schemas/Map', value).length;
  expect([judge({ b: 1 }), judge({ a: 1 })]).toEqual([0, 1]);
  const sample = (generated: boolean): unknown =>
    sampleValue(contract.document, '/components/schemas/Code', { index: 1, generated });
  expect([sample(false), sample(true)]).toEqual(['f', 'f']);
});

test('what OpenAPI 3.2 says of the parts of a form is noted, since it is not judged', () => {
  const content = { 'multipart/mixed': { itemSchema: {}, itemEncoding: {} }, 'application/jsonl': { itemSchema: {} } };
  const paths = { '/a': { get: { responses: { 200: { content } } } } };
  expect(messagesOf({ openapi: '3.2.0', paths })).toEqual([
    'itemEncoding of multipart/mixed is not checked.',
    'itemSchema of multipart/mixed is not checked.',
  ]);
});

test('a parameter that is there twice or says nothing, and a body that nothing can fit, are noted', () => {
  const closed = { properties: {}, additionalProperties: false };
  const schema = { type: 'object', required: ['id'], properties: { id: {} }, allOf: [closed] };
  const limit = { name: 'limit', in: 'query', schema: {} };
  const responses = { 200: { content: { 'application/json': { schema } } } };
  const get = { parameters: [limit, limit, { name: 'q', in: 'query' }], responses };
  expect(messagesOf({ paths: { '/a': { get } } })).toEqual([
    'there are two parameters limit in query; the last one is used.',
    'the parameter q has neither schema nor content; any value is accepted.',
    'no value is valid here: `id` is required, but `additionalProperties: false` allows only the properties listed beside it.',
  ]);
});

test.each(['3.1', '3.2.0'])('the version openapi: %s is read', (version) =>
  expect(changeContract(['openapi: 3.1.0', `openapi: ${version}`]).operations).toHaveLength(3),
);

test('a name that begins with x- is a name where names are free', () => {
  const schema = { $ref: '#/components/schemas/x-count' };
  const ok = { description: 'ok', headers: { 'x-next': { schema } }, content: { 'application/json': { schema } } };
  const contract = parseContract({
    openapi: '3.0.3',
    paths: { '/a': { get: { operationId: 'x', responses: { 200: ok } } } },
    components: { schemas: { 'x-count': { type: 'object', properties: { 'x-n': { type: 'integer' } } } } },
  });
  const body = { value: { 'x-n': 'seven' }, text: '' };
  const headers = { 'Content-Type': 'application/json', 'x-next': 'ten' };
  const broken = contract.validate.response(contract.operations[0] as never, { status: 200, headers, body });
  expect(broken.map(({ at }) => at)).toEqual(['header/x-next', 'body/x-n']);
});

const OK_ONLY = 'responses: { 200: { description: ok } }';
const TEXT = 'schema: { type: string }';

/** An operation, as the YAML of its fields in one line. */
const at = (path: string, fields: string, method = 'get'): string =>
  `paths: { '${path}': { ${method}: { ${fields} } } }`;
const answering = (rest: string, status = 200): string =>
  at('/a', `responses: { ${status}: { description: ok, ${rest} } }`);
const given = (parameter: string): string => at('/a', `parameters: [ { ${parameter} } ], ${OK_ONLY}`);
const taking = (schema: string, type = 'application/json'): string =>
  at('/a', `operationId: send, requestBody: { content: { ${type}: { schema: ${schema} } } }, ${OK_ONLY}`, 'post');
const v2 = (parameters: string, consumes = '[application/json]'): string =>
  at('/a/{ids}', `consumes: ${consumes}, parameters: [ ${parameters} ], ${OK_ONLY}`, 'post');
const IDS = '{ name: ids, in: path, required: true, type: string }';
const X = '{ X: { type: object, properties: { k: { type: string } } } }';
const choice = (mapping: string): string =>
  `{ oneOf: [ { $ref: '#/components/schemas/X' } ], discriminator: { propertyName: k, mapping: { ${mapping} } } }`;
const chosen = (mapping: string): string => `${taking(choice(mapping))}\ncomponents: { schemas: ${X} }`;
const servers = (urls: string, own = ''): string =>
  `servers: [ ${urls.replaceAll(/\S+/g, "{ url: '$&' }").replaceAll('} {', '}, {')} ]\n${at('/a', `${own}${OK_ONLY}`)}`;
const byId = (name: string): string => `{ parameters: [ { name: ${name}, in: path, ${TEXT} } ], get: { ${OK_ONLY} } }`;

const headOf = (version: string): string =>
  `${version === '2.0' ? "swagger: '2.0'" : `openapi: ${version}`}\ninfo: { title: A, version: '1' }\n`;

// A note, and below it the document of which it is noted: its version and the rest of it.
const NOTED = `
the path a does not begin with a slash; its operations are ignored
  3.0.3 paths: { a: { get: { ${OK_ONLY} } }, /b: { get: { ${OK_ONLY} } } }
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
the body application/xml of send is not validated
  3.0.3 ${taking('{ type: object }', 'application/xml')}
the jsonSchemaDialect "https://dialects.example/mine" is not known; schemas are read as JSON Schema 2020-12
  3.1.0 jsonSchemaDialect: https://dialects.example/mine\n${at('/a', OK_ONLY)}
there is no file ./none.json; this example is ignored
  3.0.3 ${answering('content: { application/json: { examples: { e: { externalValue: ./none.json } } } }')}
a parameter cannot be the header field Authorization, which security schemes describe; it is ignored
  3.0.3 ${given(`name: Authorization, in: header, ${TEXT}`)}
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
  const notes = notesOf({ 'a.yaml': `openapi: 3.0.3\npaths: { a: { get: { ${OK_ONLY} } }, x-a: {} }\n` });
  expect(notes).toEqual([
    'a.yaml:2:10: the path a does not begin with a slash; its operations are ignored',
    'a.yaml:2:1: the document has no operation at a path that begins with a slash, so there is nothing to serve',
  ]);
});

const FAR_EXAMPLE = 'examples: { e: { externalValue: ./none.json, dataValue: 1 } }';
const DIALECT = 'https://spec.openapis.org/oas/3.1/dialect/base';
const DRAFT_4 = "$schema: 'http://json-schema.org/draft-04/schema#'";

test.each([
  ['extensions beside paths and statuses', '3.1.0', at('/a', `x-a: {}, ${OK_ONLY}`).replace('{ 200', '{ x-s: {}, 200')],
  ['a file beside the value of an example', '3.2.0', answering(`content: { application/json: { ${FAR_EXAMPLE} } }`)],
  ['a body of bytes', '3.0.3', taking('{ type: string, format: binary }', 'application/octet-stream')],
  ['a mapping to a name', '3.0.3', chosen('y: X')],
  ['a file in a form', '2.0', v2(`${IDS}, { name: f, in: formData, type: file }`, '[multipart/form-data]')],
  ['an older draft that a schema names', '3.1.0', taking(`{ ${DRAFT_4}, minimum: 1, exclusiveMinimum: true }`)],
  ['a dialect of OpenAPI', '3.1.0', `jsonSchemaDialect: ${DIALECT}\n${at('/a', OK_ONLY)}`],
])('%s: nothing is noted', (_, version, rest) => expect(notesOf({ 'a.yaml': headOf(version) + rest })).toEqual([]));
