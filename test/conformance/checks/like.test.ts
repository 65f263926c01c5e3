import { expect, test } from 'vitest';
import { listUnlike } from '../../../src/conformance/checks/record.js';

test.each([
  [{ a: 1 }, { a: 1, b: 2 }],
  ['2026-01-01T00:00:00Z', '2026-01-01T01:00:00.000+01:00'],
  ['Ann@Example.com', 'ann@example.com'],
  ['ch', 'CH'],
  ['ab-12', 'AB-12'],
  ['4.2', '4.20'],
  ['5', '5.00'],
  [null, undefined],
  [[{ a: 1 }], [{ a: 1, b: 2 }]],
  [{ password: 'abc' }, { password: '**********' }],
])('%j may be told as %j', (sent, seen) => expect(listUnlike(sent, seen)).toEqual([]));

test.each([
  [{ a: 1 }, { a: '1' }, '/a'],
  [{ a: { b: 1 } }, { a: {} }, '/a/b'],
  ['2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z', ''],
  ['4.20', '4.2', ''],
  ['5', '5.0', ''],
  ['4.2', '4.21', ''],
  ['x5', 'x5.00', ''],
  ['Ann', 'ann', ''],
  ['Ann', 'ANN', ''],
  [{ name: 'abc' }, { name: '***' }, '/name'],
  [{ password: 'abc' }, { password: 'cba' }, '/password'],
  ['a long text', 'A LONG TEXT', ''],
  [[1, 2], [2, 1], '/0'],
  [[1], [1, 2], ''],
])('%j is not %j', (sent, seen, at) => expect(listUnlike(sent, seen)[0]?.at).toBe(at));

test('integers past 2^53 are compared to the last digit', () =>
  expect(listUnlike(9007199254740993n, 9007199254740992n)).toHaveLength(1));
