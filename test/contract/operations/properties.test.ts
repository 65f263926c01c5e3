import { expect, test } from 'vitest';
import { parseSource } from '../../../src/contract/document/document.js';
import { listProperties } from '../../../src/contract/operations/properties.js';
import { shippedContract } from '../../support/shipped.js';

function list(text: string): string[] {
  return [...listProperties(parseSource(text, { code: 'unusable-contract', shownAs: 'a.yaml' }), '/schema')];
}

test('the properties of a Pet are those of a NewPet, and its id', () => {
  const names = listProperties(shippedContract.document, '/components/schemas/Pet');
  expect([...names].sort()).toEqual(['categoryId', 'id', 'name', 'status']);
});

test('properties are found through references, allOf, anyOf and oneOf', () => {
  const text = `
schema:
  properties: {a: {}}
  allOf: [{properties: {b: {}}}, {$ref: '#/other'}]
  anyOf: [{properties: {c: {}}}]
  oneOf: [{oneOf: [{properties: {d: {}}}]}]
other: {properties: {e: {}}}
`;
  expect(list(text).sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('a schema that is made of itself ends', () =>
  expect(list("schema: {properties: {a: {}}, allOf: [{$ref: '#/schema'}]}")).toEqual(['a']));

test('a schema without properties has none', () => {
  expect(list('schema: {type: string}')).toEqual([]);
  expect(list('schema: true')).toEqual([]);
});
