import { expect, test } from 'vitest';
import { findBrokenRule, splitNumberRules, type NumberRules } from '../../../src/contract/schemas/ajv-keywords.js';
import { parseJson } from '../../../src/contract/document/json.js';
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
  [INT32, '2147483647'],
  [INT32, '2147483648', 'format'],
  [INT32, '-2147483648'],
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
  ['{ type: integer }', '1e400'],
  ['{ type: integer }', '1e999999999'],
  ['{ type: integer }', '1e-400', 'type'],
  ['{ type: integer }', '9007199254740993.5', 'type'],
  ['{ type: number, format: double }', '1.7976931348623157e308'],
  ['{ type: number, format: double }', '0.10000000000000000001'],
  ['{ type: number, format: double }', '-1e400', 'format'],
  ['{ type: number, format: float }', '0.1'],
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
  ['{ type: integer, exclusiveMinimum: 0 }', '1', '0', 'exclusiveMinimum'],
  ['{ type: integer, exclusiveMaximum: 10 }', '9', '10', 'exclusiveMaximum'],
  ['{ type: integer, multipleOf: 3 }', '9007199254740993', '9007199254740994', 'multipleOf'],
  ['{ type: integer, enum: [1, 9007199254740993] }', '9007199254740993', '9007199254740992', 'enum'],
  ['{ type: integer, const: 7 }', '7.0', '8', 'const'],
  ['{ type: number, maximum: 1.5, multipleOf: 0.5 }', '1.5', '1.2', 'multipleOf'],
  ['{ type: number, minimum: 9007199254740993.5 }', '9007199254740994', '9007199254740993', 'minimum'],
  ['{ type: number, exclusiveMaximum: 0.1 }', '0.09999999999999999999', '0.10000000000000000000', 'exclusiveMaximum'],
  ['{ type: number, maximum: 1e400 }', '1e400', '1.1e400', 'maximum'],
  ['{ type: number, maximum: 1e23 }', '100000000000000000000000', '100000000000000000000001', 'maximum'],
  ['{ type: number, multipleOf: 3.0e-20 }', '0.00000000000000000006', '0.00000000000000000004', 'multipleOf'],
  ['{ multipleOf: 0.01 }', '28.83', '28.835', 'multipleOf'],
  ['{ multipleOf: 0.01 }', '"text"', '1e-400', 'multipleOf'],
  ['{ minimum: 1 }', '9223372036854775808', '-9223372036854775808', 'minimum'],
  ['{ enum: [0.10000000000000000001, a] }', '0.10000000000000000001', '0.1', 'enum'],
  ['{ enum: [a, 9223372036854775807] }', '9223372036854775807.0', '9223372036854775806', 'enum'],
  ['{ enum: [1e400] }', '10e399', '1e401', 'enum'],
  ['{ const: { id: 9223372036854775807 } }', '{"id":9223372036854775807}', '{"id":9223372036854775806}', 'const'],
  ['{ type: string, enum: [a, 9223372036854775807] }', '"a"', '9223372036854775807', 'type'],
  ['{ type: [string, object], enum: [a, { n: 1e400 }] }', '{"n":1.0e400}', '1e400', 'type'],
  ['{ allOf: [{ type: number }, { not: { const: 1e400 } }] }', '2e400', '1e400', 'not'],
  [UNIQUE, '[1e400,{"a":1e400},{"a":1e401}]', '[{"a":1e400},{"a":10e399}]', 'uniqueItems'],
  ['{ type: array, uniqueItems: true, items: { type: number } }', '[1,1.5,1e400]', '[1,2,1.0]', 'uniqueItems'],
  ['{ type: array, contains: { const: 0.07 } }', '[0.070]', '[0.07000000000000000001]', 'contains'],
])('%s takes %s, and %s breaks its %s', (schema, taken, refused, rule) => {
  expect(broken(schema, taken)).toEqual([]);
  expect(broken(schema, refused)).toContain(rule);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY])('%s, which only our own code could make, is no number', (value) => {
  const rulesOf = (type: string) => splitNumberRules({ type })?.rules as NumberRules;
  expect(findBrokenRule(value, rulesOf('integer'))?.rule).toBe('type');
  expect(findBrokenRule(value, rulesOf('number'))?.rule).toBe('type');
});
