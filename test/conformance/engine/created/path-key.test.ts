import { expect, test } from 'vitest';
import { readPathKey } from '../../../../src/conformance/model/records.js';

test.each([
  ['a text', 'a key'],
  ['an empty text', ''],
  ['a number', 7],
  ['a number of 64 bits', 2n ** 63n],
])('%s can stand in a path', (_, value) => expect(readPathKey(value)).toBe(value));

test.each([
  ['null', null],
  ['an object', { toString: null }],
  ['a list', [1]],
  ['longer than an address', 'x'.repeat(8001)],
])('what is %s is no key', (_, value) => expect(readPathKey(value)).toBeUndefined());
