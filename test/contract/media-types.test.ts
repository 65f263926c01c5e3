import { expect, test } from 'vitest';
import { chooseAccepted, coversMediaType, findContent } from '../../src/contract/media-types.js';
import { narrowMediaType, normalizeMediaType } from '../../src/contract/media-types.js';

test.each<[range: string, includes: string[], not: string[]]>([
  ['application/json', ['application/json', 'Application/JSON; Version=1'], ['application/vnd.a+json']],
  ['*/*', ['image/png', ''], []],
  ['image/*', ['image/png'], ['text/png']],
  ['application/*+json', ['application/vnd.a+json'], ['application/json', 'text/a+json']],
  ['*/json', [], ['application/json']],
  ['a/b; version=1', ['A/b; VERSION="1"'], ['a/b; version=2', 'a/b']],
  ['application/json; charset=utf-8', ['application/json'], []],
  ['text/csv; charset=iso-8859-1', ['text/csv; charset=ISO-8859-1'], ['text/csv; charset=utf-8']],
  ['multipart/form-data; boundary=a', ['multipart/form-data; boundary=b'], []],
])('%s includes %j, and not %j', (range, includes, not) => {
  expect(includes.filter((mediaType) => !coversMediaType(range, mediaType))).toEqual([]);
  expect(not.filter((mediaType) => coversMediaType(range, mediaType))).toEqual([]);
});

const entries = (keys: readonly string[]): { mediaType: string }[] => keys.map((mediaType) => ({ mediaType }));

const KEYS = ['*/*', 'application/*', 'application/*+json', 'a/b', 'a/b; x=1', 'a/b; x=1; y="2 3"', 'application/json'];

test.each([
  ['application/json; charset=utf-8', 'application/json'],
  ['application/hal+json', 'application/*+json'],
  ['application/xml', 'application/*'],
  ['text/plain', '*/*'],
  [undefined, '*/*'],
  ['a/b; x=2', 'a/b'],
  ['a/b; y=2; X="1"', 'a/b; x=1'],
  ['a/b; y="2 3"; x=1', 'a/b; x=1; y="2 3"'],
])('for %s the most specific key applies, in any order', (mediaType, key) => {
  expect(findContent(entries(KEYS), mediaType)?.mediaType).toBe(key);
  expect(findContent(entries(KEYS.toReversed()), mediaType)?.mediaType).toBe(key);
});

const BOTH = ['application/xml', 'application/json'];

test.each([
  [['application/json', 'text/csv'], 'text/csv;q=0.5, application/*;q=0.1', 'text/csv'],
  [BOTH, undefined, 'application/json'],
  [BOTH, '', 'application/json'],
  [BOTH, '*/*', 'application/json'],
  [BOTH, 'application/xml, */*', 'application/xml'],
  [BOTH, 'application/json;q=0, */*', 'application/xml'],
  [['application/json'], 'application/json;q=0', undefined],
  [['application/json'], 'text/html', undefined],
  [['application/json'], 'text/html, *; q=.2', 'application/json'],
  [['application/json'], 'APPLICATION/JSON; charset=utf-8', 'application/json'],
  [['a/b; v=1', 'a/b; v=2', 'a/b'], 'a/b;v="2"', 'a/b; v=2'],
  [['a/b; v=1', 'a/b; v=2', 'a/b'], 'a/b', 'a/b'],
  [['a/b; v=1', 'a/b; v=2'], 'a/b;v=1;q=0, a/b', 'a/b; v=2'],
  [['a/b; v=1'], 'a/b;v=3', undefined],
  [['a/b; p="x, y"'], 'c/d, a/b; p="x, y"', 'a/b; p="x, y"'],
  [['text/*'], 'text/csv', 'text/csv'],
  [['text/*'], 'text/*', 'text/*'],
  [['*/*'], 'text/html, */*;q=0.1', '*/*'],
  [['*/*'], 'text/html', 'text/html'],
])('of %j, %s is given %s', (keys, accept, mediaType) => {
  expect(chooseAccepted(entries(keys), accept)?.mediaType).toBe(mediaType);
});

test.each([
  [' Application/JSON;Version="1" ;charset=UTF-8', 'application/json; version=1'],
  ['a/b;p="x \\"y\\""', 'a/b; p="x \\"y\\""'],
])('%s is written as %s', (key, written) => expect(normalizeMediaType(key)).toBe(written));

test.each([
  ['*/*', {}, 'application/json'],
  ['application/*', 'text', 'application/octet-stream'],
  ['application/*+json', {}, 'application/vnd.example+json'],
  ['image/*', '', 'image/png'],
  ['text/*', '', 'text/plain'],
  ['a/b; p="*"', '', 'a/b; p="*"'],
])('%s is sent as a type that it includes', (range, value, mediaType) => {
  expect(narrowMediaType(range, value)).toBe(mediaType);
  expect(coversMediaType(range, mediaType)).toBe(true);
});
