import { expect, test } from 'vitest';
import { parseSource } from '../../../src/contract/document/document.js';
import { checkReferences, referenceOf, resolveAt } from '../../../src/contract/document/references.js';

const read = (text: string): ReturnType<typeof parseSource> =>
  parseSource(text, { code: 'unusable-contract', shownAs: 'a.yaml' });

test('a value without a reference is what stands there', () => {
  expect(resolveAt(read('a: {b: 1}'), '/a')).toEqual({ value: { b: 1 }, pointer: '/a' });
});

test('a chain of references is followed to its end', () => {
  const document = read("a: {$ref: '#/b'}\nb: {$ref: '#/c~1d'}\nc/d: 7\n");
  expect(resolveAt(document, '/a')).toEqual({ value: 7, pointer: '/c~1d' });
});

test('a reference may be percent-encoded, as a URI fragment is', () => {
  expect(resolveAt(read("a: {$ref: '#/b%20c'}\nb c: 7\n"), '/a').value).toBe(7);
});

test.each([
  ['that leads nowhere', "a: {$ref: '#/b'}", 'a.yaml:1:5: the reference #/b leads nowhere.'],
  ['with a bad escape', "a: {$ref: '#/%zz'}", 'a.yaml:1:5: the reference #/%zz leads nowhere.'],
  ['that is no pointer', "a: {$ref: '#b'}\nb: 1", 'a.yaml:1:5: the reference #b leads nowhere.'],
  ['to itself', "a: {$ref: '#/a'}", 'a.yaml:1:5: the reference #/a leads back to itself.'],
  ['in a circle', "a: {$ref: '#/b'}\nb:\n  $ref: '#/c'\nc: {$ref: '#/a'}", /leads back to itself\.$/],
])('a reference %s is refused with its place', (_, text, message) => {
  expect(() => checkReferences(read(text))).toThrow(message);
});

test('a schema may refer to itself further inside', () => {
  const document = read("node:\n  properties:\n    next: {$ref: '#/node'}\n");
  expect(() => checkReferences(document)).not.toThrow();
});

test.each(['example', 'default', 'enum', 'const'])('a $ref inside `%s` is data', (field) => {
  expect(() => checkReferences(read(`a: {${field}: {$ref: '#/nowhere'}}`))).not.toThrow();
});

test('a property that happens to be called example is no example', () => {
  expect(() => checkReferences(read("properties: {example: {$ref: '#/nowhere'}}"))).toThrow('leads nowhere');
});

test('only a text is a reference', () => {
  expect(referenceOf({ $ref: { type: 'string' } })).toBeUndefined();
  expect(referenceOf(null)).toBeUndefined();
});
