import { expect, test } from 'vitest';
import { describeMismatch } from '../../../src/conformance/checks/expectations.js';

const KEY = 9007199254740993n;

test('a key past 2^53 is compared exactly, wherever a schema names it', () => {
  for (const schema of [{ const: KEY }, { enum: [1, KEY] }, { properties: { id: { const: KEY } } }]) {
    const within = (value: unknown): unknown => ('properties' in schema ? { id: value } : value);
    expect(describeMismatch(schema, within(KEY))).toEqual([]);
    expect(describeMismatch(schema, within(KEY - 1n))).toHaveLength(1);
  }
});

test('a mismatch names the rule and what it expects, digit by digit', () => {
  const other = describeMismatch({ const: { id: KEY } }, { id: KEY - 1n });
  expect(other).toMatchObject([{ rule: 'const', expected: '{"id":9007199254740993}' }]);
  const none = describeMismatch({ enum: ['a', KEY] }, 'b');
  expect(none).toMatchObject([{ rule: 'enum', expected: 'one of "a", 9007199254740993' }]);
});

test('objects are the same in any order of their fields', () =>
  expect(describeMismatch({ const: { a: 1, b: [2] } }, { b: [2], a: 1 })).toEqual([]));
