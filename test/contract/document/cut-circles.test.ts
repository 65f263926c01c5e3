import { expect, test } from 'vitest';
import { brokenBySending, documentOf, loadFiles, notesOf } from '../support/documents.js';

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
