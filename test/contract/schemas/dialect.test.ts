import { expect, test } from 'vitest';
import { brokenByAnswering, brokenBySending, documentOf, loadFiles, notesOf } from '../support/documents.js';
import { fileURLToPath } from 'node:url';
import { readDocument } from '../../../src/contract/document/document.js';
import { printJson } from '../../../src/contract/document/json.js';

const version = '3.0.3';
const load = (schema: string, components?: string): ReturnType<typeof loadFiles> =>
  loadFiles({ 'a.yaml': documentOf(schema, { version, ...(components === undefined ? {} : { components }) }) });

test('nullable adds null to a type in OpenAPI 3.0', () => {
  const contract = load(
    '{ properties: { a: { type: string, nullable: true }, b: { type: integer, nullable: true } } }',
  );
  expect(brokenBySending(contract, { a: null, b: null })).toEqual([]);
  expect(brokenBySending(contract, { a: 1, b: 'x' })).toEqual(['body/a type', 'body/b type']);
});

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

test('a discriminator tells which alternative was meant beside nullable too', () => {
  const contract = load(
    "{ nullable: true, oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }], discriminator: { propertyName: kind } }",
    animals,
  );
  expect(brokenBySending(contract, null)).toEqual([]);
  expect(brokenBySending(contract, { kind: 'Cat' })).toEqual(['body/lives required']);
});

test('an exclusive bound is a truth value in OpenAPI 3.0', () => {
  const contract = load('{ type: number, minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false }');
  expect(brokenBySending(contract, 1)).toEqual(['body exclusiveMinimum']);
  expect(brokenBySending(contract, 9)).toEqual([]);
  expect(brokenBySending(contract, 10)).toEqual(['body maximum']);
});

test('what stands beside a reference is ignored in OpenAPI 3.0, and counts in 3.1', () => {
  const schema = "{ $ref: '#/components/schemas/Name', minLength: 5 }";
  const components = '{ schemas: { Name: { type: string } } }';
  expect(brokenBySending(load(schema, components), 'Rex')).toEqual([]);
  const newer = loadFiles({ 'a.yaml': documentOf(schema, { components }) });
  expect(brokenBySending(newer, 'Rex')).toEqual(['body minLength']);
});

test('nullable is read in OpenAPI 3.1 too, and the way to write it is noted', () => {
  const files = { 'a.yaml': documentOf('{ type: string, nullable: true }') };
  expect(brokenBySending(loadFiles(files), null)).toEqual([]);
  const note = /^a\.yaml:10:37: OpenAPI 3\.1 has no keyword nullable; .*type: \[string, 'null'\], and 1 more like it$/;
  expect(notesOf(files)).toEqual([expect.stringMatching(note)]);
});

test('a truth value as an exclusive bound is read in OpenAPI 3.1 too', () => {
  const contract = loadFiles({ 'a.yaml': documentOf('{ type: number, minimum: 1, exclusiveMinimum: true }') });
  expect(brokenBySending(contract, 1)).toEqual(['body exclusiveMinimum']);
});

test('a wrong value is noted in OpenAPI 3.0 too', () => {
  const note = /^a\.yaml:10:37: minLength must be a whole number from 0, not "one"; it is ignored/;
  const files = { 'a.yaml': documentOf('{ type: string, minLength: one }', { version }) };
  expect(notesOf(files)).toEqual([expect.stringMatching(note)]);
});

const readAndWrite =
  '{ type: object, required: [id, name, secret], properties: { id: { type: integer, readOnly: true }, name: { type: string }, secret: { type: string, writeOnly: true } } }';

test('what is read only is required of answers alone, what is write only of requests alone', () => {
  const contract = load(readAndWrite);
  expect(brokenBySending(contract, {})).toEqual(['body/name required', 'body/secret required']);
  expect(brokenByAnswering(contract, {})).toEqual(['body/id required', 'body/name required']);
});

test('the parts of an allOf describe one object', () => {
  const schema = "{ allOf: [{ $ref: '#/components/schemas/Id' }, { required: [id, name] }] }";
  const contract = load(schema, '{ schemas: { Id: { properties: { id: { type: integer, readOnly: true } } } } }');
  expect(brokenBySending(contract, {})).toEqual(['body/name required']);
});

