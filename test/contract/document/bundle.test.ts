import { expect, test } from 'vitest';
import { brokenBySending, documentOf, loadFiles, notesOf } from '../support/documents.js';

const split = {
  'api.yaml': [
    'openapi: 3.1.0',
    'info: { title: Split, version: 1.0.0 }',
    'paths:',
    '  /pets/{petId}: { $ref: paths/pet.yaml }',
    'components:',
    '  schemas:',
    "    Pet: { $ref: 'schemas/pets.json#/Pet' }",
    '',
  ].join('\n'),
  'paths/pet.yaml': [
    'parameters:',
    "  - { $ref: '../common/parts.yaml#/parameters/petId' }",
    'put:',
    '  operationId: putPet',
    '  requestBody: { $ref: ../common/parts.yaml#/bodies/pet }',
    '  responses:',
    "    '200': { $ref: '../common/parts.yaml#/responses/pet' }",
    '',
  ].join('\n'),
  'common/parts.yaml': [
    'parameters:',
    '  petId:',
    '    name: petId',
    '    in: path',
    '    required: true',
    '    schema: { type: integer, minimum: 5 }',
    'bodies:',
    '  pet:',
    '    required: true',
    '    content:',
    '      application/json:',
    "        schema: { $ref: '../api.yaml#/components/schemas/Pet' }",
    '        examples:',
    '          rex: { $ref: rex.yaml }',
    'responses:',
    '  pet:',
    '    description: The pet.',
    '    headers:',
    "      X-Owner: { $ref: '#/headers/owner' }",
    '    content:',
    "      application/json: { schema: { $ref: '../schemas/pets.json#/Pet' } }",
    'headers:',
    '  owner: { required: true, schema: { type: string, minLength: 2 } }',
    '',
  ].join('\n'),
  'common/rex.yaml': 'value: { name: Rex }\n',
  'schemas/pets.json': JSON.stringify(
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'https://example.com/pets.json',
      Pet: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, friends: { type: 'array', items: { $ref: '#/Pet' } } },
      },
    },
    undefined,
    2,
  ),
};

test('a document that is split over files is one contract', () => {
  const contract = loadFiles(split);
  expect(contract.operations.map(({ id, method, path }) => [id, method, path])).toEqual([
    ['putPet', 'PUT', '/pets/{petId}'],
  ]);
  expect(contract.operations[0]?.responses[0]?.headers.map(({ name }) => name)).toEqual(['X-Owner']);
  expect(brokenBySending(contract, { name: 'Rex', friends: [{}] })).toEqual(['body/friends/0/name required']);
});

test('a violation points at the file and the line of the rule, and at its place within that file', () => {
  const contract = loadFiles(split);
  const [operation] = contract.operations;
  const broken = contract.validate.requestBody(operation as never, 'application/json', { name: 7 });
  expect(broken[0]?.contract).toMatchObject({
    file: 'schemas/pets.json',
    line: 11,
    pointer: '/Pet/properties/name/type',
  });
  const reading = {
    path: { petId: 3 },
    query: {},
    header: {},
    cookie: {},
    badEscapes: [],
    repeated: [],
    unknown: [],
    tooDeep: [],
    empty: [],
  };
  const [inPath] = contract.validate.parameters(operation as never, reading);
  expect(inPath?.contract).toMatchObject({
    file: 'common/parts.yaml',
    line: 6,
    pointer: '/parameters/petId/schema/minimum',
  });
});

test('files that refer to each other are read once each', () => {
  const contract = loadFiles({
    'a.yaml': documentOf("{ $ref: 'b.yaml#/B' }", { components: '{ schemas: { A: { type: object } } }' }),
    'b.yaml': 'B:\n  type: object\n  required: [c]\n  properties: { c: { $ref: c.yaml } }\n',
    'c.yaml': "type: object\nproperties: { b: { $ref: 'b.yaml#/B' }, a: { $ref: 'a.yaml#/components/schemas/A' } }\n",
  });
  expect(brokenBySending(contract, { c: { b: {} } })).toEqual(['body/c/b/c required']);
});

test('a file that is a schema as a whole may be named with odd characters', () => {
  const contract = loadFiles({
    'a.yaml': documentOf("{ $ref: 'my%20schemas/a%23b.yaml' }"),
    'my schemas/a#b.yaml': 'type: object\nrequired: [x]\n',
  });
  expect(brokenBySending(contract, {})).toEqual(['body/x required']);
});

