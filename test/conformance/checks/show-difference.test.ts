import { expect, test } from 'vitest';
import { showDifference } from '../../../src/conformance/checks/show.js';

test('two long texts are cut alike around the place where they begin to differ', () => {
  const before = 'x'.repeat(1000);
  const { expected, actual } = showDifference(`${before}one${before}`, `${before}two`);
  expect(expected.startsWith(`…${'x'.repeat(30)}one`)).toBe(true);
  expect(actual).toBe(`…${'x'.repeat(30)}two`);
});

test.each([
  ['normal forms', 'Zoe\u0308', 'Zo\u00EB'],
  ['kinds of space', 'a\u00A0b', 'a b'],
  ['letters without a width', 'Rex\u200F', 'Rex'],
])('what differs only in %s is shown by its code points', (_, one, other) => {
  const { expected, actual } = showDifference(one, other);
  expect(`${expected} ${actual}`).toMatch(/‹U\+[0-9A-F]{4}›/);
  expect(`${expected} ${actual}`).toMatch(/^[ -~‹›]+$/);
});

test('short texts that differ in sight are shown whole', () =>
  expect(showDifference('"a"', '"b"')).toEqual({ expected: '"a"', actual: '"b"' }));
