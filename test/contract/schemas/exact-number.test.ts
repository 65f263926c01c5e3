import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  parseJson,
  parseNumberLiteral,
  addExactly,
  isMultipleOf,
  timesStep,
  compareNumbers,
  isWhole,
  type JsonNumber,
} from '../../../src/contract/document/json.js';
import { parseContract } from '../../support/parse-contract.js';
import { words } from '../../support/words.js';

/** The rules that a JSON text breaks of a schema, written in YAML. */
function broken(schema: string, text: string): string[] {
  const head = "openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths: {}\n";
  const contract = parseContract(`${head}components: { schemas: { It: ${schema} } }\n`, { shownAs: 'it.yaml' });
  const result = parseJson(text);
  if (!result.ok) throw new Error(result.problem.message);
  return contract.validate.value('/components/schemas/It', result.value).map(({ rule }) => rule);
}

const UNIQUE = '{ type: array, uniqueItems: true }';
const INT32 = '{ type: integer, format: int32 }';
const INT64 = '{ type: integer, format: int64 }';
const INTEGERS = words`0 -0 1.0 1e2 9.223372036854775807e18 9223372036854775807 -9223372036854775808`;
const BEYOND = words`9223372036854775808 -9223372036854775809 1e300 1e400 -1e400 1e999999999 9223372036854775808.0`;
const NONE = words`1.5 1.00000000000000000001 1e-1 1e-999999999 "1" true null [] {}`;

test.each<[schema: string, text: string, ...rules: string[]]>([
  ...INTEGERS.map((text): [string, string] => [INT64, text]),
  ...BEYOND.map((text): [string, string, string] => [INT64, text, 'format']),
  ...NONE.map((text): [string, string, string] => [INT64, text, 'type']),
  [INT32, '2147483648', 'format'],
  [INT32, '-2147483649', 'format'],
  ...words`1e400 1e-400 0.10000000000000000001 1e308`.flatMap((text): [string, string, ...string[]][] => [
    ['{ type: object }', text, 'type'],
    ["{ type: [object, 'null'], properties: { a: {} }, additionalProperties: false }", text, 'type'],
    ['{ type: array }', text, 'type'],
    ['{ type: string }', text, 'type'],
    ['{ type: boolean }', text, 'type'],
    ['{ oneOf: [{ type: object }, { type: number }] }', text],
    ['{ not: { type: object } }', text],
    ['{ enum: [x, 2] }', text, 'enum'],
    ['{ type: array, uniqueItems: true }', `[${text},${text}]`, 'uniqueItems'],
    ['{ type: array, uniqueItems: true, items: { type: number } }', `[${text},${text}]`, 'uniqueItems'],
    ['{ type: array, uniqueItems: true, items: { type: number } }', `[${text},2e400]`],
  ]),
  ['{ anyOf: [{ type: object, properties: { a: {} } }, { type: string }] }', '1e400', 'type', 'type', 'anyOf'],
  ['{ type: integer }', '1e999999999'],
  ['{ type: integer }', '9007199254740993.5', 'type'],
  ['{ type: number, format: double }', '0.10000000000000000001'],
  ['{ type: number, format: double }', '-1e400', 'format'],
  ['{ type: number, format: float }', '3.5e38', 'format'],
  ['{ minimum: 5, multipleOf: 0.1 }', '"text"'],
  ['{ minimum: 5, multipleOf: 0.1 }', '5.3'],
  ['{ minimum: 5, multipleOf: 0.1 }', '5.35', 'multipleOf'],
  ['{ minimum: 5, multipleOf: 0.1 }', '-1e400', 'minimum'],
  ["{ type: [integer, 'null'] }", 'null'],
  ["{ type: [integer, 'null'] }", '"x"', 'type'],
])('of %s, %s breaks %s', (schema, text, ...rules) => expect(broken(schema, text)).toEqual(rules));

test.each([
  ['{ type: integer, minimum: 1 }', '1', '0', 'minimum'],
  ['{ type: integer, maximum: 9007199254740993 }', '9007199254740993', '9007199254740994', 'maximum'],
  ['{ type: integer, exclusiveMaximum: 10 }', '9', '10', 'exclusiveMaximum'],
  ['{ type: integer, multipleOf: 3 }', '9007199254740993', '9007199254740994', 'multipleOf'],
  ['{ type: integer, enum: [1, 9007199254740993] }', '9007199254740993', '9007199254740992', 'enum'],
  ['{ type: integer, const: 7 }', '7.0', '8', 'const'],
  ['{ type: number, minimum: 9007199254740993.5 }', '9007199254740994', '9007199254740993', 'minimum'],
  ['{ type: number, exclusiveMaximum: 0.1 }', '0.09999999999999999999', '0.10000000000000000000', 'exclusiveMaximum'],
  ['{ type: number, maximum: 1e400 }', '1e400', '1.1e400', 'maximum'],
  ['{ type: number, maximum: 1e23 }', '100000000000000000000000', '100000000000000000000001', 'maximum'],
  ['{ multipleOf: 0.01 }', '28.83', '28.835', 'multipleOf'],
  ['{ multipleOf: 0.01 }', '"text"', '1e-400', 'multipleOf'],
  ['{ enum: [0.10000000000000000001, a] }', '0.10000000000000000001', '0.1', 'enum'],
  ['{ enum: [1e400] }', '10e399', '1e401', 'enum'],
  ['{ const: { id: 9223372036854775807 } }', '{"id":9223372036854775807}', '{"id":9223372036854775806}', 'const'],
  ['{ type: string, enum: [a, 9223372036854775807] }', '"a"', '9223372036854775807', 'type'],
  ['{ type: [string, object], enum: [a, { n: 1e400 }] }', '{"n":1.0e400}', '1e400', 'type'],
  ['{ allOf: [{ type: number }, { not: { const: 1e400 } }] }', '2e400', '1e400', 'not'],
  [UNIQUE, '[1e400,{"a":1e400},{"a":1e401}]', '[{"a":1e400},{"a":10e399}]', 'uniqueItems'],
  ['{ type: array, contains: { const: 0.07 } }', '[0.070]', '[0.07000000000000000001]', 'contains'],
])('%s takes %s, and %s breaks its %s', (schema, taken, refused, rule) => {
  expect(broken(schema, taken)).toEqual([]);
  expect(broken(schema, refused)).toContain(rule);
});

