import { expect, test } from 'vitest';
import { brokenByAnswering, brokenBySending, documentOf, loadFiles, notesOf } from '../support/documents.js';
import { fileURLToPath } from 'node:url';
import { readDocument } from '../../../src/contract/document/document.js';
import { printJson } from '../../../src/contract/document/json.js';
import { yaml } from '../../support/yaml.js';

const version = '3.0.3';
const load = (schema: string, components?: string): ReturnType<typeof loadFiles> =>
  loadFiles({ 'a.yaml': documentOf(schema, { version, ...(components === undefined ? {} : { components }) }) });

const author = '{ schemas: { Author: { type: object, required: [name], properties: { name: { type: string } } } } }';
const ref = "{ $ref: '#/components/schemas/Author' }";

test('nullable beside anything lets null in, and nothing else, in OpenAPI 3.0', () => {
  const schemas = [
    `{ nullable: true, allOf: [${ref}] }`,
    `{ nullable: true, oneOf: [${ref}] }`,
    `{ nullable: true, anyOf: [${ref}, { type: integer }] }`,
    "{ nullable: true, $ref: '#/components/schemas/Author' }",
    `{ nullable: true, allOf: [{ allOf: [${ref}] }, { type: object, minProperties: 1 }] }`,
    '{ nullable: true, enum: [a, b] }',
    '{ nullable: true, type: string, enum: [a, b] }',
    '{ nullable: true, oneOf: [{ type: string, nullable: true }, { type: object }] }',
  ];
  for (const schema of schemas) {
    expect(brokenBySending(load(schema, author), null)).toEqual([]);
    expect(brokenBySending(load(schema, author), true)).not.toEqual([]);
  }
  for (const schema of schemas.slice(0, -1))
    expect(brokenBySending(load(schema.replace('nullable: true, ', ''), author), null)).not.toEqual([]);
  expect(brokenBySending(load(schemas[0] ?? '', author), {})).toEqual(['body/name required']);
});

test('nullable is read in OpenAPI 3.1 too, and the way to write it is noted', () => {
  const files = { 'a.yaml': documentOf('{ type: string, nullable: true }') };
  expect(brokenBySending(loadFiles(files), null)).toEqual([]);
  const note = /^a\.yaml:10:37: OpenAPI 3\.1 has no keyword nullable; .*type: \[string, 'null'\], and 1 more like it$/;
  expect(notesOf(files)).toEqual([expect.stringMatching(note)]);
});

test('what is read only is required of answers alone, what is write only of requests alone', () => {
  const properties = '{ id: { type: integer, readOnly: true }, name: {}, secret: { type: string, writeOnly: true } }';
  const contract = load(`{ type: object, required: [id, name, secret], properties: ${properties} }`);
  expect(brokenBySending(contract, {})).toEqual(['body/name required', 'body/secret required']);
  expect(brokenByAnswering(contract, {})).toEqual(['body/id required', 'body/name required']);
});

type Rule = { schema: object; schemas?: object; version?: string; sent: [value: unknown, ...broken: string[]][] };
const [CAT, DOG] = ["{ $ref: '#/components/schemas/Cat' }", "{ $ref: '#/components/schemas/Dog' }"];
const ANIMALS = `Cat: { type: object, required: [kind, lives], properties: { kind: { type: string }, lives: { type: integer } } },
    Dog: { type: object, required: [kind, bark], properties: { kind: { type: string }, bark: { type: string } } }`;

