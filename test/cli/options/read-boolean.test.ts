import { expect, test } from 'vitest';
import { readBoolean } from '../../../src/cli/options/read-boolean.js';

test.each([
  ['true', true],
  ['No', false],
  ['1', true],
  ['OFF', false],
])('%s is read, in any case', (text, value) => {
  expect(readBoolean(text)).toBe(value);
});

test.each(['', 'perhaps', 'constructor', '2'])('%j says neither', (text) => {
  expect(readBoolean(text)).toBeUndefined();
});
