import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  escapePointer,
  parsePointer,
  parseSource,
  readDocument,
  readOnce,
} from '../../../src/contract/document/document.js';
import { referenceOf, resolveAt } from '../../../src/contract/document/references.js';
import { refusalOf } from '../support/refusal.js';
import { makeFile, makeFolder } from '../../support/folder.js';

const code = 'unusable-contract';
const read = (text: string): ReturnType<typeof parseSource> => parseSource(text, { code, shownAs: 'a.yaml' });

test.each([
  ['paths:\n  /pets/{id}:\n    get: {a~b: [1, 2]}\n', '/paths/~1pets~1{id}/get/a~0b/1', 2],
  ['a: {b: 1}', '/a/b/c', undefined],
  // No inherited property is found.
  ['a: {b: 1}', '/constructor', undefined],
  ['a: 9223372036854775807\nb: 7\n', '', { a: 9223372036854775807n, b: 7 }],
  ['{"a": {"b": [1.5, true, null]}}', '', { a: { b: [1.5, true, null] } }],
])('in %j, the JSON Pointer %j finds %o', (text, pointer, value) => expect(read(text).at(pointer)).toEqual(value));

test.each([
  ['a:\n  b:\n    - x\n    - c: 1\n', '/a/b', 2, 3],
  ['a:\n  b:\n    - x\n    - c: 1\n', '/a/b/1/c', 4, 7],
  // What is missing is at its nearest ancestor.
  ['a:\n  b: 1\n', '/a/c/d', 1, 1],
  // Through an alias, and by a key that is a number.
  ['base: &base\n  x: 1\ncopy: *base\n', '/copy/x', 2, 3],
  ['responses:\n  200: ok\n', '/responses/200', 2, 3],
])('in %j, %s is at line %i and column %i', (text, pointer, line, column) =>
  expect(read(text).placeOf(pointer)).toEqual({ file: 'a.yaml', line, column }),
);

test('a merge key takes what its mapping does not have itself, of the first source that has it', () => {
  const document = read('a: &a\n  x: 1\n  y: 2\nb: &b\n  <<: *a\n  x: 3\nc:\n  <<: [{y: 4}, *b]\n  z: 5\n"<<": 6\n');
  expect(document.root).toMatchObject({ b: { x: 3, y: 2 }, c: { x: 3, y: 4, z: 5 }, '<<': 6 });
  expect(document.placeOf('/c/x')).toMatchObject({ line: 6, column: 3 });
  expect(document.placeOf('/c/y')).toMatchObject({ line: 8, column: 9 });
  expect(document.placeOf('/b/y')).toMatchObject({ line: 3, column: 3 });
});

test('an alias may be used as often as a document needs it', () => {
  const uses = Array.from({ length: 300 }, (_, index) => `u${index}: {<<: *b, again: *b}\n`).join('');
  const root = read(`a: &a {x: 1}\nb: &b {<<: *a}\n${uses}`).root as Record<string, unknown>;
  expect(root['u299']).toEqual({ x: 1, again: { x: 1 } });
});

test('a key called __proto__ is data', () => {
  const root = read('__proto__: {a: 1}').root as Record<string, unknown>;
  expect(Object.hasOwn(root, '__proto__')).toBe(true);
  expect(root['a']).toBeUndefined();
});

test('a pointer is taken apart and put together as RFC 6901 says', () => {
  expect(parsePointer('')).toEqual([]);
  expect(parsePointer('/')).toEqual(['']);
  expect(parsePointer('/a~1b/m~0n/~01')).toEqual(['a/b', 'm~n', '~1']);
  expect(escapePointer('a/b~c')).toBe('a~1b~0c');
});

test.each([
  ['what is no YAML', 'a: [1, 2\nb: 3', /^a\.yaml:2:1: this is not valid YAML/],
  ['an alias without an anchor', 'a: 1\nb: *c', /^a\.yaml:2:4: .*alias/],
  ['a second document', 'a: 1\n---\nb: 2', /^a\.yaml:2:1: /],
  ['a bomb of aliases', aliasBomb(), /^a\.yaml:7:\d+: .*alias/],
  ['a bomb of merge keys', aliasBomb('{x: [x]}', (list) => `{<<: ${list}}`), /^a\.yaml:\d+:\d+: .*alias/],
  ['a mapping that is merged into itself', 'a: &a {<<: *a}', /^a\.yaml:1:12: .*contains itself/],
  ['a merge of what is no mapping', 'a:\n  <<: [{b: 1}, 2]', /^a\.yaml:2:3: .*neither a mapping/],
  ['a list that contains itself', 'a: &a [*a]', /^a\.yaml:1:8: .*contains itself/],
  ['many levels', `a: ${'['.repeat(100_000)}`, /^a\.yaml:1:\d+: this is nested more than 500 levels deep/],
])('%s is refused with its place', (_, text, message) => expect(refusalOf(() => read(text)).message).toMatch(message));

test('a file that is not there, and a folder, are named as what they are', () => {
  const folder = makeFolder();
  const missing = refusalOf(() => readDocument(join(folder, 'none.yaml'), { code }));
  const message = `cannot read ${join(folder, 'none.yaml')}: there is no such file.`;
  expect(missing).toMatchObject({ code: 'unreadable-file', message });
  expect(refusalOf(() => readDocument(folder, { code })).message).toBe(`cannot read ${folder}: it is a folder.`);
});

test('a file is named as it is shown, with the code that was asked for', () => {
  const path = makeFile('x.yaml', 'a: [');
  const error = refusalOf(() => readDocument(path, { code: 'unusable-fixtures', shownAs: 'my pack' }));
  expect(error.code).toBe('unusable-fixtures');
  expect(error.place).toMatchObject({ file: 'my pack', line: 1 });
});

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
  ['in a circle', "a: {$ref: '#/b'}\nb:\n  $ref: '#/c'\nc: {$ref: '#/a'}"],
])('a reference %s comes to nothing', (_, text) => expect(resolveAt(read(text), '/a').value).toBeUndefined());

test('only a text is a reference', () => {
  expect(referenceOf({ $ref: { type: 'string' } })).toBeUndefined();
  expect(referenceOf(null)).toBeUndefined();
});

test('what is read of an object is read once', () => {
  const asked: object[] = [];
  const [one, other] = [{}, {}];
  const readIt = readOnce((of: object) => asked.push(of));
  expect([readIt(one), readIt(one), readIt(other)]).toEqual([1, 1, 2]);
  expect(asked).toEqual([one, other]);
});

function aliasBomb(first = '[x, x, x, x, x, x, x, x, x]', write = (list: string): string => list): string {
  const names = Array.from('abcdefghij');
  const levels = names
    .slice(1)
    .map((name, index) => `${name}: &${name} ${write(`[${Array(9).fill(`*${names[index]}`).join(', ')}]`)}`);
  return [`a: &a ${first}`, ...levels].join('\n');
}