/** Schemas with what is sent, and what of that each breaks. */
const RULES = yaml<Record<string, Rule>>`
nullable adds null to a type:
  schema: { properties: { a: { type: string, nullable: true }, b: { type: integer, nullable: true } } }
  sent: [[{ a: null, b: null }], [{ a: 1, b: x }, body/a type, body/b type]]
an exclusive bound is a truth value:
  schema: { type: number, minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false }
  sent: [[1, body exclusiveMinimum], [9], [10, body maximum]]
an exclusive bound may be a truth value in OpenAPI 3.1 too:
  version: 3.1.0
  schema: { type: number, minimum: 1, exclusiveMinimum: true }
  sent: [[1, body exclusiveMinimum]]
what stands beside a reference is ignored in OpenAPI 3.0:
  schema: { $ref: '#/components/schemas/Name', minLength: 5 }
  schemas: { Name: { type: string } }
  sent: [[Rex]]
what stands beside a reference counts in OpenAPI 3.1:
  version: 3.1.0
  schema: { $ref: '#/components/schemas/Name', minLength: 5 }
  schemas: { Name: { type: string } }
  sent: [[Rex, body minLength]]
the parts of an allOf describe one object:
  schema: { allOf: [{ $ref: '#/components/schemas/Id' }, { required: [id, name] }] }
  schemas: { Id: { properties: { id: { type: integer, readOnly: true } } } }
  sent: [[{}, body/name required]]
a discriminator tells which alternative was meant, by its name or its mapping, and changes nothing of what is valid:
  schema: { oneOf: [${CAT}, ${DOG}], discriminator: { propertyName: kind, mapping: { hound: '#/components/schemas/Dog' } } }
  schemas: { ${ANIMALS} }
  sent: [[{ kind: Cat, lives: 9 }], [{ kind: hound, bark: wuff }], [{ kind: Cat }, body/lives required],
    [{ kind: Bird, lives: 9 }], [{ kind: Dog }, body/kind enum], [{}, body/kind required]]
a discriminator tells which alternative was meant beside nullable too:
  schema: { nullable: true, oneOf: [${CAT}, ${DOG}], discriminator: { propertyName: kind } }
  schemas: { ${ANIMALS} }
  sent: [[null], [{ kind: Cat }, body/lives required]]
a mapping names a schema by its whole name, not by the end of one:
  schema: { oneOf: [${CAT}, ${DOG}], discriminator: { propertyName: kind, mapping: { hound: og } } }
  schemas: { ${ANIMALS} }
  sent: [[{ kind: hound }, body/kind enum], [{ kind: Dog }, body/bark required]]
what the meant alternative consists of is told, once, and nothing of the others:
  schema: { $ref: '#/components/schemas/Animal' }
  schemas:
    Animal: { type: object, discriminator: { propertyName: kind }, oneOf: [${CAT}, ${DOG}] }
    Named: { type: object, required: [name], properties: { name: {}, friend: { $ref: '#/components/schemas/Animal' } } }
    Cat: { allOf: [{ $ref: '#/components/schemas/Named' }, { type: object, required: [lives] }] }
    Dog: { allOf: [{ $ref: '#/components/schemas/Named' }, { type: object, required: [bark] }] }
  sent: [[{ kind: Dog, name: Rex, bark: wuff }], [{ kind: Dog, name: Rex }, body/bark required],
    [{ kind: Cat, lives: 9 }, body/name required]]
alternatives that cannot be told by name stay what JSON Schema makes of them:
  schema: { discriminator: { propertyName: kind }, oneOf: [{ type: object, required: [a] }, { type: object, required: [b] }] }
  sent: [[{ a: 1 }], [{ a: 1, b: 1 }, body oneOf]]
`;

test.each(Object.entries(RULES))('%s', (_, { schema, schemas = {}, version: of = version, sent }) => {
  const text = documentOf(JSON.stringify(schema), { version: of, components: JSON.stringify({ schemas }) });
  const contract = loadFiles({ 'a.yaml': text });
  expect(sent.map(([value]) => [value, ...brokenBySending(contract, value)])).toEqual(sent);
});

test('a documented header field of an answer is required, typed and placed', () => {
  const tags = '{ schema: { type: array, items: { enum: [a, b] } } }';
  const headers = `headers: { X-Count: { required: true, schema: { type: integer } }, X-Tags: ${tags} }`;
  const said = '          description: A thing.\n';
  const document = documentOf('{ type: object }').replace(said, `${said}          ${headers}\n`);
  const contract = loadFiles({ 'a.yaml': document });
  expect(brokenByAnswering(contract, {})).toEqual(['header/x-count required']);
  const wrong = { 'x-count': 'two', 'X-Tags': 'a,c' };
  expect(brokenByAnswering(contract, {}, wrong)).toEqual(['header/x-count type', 'header/x-tags/1 enum']);
  expect(brokenByAnswering(contract, {}, { 'X-Count': '2', 'X-Tags': 'a,b' })).toEqual([]);
});