test.each([
  [
    'a file that is not there',
    { 'a.yaml': documentOf('{ $ref: nowhere.yaml }') },
    /^a\.yaml:10:23: .* refers to a file that cannot be read: .*there is no such file; treated as/,
  ],
  [
    'a place that a file does not have',
    { 'a.yaml': documentOf("{ $ref: 'b.yaml#/Nope' }"), 'b.yaml': 'B: 1' },
    'a.yaml:10:23: unresolved $ref b.yaml#/Nope: it leads nowhere; treated as {}, and 1 more like it',
  ],
  [
    'a name within a file',
    { 'a.yaml': documentOf("{ $ref: 'b.yaml#Nope' }"), 'b.yaml': 'B: 1' },
    /^a\.yaml:10:23: .* is not a JSON Pointer/,
  ],
  [
    'a URL',
    { 'a.yaml': documentOf('{ $ref: https://example.com/pet.yaml }') },
    /^a\.yaml:10:23: .* is a URL, and a \$ref is not fetched over the network by default; save the document beside this file and .* pass --allow-remote-refs/,
  ],
  [
    'a file that is no YAML',
    { 'a.yaml': documentOf('{ $ref: b.yaml }'), 'b.yaml': 'a: [' },
    /^a\.yaml:10:23: .*b\.yaml:1:5: this is not valid YAML/,
  ],
  [
    'files in a circle that hold nothing',
    { 'a.yaml': documentOf('{ $ref: b.yaml }'), 'b.yaml': '$ref: c.yaml', 'c.yaml': '$ref: b.yaml' },
    /unresolved \$ref [bc]\.yaml: it refers to itself/,
  ],
  [
    'a keyword in another file that there is not',
    { 'a.yaml': documentOf('{ $ref: b.yaml }'), 'b.yaml': 'type: string\nminLenght: 1' },
    /^b\.yaml:2:1: there is no keyword minLenght; did you mean minLength\? As written, it has no effect$/,
  ],
  [
    'a place that the first file does not have, from another one',
    { 'a.yaml': documentOf('{ $ref: b.yaml }'), 'b.yaml': "type: array\nitems: { $ref: 'a.yaml#/x' }" },
    'b.yaml:2:10: unresolved $ref a.yaml#/x: it leads nowhere; treated as {}',
  ],
  [
    'a broken reference within another file',
    { 'a.yaml': documentOf('{ $ref: b.yaml }'), 'b.yaml': "type: array\nitems: { $ref: '#/x' }" },
    'b.yaml:2:10: unresolved $ref #/x: it leads nowhere; treated as {}',
  ],
])('a reference to %s costs that spot alone, and is noted with its place', (told, files, message) => {
  const notes = notesOf(files);
  expect(notes).toHaveLength(1);
  expect(notes[0]).toMatch(message);
  expect(brokenBySending(loadFiles(files), ['anything'])).toEqual(told.includes('keyword') ? ['body type'] : []);
});

test('a reference to the $id of a file that is read later leads there, and relative ones start at the $id', () => {
  const contract = loadFiles({
    'a.yaml': documentOf('{ $ref: first.yaml }', { components: '{ schemas: { Later: { $ref: later.yaml } } }' }),
    'first.yaml': "$id: 'https://x.example/s/first'\nitems: { $ref: later }\n",
    'later.yaml': "$id: 'https://x.example/s/later'\ntype: integer\n",
  });
  expect(brokenBySending(contract, ['a'])).toEqual(['body/0 type']);
  expect(contract.listNotes()).toEqual([]);
});

test('a violation in a schema with a bound $dynamicRef points at the line that the document has', () => {
  const schemas = {
    List: { type: 'array', minItems: 1, items: { $dynamicRef: '#i' }, $defs: { i: { $dynamicAnchor: 'i' } } },
    Boxes: { $ref: '#/components/schemas/List', $defs: { i: { $dynamicAnchor: 'i', type: 'object' } } },
  };
  const text = documentOf("{ $ref: '#/components/schemas/Boxes' }", { components: JSON.stringify({ schemas }) });
  const contract = loadFiles({ 'a.yaml': text });
  const [operation] = contract.operations;
  const [broken] = contract.validate.requestBody(operation as never, 'application/json', []);
  expect(broken?.contract).toMatchObject({ file: 'a.yaml', line: 17, pointer: '/components/schemas/List/minItems' });
});

test.each([
  ['{ A: { $id: x }, B: { $id: x } }', '17:46: another schema has the same $id x; references use the first one'],
  ["{ A: { $id: '#x' } }", '17:31: the $id #x is not a URI without a fragment; it is ignored'],
  ["{ A: { $id: x, $ref: '#no' } }", '17:39: unresolved $ref #no: it matches no $anchor; treated as {}'],
  ["{ A: { $id: x, $dynamicRef: '#no' } }", '17:39: unresolved $ref #no: it matches no $anchor; treated as {}'],
  [
    "{ A: { $id: x, $ref: '#/components/schemas/B' }, B: {} }",
    '17:26: $ref #/components/schemas/B is not found in the schema whose $id applies to it',
  ],
])('of the schemas %s is noted what their names do not do', (schemas, note) => {
  const notes = notesOf({ 'a.yaml': documentOf('{}', { components: `{ schemas: ${schemas} }` }) });
  expect(notes).toHaveLength(1);
  expect(notes[0]).toContain(`a.yaml:${note}`);
});
