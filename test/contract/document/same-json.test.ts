import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson, printJson, keyOfJson, sameJson } from '../../../src/contract/document/json.js';

function parsed(text: string): unknown {
  const result = parseJson(text);
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
}

test.each([
  ['1e300', '1e+300'],
  ['1e300', `1${'0'.repeat(300)}`],
  ['10e399', '1e400'],
  ['-0', '0'],
  ['1.0', '1'],
  ['1.50', '1.5'],
  ['1.000000000000000000010', '1.00000000000000000001'],
  ['9007199254740993.0', '9007199254740993'],
  ['{"a":1e300,"b":[1]}', '{"b":[1.0],"a":1e+300}'],
  ['[{}]', '[{}]'],
])('%s and %s are the same', (one, other) => {
  expect(sameJson(parsed(one), parsed(other))).toBe(true);
  expect(new Set([keyOfJson(parsed(one)), keyOfJson(parsed(other))]).size).toBe(1);
});

// YAML reads 1e20 as a `double`; JSON reads what a target answers as a `bigint`.
test.each([
  [2 ** 53, 9007199254740992n],
  [-1e20, -100000000000000000000n],
])('%s is the same as %s', (double, integer) => {
  expect(sameJson(double, integer)).toBe(true);
  expect(keyOfJson(double)).toBe(keyOfJson(integer));
  expect(sameJson(double, integer + 1n)).toBe(false);
});

test.each([
  ['1e300', '1e301'],
  ['1e400', '-1e400'],
  ['1e400', '1e401'],
  ['9007199254740993', '9007199254740992'],
  ['1', '"1"'],
  ['1', 'true'],
  ['0', 'null'],
  ['0', 'false'],
  ['""', 'null'],
  ['[]', '{}'],
  ['[1,2]', '[2,1]'],
  ['[1]', '1'],
  ['{"a":1}', '{"a":1,"b":null}'],
  ['{"a":"1"}', '{"a":1}'],
  ['{"a":1}', '"{\\"a\\":1e0}"'],
  ['{"__proto__":1}', '{}'],
])('%s and %s differ', (one, other) => {
  expect(sameJson(parsed(one), parsed(other))).toBe(false);
  expect(keyOfJson(parsed(one))).not.toBe(keyOfJson(parsed(other)));
});

test('absent and null differ', () => expect(sameJson(undefined, null)).toBe(false));

test('any value is the same as what its printed text says', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(sameJson(value, parsed(printJson(value)))).toBe(true);
    }),
  );
});
