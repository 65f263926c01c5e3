import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadContract, parseContract } from '../../src/contract/contract.js';
import { PetstoreMockError } from '../../src/errors.js';
import { packageFile } from '../../src/package-files.js';
import { changeContract, changeSpec, shippedContract } from '../support/shipped.js';

function refusalOf(use: () => unknown): PetstoreMockError {
  try {
    use();
  } catch (error) {
    if (error instanceof PetstoreMockError) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

/** The message without its place, and the line of the text to which the place points. */
function refused(text: string): [message: string, line: string] {
  const error = refusalOf(() => parseContract(text, { shownAs: 's.yaml' }));
  expect(error.code).toBe('unusable-contract');
  expect(error.place).toMatchObject({ file: 's.yaml', line: expect.any(Number) });
  expect(error.message).not.toContain('\n');
  const message = error.message.replace(/^s\.yaml:\d+:\d+: /, '');
  return [message, text.split('\n')[(error.place?.line ?? 0) - 1] ?? ''];
}

test('the shipped contract is the Petstore of the interface', () => {
  expect(shippedContract).toMatchObject({ title: 'Petstore', version: '1.0.0', basePath: '/v1' });
  expect(shippedContract.errorSchemaPointer).toBe('/components/schemas/Error');
});

test('the shipped contract, which is trusted at start, also passes when it is not', () => {
  expect(() => loadContract(packageFile('spec/petstore.openapi.yaml'))).not.toThrow();
});

test('a contract may be written in JSON, and in OpenAPI 3.0', () => {
  const text = '{"openapi": "3.0.3", "paths": {"/a": {"get": {"responses": {}}}}}';
  expect(parseContract(text, { shownAs: 's.json' })).toMatchObject({
    title: 'API',
    basePath: '',
    operations: [{ path: '/a' }],
  });
});

test.each([
  ['http://localhost:4010/v1', '/v1'],
  ['https://example.com/api/v2/', '/api/v2'],
  ['https://example.com', ''],
  ['/relative/v3', '/relative/v3'],
])('the default %s of the server gives the base path %j', (url, basePath) => {
  expect(changeContract(['default: http://localhost:4010/v1', `default: ${url}`]).basePath).toBe(basePath);
});

const NOT_OPENAPI = 'this is not an OpenAPI 3.0 or 3.1 document: it has no `openapi` field.';
const NO_SCHEMA = 'this schema cannot be used: ';

test.each([
  // What, its text, the line that is pointed at, the message.
  ['what is no YAML', 'a: {', 'a: {', /^this is not valid YAML/],
  ['an empty file', '', '', NOT_OPENAPI],
  ['a text', 'hello', 'hello', NOT_OPENAPI],
  ['a list', '- openapi: 3.1.0', '- openapi', NOT_OPENAPI],
  ['Swagger 2', 'swagger: "2.0"\npaths: {}', 'swagger', /Swagger 2\.0 document.*convert it: npx swagger2openapi/],
  [
    'a version to come',
    changeSpec(['openapi: 3.1.0', 'openapi: 4.0.0']),
    'openapi: 4.0.0',
    'this is not an OpenAPI 3.0 or 3.1 document: its `openapi` field is "4.0.0".',
  ],
  [
    'a version that is a number',
    changeSpec(['openapi: 3.1.0', 'openapi: 3.1']),
    'openapi: 3.1',
    'this is not an OpenAPI 3.0 or 3.1 document: its `openapi` field is 3.1.',
  ],
  ['a document without operations', 'openapi: 3.1.0\npaths: {}', 'paths: {}', 'the document has no operations.'],
  [
    'a server that is no URL',
    changeSpec(['default: http://localhost:4010/v1', 'default: "http://[::"']),
    "- url: '{base_url}'",
    "the server's address http://[:: is no URL.",
  ],
  [
    'a broken reference',
    changeSpec(["$ref: '#/components/schemas/Pets'", "$ref: '#/components/schemas/Animals'"]),
    'schemas/Animals',
    'the reference #/components/schemas/Animals leads nowhere.',
  ],
  [
    'a circle of references',
    changeSpec([
      '    PetStatus:\n      type: string',
      "    PetStatus:\n      $ref: '#/components/schemas/Circle'\n    Circle:\n      $ref: '#/components/schemas/PetStatus'\n      type: string",
    ]),
    '$ref',
    /^the reference #\/components\/schemas\/\w+ leads back to itself\.$/,
  ],
  [
    'a keyword that is none',
    changeSpec(["description: The animal's name.", 'minLenght: 3']),
    'minLenght: 3',
    `${NO_SCHEMA}there is no keyword minLenght; did you mean minLength?`,
  ],
  [
    'a bound that is a text',
    changeSpec(['maximum: 100', 'maximum: a hundred']),
    'maximum: a hundred',
    `${NO_SCHEMA}maximum must be number.`,
  ],
  [
    'a type that is none',
    changeSpec([
      "type: string\n          description: The animal's",
      "type: text\n          description: The animal's",
    ]),
    'type: text',
    /type must be/,
  ],
  [
    'a list of required fields that is none',
    changeSpec(['required: [name, categoryId]', 'required: name']),
    'required: name',
    `${NO_SCHEMA}required must be array.`,
  ],
  [
    'an enum that is none',
    changeSpec(['enum: [available, pending, sold]', 'enum: available']),
    'enum: available',
    `${NO_SCHEMA}enum must be array.`,
  ],
  [
    'a pattern that is none',
    changeSpec(["description: The animal's name.", "pattern: '('"]),
    'name:',
    /Invalid regular expression/,
  ],
  [
    'an operationId twice',
    changeSpec(['operationId: createPet', 'operationId: listPets']),
    'post:',
    'two operations have the operationId listPets.',
  ],
  [
    'a path parameter that is not declared',
    changeSpec(['/pets/{petId}:', '/pets/{animalId}:']),
    'get:',
    'the path /pets/{animalId} names {animalId}, but no path parameter of that name is declared.',
  ],
  [
    'a removal that is no day',
    changeSpec(["x-sunset: '2030-12-05'", 'x-sunset: 5 December 2030']),
    'x-sunset',
    'x-sunset is a day such as 2030-12-05, not "5 December 2030".',
  ],
])('%s is refused with file and line', (_, text, line, message) => {
  const [told, at] = refused(text);
  expect(told).toMatch(message);
  expect(at).toContain(line);
});

test('a file that is not there is named', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'petstore-contract-')), 'none.yaml');
  expect(refusalOf(() => loadContract(path))).toMatchObject({
    code: 'unreadable-file',
    message: `cannot read ${path}: there is no such file.`,
  });
});