const animals = `{ schemas: {
    Animal: { oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }], discriminator: { propertyName: kind, mapping: { hound: '#/components/schemas/Dog' } } },
    Cat: { type: object, required: [kind, lives], properties: { kind: { type: string }, lives: { type: integer } } },
    Dog: { type: object, required: [kind, bark], properties: { kind: { type: string }, bark: { type: string } } } } }`;

test('a discriminator tells which alternative was meant, by its name or its mapping, and changes nothing of what is valid', () => {
  const contract = load("{ $ref: '#/components/schemas/Animal' }", animals);
  expect(brokenBySending(contract, { kind: 'Cat', lives: 9 })).toEqual([]);
  expect(brokenBySending(contract, { kind: 'hound', bark: 'wuff' })).toEqual([]);
  expect(brokenBySending(contract, { kind: 'Cat' })).toEqual(['body/lives required']);
  expect(brokenBySending(contract, { kind: 'Bird', lives: 9 })).toEqual([]);
  expect(brokenBySending(contract, { kind: 'Dog' })).toEqual(['body/kind enum']);
  expect(brokenBySending(contract, {})).toEqual(['body/kind required']);
});

test('what the meant alternative consists of is told, once, and nothing of the others', () => {
  const composed = `{ schemas: {
    Animal: { type: object, discriminator: { propertyName: kind }, oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }] },
    Named: { type: object, required: [name], properties: { name: { type: string }, friend: { $ref: '#/components/schemas/Animal' } } },
    Lives: { type: object, required: [lives], properties: { lives: { type: integer } } },
    Bark: { type: object, required: [bark], properties: { bark: { type: string } } },
    Cat: { allOf: [{ $ref: '#/components/schemas/Named' }, { $ref: '#/components/schemas/Lives' }] },
    Dog: { allOf: [{ $ref: '#/components/schemas/Named' }, { $ref: '#/components/schemas/Bark' }] } } }`;
  const contract = load("{ $ref: '#/components/schemas/Animal' }", composed);
  expect(brokenBySending(contract, { kind: 'Dog', name: 'Rex', bark: 'wuff' })).toEqual([]);
  expect(brokenBySending(contract, { kind: 'Dog', name: 'Rex' })).toEqual(['body/bark required']);
  expect(brokenBySending(contract, { kind: 'Cat', lives: 9 })).toEqual(['body/name required']);
});

test('alternatives that cannot be told by name stay what JSON Schema makes of them', () => {
  const schema =
    '{ discriminator: { propertyName: kind }, oneOf: [{ type: object, required: [a] }, { type: object, required: [b] }] }';
  const contract = load(schema);
  expect(brokenBySending(contract, { a: 1 })).toEqual([]);
  expect(brokenBySending(contract, { a: 1, b: 1 })).toEqual(['body oneOf']);
});

test('a documented header field of an answer is required, typed and placed', () => {
  const document = documentOf('{ type: object }').replace(
    '          description: A thing.\n',
    '          description: A thing.\n          headers: { X-Count: { required: true, schema: { type: integer } }, X-Tags: { schema: { type: array, items: { enum: [a, b] } } } }\n',
  );
  const contract = loadFiles({ 'a.yaml': document });
  expect(brokenByAnswering(contract, {})).toEqual(['header/x-count required']);
  expect(brokenByAnswering(contract, {}, { 'x-count': 'two', 'X-Tags': 'a,c' })).toEqual([
    'header/x-count type',
    'header/x-tags/1 enum',
  ]);
  expect(brokenByAnswering(contract, {}, { 'X-Count': '2', 'X-Tags': 'a,b' })).toEqual([]);
});

test('a mapping names a schema by its whole name, not by the end of one', () => {
  const contract = load(
    "{ $ref: '#/components/schemas/Animal' }",
    animals.replace("'#/components/schemas/Dog' } }", 'og } }'),
  );
  expect(brokenBySending(contract, { kind: 'hound' })).toEqual(['body/kind enum']);
  expect(brokenBySending(contract, { kind: 'Dog' })).toEqual(['body/bark required']);
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
  ['anyOf', { A: { anyOf: [A, INTEGER] } }, 1, 'a'],
  ['oneOf', { A: { oneOf: [A, INTEGER] } }, 1, 'a'],
  ['not', { A: { not: A, ...INTEGER } }, 1, 'a'],
  ['if', { A: { if: A, then: { minimum: 9 }, ...INTEGER } }, 1, 'a'],
  ['then', { A: { if: {}, then: A, ...INTEGER } }, 1, 'a'],
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
