import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadContract, type Contract } from '../../../src/contract/contract.js';
import { readParameters } from '../../../src/contract/parameters.js';
import { makeFolder } from '../../support/folder.js';
import { brokenBySending, documentOf, loadFiles, notesOf } from '../support/documents.js';

const split = {
  'api.yaml': `openapi: 3.1.0
info: { title: Split, version: 1.0.0 }
paths: { '/pets/{petId}': { $ref: paths/pet.yaml } }
components: { schemas: { Pet: { $ref: 'schemas/pets.json#/Pet' } } }
`,
  'paths/pet.yaml': `parameters: [{ $ref: '../common/parts.yaml#/parameters/petId' }]
put:
  operationId: putPet
  requestBody: { $ref: ../common/parts.yaml#/bodies/pet }
  responses: { '200': { $ref: '../common/parts.yaml#/responses/pet' } }
`,
  'common/parts.yaml': `parameters:
  petId: { name: petId, in: path, required: true, schema: { type: integer, minimum: 5 } }
bodies:
  pet:
    required: true
    content:
      application/json:
        { schema: { $ref: '../api.yaml#/components/schemas/Pet' }, examples: { rex: { $ref: rex.yaml } } }
responses:
  pet:
    description: The pet.
    headers: { X-Owner: { $ref: '#/headers/owner' } }
    content: { application/json: { schema: { $ref: '../schemas/pets.json#/Pet' } } }
headers:
  owner: { required: true, schema: { type: string, minLength: 2 } }
`,
  'common/rex.yaml': 'value: { name: Rex }\n',
  'schemas/pets.json': `{ "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "https://example.com/pets.json",
  "Pet": { "type": "object", "required": ["name"],
    "properties": { "name": { "type": "string" }, "friends": { "type": "array", "items": { "$ref": "#/Pet" } } } } }`,
};

test('a document that is split over files is one contract', () => {
  const contract = loadFiles(split);
  expect(contract.operations).toMatchObject([{ id: 'putPet', method: 'PUT', path: '/pets/{petId}' }]);
  expect(contract.operations[0]?.responses[0]?.headers.map(({ name }) => name)).toEqual(['X-Owner']);
  expect(brokenBySending(contract, { name: 'Rex', friends: [{}] })).toEqual(['body/friends/0/name required']);
});

test('a violation points at the file and the line of the rule, and at its place within that file', () => {
  const contract = loadFiles(split);
  const [operation] = contract.operations;
  const broken = contract.validate.requestBody(operation as never, 'application/json', { name: 7 });
  const inBody = { file: 'schemas/pets.json', line: 3, pointer: '/Pet/properties/name/type' };
  expect(broken[0]?.contract).toMatchObject(inBody);
  const reading = readParameters(operation as never, { pathValues: { petId: '3' }, query: '', headers: {} });
  const [inPath] = contract.validate.parameters(operation as never, reading);
  const pointer = '/parameters/petId/schema/minimum';
  expect(inPath?.contract).toMatchObject({ file: 'common/parts.yaml', line: 2, pointer });
});

test('a file that is a schema as a whole may be named with odd characters', () => {
  const contract = loadFiles({
    'a.yaml': documentOf("{ $ref: 'my%20schemas/a%23b.yaml' }"),
    'my schemas/a#b.yaml': 'type: object\nrequired: [x]\n',
  });
  expect(brokenBySending(contract, {})).toEqual(['body/x required']);
});