function read(literal: string): JsonNumber {
  const value = parseNumberLiteral(literal);
  if (value === undefined) throw new Error(`${literal} is no number`);
  return value;
}

/** `units` of the unit that the last of `places` decimals has. */
function write(units: bigint, places: number): string {
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0');
  const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  return units < 0n ? `-${text}` : text;
}

const places = fc.integer({ min: 0, max: 12 });
/** As many digits as prices have, and as many as no double has. */
const units = fc.oneof(fc.bigInt(-(10n ** 7n), 10n ** 7n), fc.bigInt(-(10n ** 30n), 10n ** 30n));
const steps = fc.oneof(fc.constantFrom(1n, 5n, 25n, 125n), fc.bigInt(1n, 10n ** 6n), fc.bigInt(1n, 10n ** 20n));

test('what is so many steps is a multiple of the step, and the smallest unit more is none', () => {
  fc.assert(
    fc.property(units, steps, places, (count, step, digits) => {
      const of = read(write(step, digits));
      expect(isMultipleOf(read(write(count * step, digits)), of)).toBe(true);
      // A digit more than the step has, so that a step of one unit counts too; 20 digits, so that no double has them.
      expect(isMultipleOf(read(write((count * step + 10n ** 20n * step) * 10n + 1n, digits + 1)), of)).toBe(false);
    }),
    { numRuns: 5000 },
  );
});

test('numbers are in the order of whole numbers of their smallest unit', () => {
  fc.assert(
    fc.property(units, places, fc.oneof(units, fc.constant(undefined)), places, (one, ofOne, other, ofOther) => {
      const a = write(one, ofOne);
      const b = other === undefined ? write(one * 10n + 1n, ofOne + 1) : write(other, ofOther);
      const scale = (text: string): bigint => {
        const [whole = '', fraction = ''] = text.split('.');
        return BigInt(whole + fraction.padEnd(20, '0'));
      };
      const [x, y] = [scale(a), scale(b)];
      expect(Math.sign(compareNumbers(read(a), read(b)))).toBe(x < y ? -1 : x > y ? 1 : 0);
    }),
    { numRuns: 5000 },
  );
});

test.each<[string, boolean, ...string[]]>([
  ['0.01', true, ...words`0.07 28.83 40.3 1.1 4.35 1.15 -0.07 0 1e2 999999999999.99 123456789012345678.91`],
  ['0.01', false, ...words`0.075 0.07000000000000000001 1e-400`],
  ['0.1', false, '0.30000000000000004'],
  ['0.00000000000000000001', true, '0.07000000000000000001'],
  ['2e-400', false, '3e-400'],
  ['7', false, '1e400'],
  ['3', false, '1e999999999999999', '1e308'],
  ['0.3', true, '3e999999999999999'],
  ['1e-308', true, '1e308'],
  ['3', true, '9007199254740993'],
  ['1e-324', true, '5e-324'],
])('that each is a multiple of %s is %s: %s, %s', (of, expected, ...values) => {
  expect(values.filter((value) => isMultipleOf(read(value), read(of)) !== expected)).toEqual([]);
});

test.each([
  ['1e400', '1.7976931348623157e308', 1],
  ['1e-400', '0', 1],
  ['9007199254740993.5', '9007199254740994', -1],
  ['1e23', '100000000000000000000001', -1],
  ['12e399', '1.2e400', 0],
])('%s compared with %s is %s', (one, other, expected) => {
  expect(Math.sign(compareNumbers(read(one), read(other)))).toBe(expected);
  expect(Math.sign(compareNumbers(read(other), read(one)))).toBe(0 - expected + 0);
});

test('an infinite bound, which YAML can state, is beyond any number', () => {
  for (const text of ['1', '9223372036854775807', '1e400', '-1e400']) {
    expect(compareNumbers(read(text), Infinity)).toBe(-1);
    expect(compareNumbers(read(text), -Infinity)).toBe(1);
  }
});

test.each([
  ['1e400', true],
  ['1.00000000000000000001', false],
])('whether %s is whole is %s', (text, expected) => expect(isWhole(read(text))).toBe(expected));

test('sums and steps are the decimals that one writes', () => {
  const sums = [addExactly(28.83, 0.01), addExactly(0.1, 0.2), addExactly(1e300, 1e-300), addExactly(-0.3, 0.3)];
  expect(sums).toEqual([28.84, 0.3, 1e300, 0]);
  const stepped = [timesStep(12_345, 0.01), timesStep(3, 0.1), timesStep(-7, 1e-7), timesStep(2, 5)];
  expect(stepped).toEqual([123.45, 0.3, -7e-7, 10]);
});

test('the work for a long number or a great power is bounded by its length', () => {
  const long = read(`0.${'3'.repeat(1_000_000)}`);
  expect(isMultipleOf(long, 0.01)).toBe(false);
  expect(isMultipleOf(long, read('1e-1000000'))).toBe(true);
  expect(isMultipleOf(read('3'.repeat(1_000_000)), 3)).toBe(true);
  expect(compareNumbers(long, read('1e999999999999999'))).toBe(-1);
});