const A = { $ref: '#/components/schemas/A' };
const B = { $ref: '#/components/schemas/B' };
const INTEGER = { type: 'integer' };

const fileOf = (schemas: object, first = 'A'): Record<string, string> => ({
  'a.yaml': documentOf(`{ $ref: '#/components/schemas/${first}' }`, { components: JSON.stringify({ schemas }) }),
});

/* oxlint-disable unicorn/no-thenable -- `then` is a keyword of JSON Schema */
// What is left of each: one value that fits and one that does not.
test.each<[string, object, unknown, unknown]>([
  ['allOf', { A: { allOf: [A, INTEGER] } }, 1, 'a'],
  ['not', { A: { not: A, ...INTEGER } }, 1, 'a'],
  ['if', { A: { if: A, then: { minimum: 9 }, ...INTEGER } }, 1, 'a'],
  ['dependentSchemas', { A: { dependentSchemas: { x: A }, required: ['x'] } }, { x: 1 }, {}],
  ['allOf, by way of another', { A: { allOf: [B, INTEGER] }, B: { allOf: [{ oneOf: [A] }] } }, 1, 'a'],
  ['nothing but itself', { A: { oneOf: [{ anyOf: [A] }], ...INTEGER } }, 1, 'a'],
])('a schema that contains itself by %s is judged without that, with a note', (_, schemas, good, bad) => {
  const files = fileOf(schemas);
  expect(notesOf(files)).toEqual([
    expect.stringMatching(/^a\.yaml:17:\d+: \$ref #.*refers to .*it is (?:ignored|read)/),
  ]);
  const contract = loadFiles(files);
  expect(brokenBySending(contract, good)).toEqual([]);
  expect(brokenBySending(contract, bad)).not.toEqual([]);
});

test.each(['A', 'B'])('of a base that lists its kinds, %s is judged with the rules of both', (first) => {
  const schemas = {
    A: { type: 'object', required: ['kind'], oneOf: [B, { $ref: '#/components/schemas/C' }] },
    B: { allOf: [A, { required: ['b'] }] },
    C: { allOf: [A, { required: ['c'] }] },
  };
  const contract = loadFiles(fileOf(schemas, first));
  expect(brokenBySending(contract, { kind: 'b', b: 1 })).toEqual([]);
  expect(brokenBySending(contract, { b: 1 })).toContain('body/kind required');
  expect(brokenBySending(contract, { kind: 'b' })).toContain('body/b required');
  expect(contract.listNotes()).toMatchObject([{ times: 2 }]);
});

test('a schema that contains itself for the values inside is none of these', () =>
  expect(notesOf(fileOf({ A: { properties: { a: { anyOf: [A, INTEGER] } }, items: A } }))).toEqual([]));

type Group = { is: string; schema: object; others?: object; valid?: unknown[]; invalid?: unknown[]; wrong?: string };

const path = fileURLToPath(new URL('json-schema-2020-12.yaml', import.meta.url));
const groups = readDocument(path, { code: 'unusable-contract' }).root as Group[];

test.each(groups)('$is', ({ schema, others, valid = [], invalid = [], wrong }) => {
  const components = printJson({ schemas: { Tested: schema, ...others } });
  const contract = loadFiles({ 'api.yaml': documentOf("{ $ref: '#/components/schemas/Tested' }", { components }) });
  const judged = (values: unknown[]): [string, boolean][] =>
    values.map((value) => [printJson(value), brokenBySending(contract, value).length === 0]);
  const isRight = wrong === undefined;
  expect([...judged(valid), ...judged(invalid)]).toEqual([
    ...valid.map((value) => [printJson(value), isRight]),
    ...invalid.map((value) => [printJson(value), !isRight]),
  ]);
});