test.each([
  ['is no YAML', 'b.yaml', { 'b.yaml': 'a: [' }, /^a\.yaml:10:23: .*b\.yaml:1:5: this is not valid YAML/],
  ['is not there', 'no.yaml', {}, /^a\.yaml:10:23: .* cannot be read: .*there is no such file; treated as/],
  ['has no such place', 'b.yaml#/No', { 'b.yaml': 'B: 1' }, /^a\.yaml:10:23: .*#\/No: it leads nowhere; .*1 more/],
  ['is named within', 'b.yaml#No', { 'b.yaml': 'B: 1' }, /^a\.yaml:10:23: .* is not a JSON Pointer/],
  ['is a circle', 'b.yaml', { 'b.yaml': '$ref: c.yaml', 'c.yaml': '$ref: b.yaml' }, /[bc]\.yaml: it refers to itself/],
  ['has an odd keyword', 'b.yaml', { 'b.yaml': 'minLenght: 1\ntype: string' }, /^b\.yaml:1:1: there .* minLenght; did/],
  ['refers back', 'b.yaml', { 'b.yaml': "items: { $ref: 'a.yaml#/x' }" }, /^b\.yaml:1:10: .*a\.yaml#\/x: it leads/],
])('a file that %s costs that spot alone, and is noted with its place', (what, reference, others, message) => {
  const files = { 'a.yaml': documentOf(`{ $ref: '${reference}' }`), ...others };
  expect(notesOf(files)).toEqual([expect.stringMatching(message)]);
  const broken = brokenBySending(loadFiles(files), ['anything']);
  expect(broken).toEqual(what.includes('keyword') ? ['body type'] : []);
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

const B = '#/components/schemas/B';

test.each([
  ['{ A: { $id: x }, B: { $id: x } }', '17:46: another schema has the same $id x; references use the first one'],
  ["{ A: { $id: '#x' } }", '17:31: the $id #x is not a URI without a fragment; it is ignored'],
  ["{ A: { $id: x, $ref: '#no' } }", '17:39: unresolved $ref #no: it matches no $anchor; treated as {}'],
  ["{ A: { $id: x, $dynamicRef: '#no' } }", '17:39: unresolved $ref #no: it matches no $anchor; treated as {}'],
  [`{ A: { $id: x, $ref: '${B}' }, B: {} }`, `17:26: $ref ${B} is not found in the schema whose $id applies to it`],
])('of the schemas %s is noted what their names do not do', (schemas, note) => {
  const notes = notesOf({ 'a.yaml': documentOf('{}', { components: `{ schemas: ${schemas} }` }) });
  expect(notes).toHaveLength(1);
  expect(notes[0]).toContain(`a.yaml:${note}`);
});

const FILES = { 'api/api.yaml': documentOf("{ $ref: '../common/thing.yaml' }"), 'common/thing.yaml': 'type: object\n' };

const OUTSIDE = "is outside the document's folder";

function tellAll(contract: Contract): string {
  contract.validate.compileAll();
  return JSON.stringify(contract.listNotes());
}

test("a reference out of the document's folder is not followed, and noted, unless it is allowed", () => {
  const note = `${OUTSIDE}, which only a trusted document may read; if you trust it, pass --allow-outside-refs`;
  expect(tellAll(loadFiles(FILES))).toContain(`unresolved $ref ../common/thing.yaml: it ${note}`);
  expect(tellAll(loadContract(join(makeFolder(FILES), 'api/api.yaml'), { allowOutsideRefs: true }))).toBe('[]');
});

test('an absolute path and a percent escape are no way out', () => {
  const refuse = (reference: string): string =>
    tellAll(loadFiles({ 'api/api.yaml': documentOf(`{ $ref: '${reference}' }`) }));
  expect(refuse('/etc/hostname')).toContain(OUTSIDE);
  expect(refuse('%2e%2e/%2e%2e/etc/hostname')).toContain(OUTSIDE);
});

test('a link that leads out is none either, while one to the whole folder does no harm', () => {
  const folder = makeFolder({ ...FILES, 'api/api.yaml': documentOf("{ $ref: 'thing.yaml' }") });
  symlinkSync(join(folder, 'api'), join(folder, 'link'));
  symlinkSync('../common/thing.yaml', join(folder, 'api/thing.yaml'));
  expect(tellAll(loadContract(join(folder, 'api/api.yaml')))).toContain(OUTSIDE);
  const files = { 'real/api.yaml': documentOf("{ $ref: 'thing.yaml' }"), 'real/thing.yaml': 'type: object' };
  const whole = makeFolder(files);
  symlinkSync(join(whole, 'real'), join(whole, 'link'));
  expect(loadContract(join(whole, 'link/api.yaml')).operations).toHaveLength(1);
});

test('a pipe or a device is no document, and nothing to refer to', () => {
  const folder = makeFolder({ 'api.yaml': documentOf("{ $ref: 'pipe.yaml' }") });
  execFileSync('sh', ['-c', 'mkfifo pipe.yaml'], { cwd: folder });
  expect(tellAll(loadContract(join(folder, 'api.yaml')))).toContain('it is a pipe or a device, not a file');
  expect(() => loadContract(join(folder, 'pipe.yaml'))).toThrow('it is a pipe or a device, not a file');
  expect(() => loadContract('/dev/zero')).toThrow('cannot read /dev/zero: it is a pipe or a device, not a file.');
});
