import { expect, test } from 'vitest';
import { parseSource } from '../../../src/contract/document/document.js';
import { referenceOf, resolveAt } from '../../../src/contract/document/references.js';

const read = (text: string): ReturnType<typeof parseSource> =>
  parseSource(text, { code: 'unusable-contract', shownAs: 'a.yaml' });

test('a value without a reference is what stands there', () =>
  expect(resolveAt(read('a: {b: 1}'), '/a')).toEqual({ value: { b: 1 }, pointer: '/a' }));

test('a chain of references is followed to its end', () => {
  const document = read("a: {$ref: '#/b'}\nb: {$ref: '#/c~1d'}\nc/d: 7\n");
  expect(resolveAt(document, '/a')).toEqual({ value: 7, pointer: '/c~1d' });
});

test('a reference may be percent-encoded, as a URI fragment is', () =>
  expect(resolveAt(read("a: {$ref: '#/b%20c'}\nb c: 7\n"), '/a').value).toBe(7));

test.each([
  ['that leads nowhere', "a: {$ref: '#/b'}"],
  ['with a bad escape', "a: {$ref: '#/%zz'}"],
  ['that is no pointer', "a: {$ref: '#b'}\nb: 1"],
  ['to itself', "a: {$ref: '#/a'}"],
  ['in a circle', "a: {$ref: '#/b'}\nb:\n  $ref: '#/c'\nc: {$ref: '#/a'}"],
])('a reference %s comes to nothing', (_, text) => expect(resolveAt(read(text), '/a').value).toBeUndefined());

test('only a text is a reference', () => {
  expect(referenceOf({ $ref: { type: 'string' } })).toBeUndefined();
  expect(referenceOf(null)).toBeUndefined();
});
