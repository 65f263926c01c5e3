import { expect, test } from 'vitest';
import { findBrokenRule, splitNumberRules, type NumberRules } from '../../../src/contract/schemas/ajv-keywords.js';
import { parseJson } from '../../../src/contract/document/json.js';
import { parseContract } from '../../support/parse-contract.js';
import { words } from '../../support/words.js';

const int64 = rulesOf({ type: 'integer', format: 'int64' });

function rulesOf(schema: Record<string, unknown>): NumberRules {
  const split = splitNumberRules(schema);
  if (split === undefined) throw new Error('the schema describes no number');
  return split.rules;
}

function brokenBy(text: string, rules: NumberRules): string | undefined {
  const result = parseJson(text);
  if (!result.ok) throw new Error(result.problem.message);
  return findBrokenRule(result.value, rules)?.rule;
}

test.each(['0', '-0', '1.0', '1e2', '9.223372036854775807e18', '9223372036854775807', '-9223372036854775808'])(
  '%s is an int64',
  (text) => {
    expect(brokenBy(text, int64)).toBeUndefined();
  },
);

test.each(words`9223372036854775808 -9223372036854775809 1e300 1e400 -1e400 1e999999999 9223372036854775808.0`)(
  '%s is an integer outside int64',
  (text) => {
    expect(brokenBy(text, int64)).toBe('format');
  },
);

test.each(['1.5', '1.00000000000000000001', '1e-1', '1e-999999999', '"1"', 'true', 'null', '[]', '{}'])(
  '%s is no integer',
  (text) => {
    expect(brokenBy(text, int64)).toBe('type');
  },
);

test.each([
  ['2147483647', undefined],
  ['2147483648', 'format'],
  ['-2147483648', undefined],
  ['-2147483649', 'format'],
])('%s as an int32 breaks %s', (text, rule) => {
  expect(brokenBy(text, rulesOf({ type: 'integer', format: 'int32' }))).toBe(rule);
});

test.each([
  [{ minimum: 1 }, '1', '0', 'minimum'],
  [{ maximum: 100 }, '100', '101', 'maximum'],
  [{ maximum: 9007199254740993n }, '9007199254740993', '9007199254740994', 'maximum'],
  [{ exclusiveMinimum: 0 }, '1', '0', 'exclusiveMinimum'],
  [{ exclusiveMaximum: 10 }, '9', '10', 'exclusiveMaximum'],
  [{ multipleOf: 3 }, '9007199254740993', '9007199254740994', 'multipleOf'],
  [{ enum: [1, 9007199254740993n] }, '9007199254740993', '9007199254740992', 'enum'],
  [{ const: 7 }, '7.0', '8', 'const'],
])('of %o, %s is taken and %s refused', (keywords, kept, broken, rule) => {
  const rules = rulesOf({ type: 'integer', ...keywords });
  expect(brokenBy(kept, rules)).toBeUndefined();
  expect(brokenBy(broken, rules)).toBe(rule);
});

test('a number may have a fraction, and its bounds hold too', () => {
  const rules = rulesOf({ type: 'number', maximum: 1.5, multipleOf: 0.5 });
  expect(brokenBy('1.5', rules)).toBeUndefined();
  expect(brokenBy('1.6', rules)).toBe('maximum');
  expect(brokenBy('1.2', rules)).toBe('multipleOf');
  expect(brokenBy('1e400', rules)).toBe('maximum');
});

test('null is taken where the schema takes it', () => {
  expect(brokenBy('null', rulesOf({ type: ['integer', 'null'] }))).toBeUndefined();
  expect(brokenBy('"x"', rulesOf({ type: ['integer', 'null'] }))).toBe('type');
});

test.each([Number.NaN, Number.POSITIVE_INFINITY])('%s, which only our own code could make, is no number', (value) => {
  expect(findBrokenRule(value, int64)?.rule).toBe('type');
  expect(findBrokenRule(value, rulesOf({ type: 'number' }))?.rule).toBe('type');
});

test('a schema of a text is left to Ajv', () =>
  expect(splitNumberRules({ type: 'string', minLength: 1 })).toBeUndefined());

test.each([
  ['0.07', undefined],
  ['28.83', undefined],
  ['0.075', 'multipleOf'],
  ['1e400', undefined],
])('%s as a price breaks %s', (text, rule) => {
  expect(brokenBy(text, rulesOf({ type: 'number', multipleOf: 0.01 }))).toBe(rule);
});

/** What a schema, written in YAML, says of a JSON text. */
function judge(schema: string, text: string): string[] {
  const contract = parseContract(
    `openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths: {}\ncomponents: { schemas: { It: ${schema} } }\n`,
    { shownAs: 'it.yaml' },
  );
  const result = parseJson(text);
  if (!result.ok) throw new Error(result.problem.message);
  return contract.validate.value('/components/schemas/It', result.value).map(({ message }) => message);
}

test.each([
  ['{ type: number, minimum: 9007199254740993.5 }', '9007199254740994', '9007199254740993'],
  ['{ type: number, exclusiveMaximum: 0.1 }', '0.09999999999999999999', '0.10000000000000000000'],
  ['{ type: number, maximum: 1e400 }', '1e400', '1.1e400'],
  ['{ type: number, maximum: 1e23 }', '100000000000000000000000', '100000000000000000000001'],
  ['{ type: number, multipleOf: 0.00000000000000000003 }', '0.00000000000000000006', '0.00000000000000000004'],
  ['{ multipleOf: 0.01 }', '28.83', '28.835'],
  ['{ multipleOf: 0.01 }', '"text"', '1e-400'],
  ['{ minimum: 1 }', '9223372036854775808', '-9223372036854775808'],
  ['{ enum: [0.10000000000000000001, a] }', '0.10000000000000000001', '0.1'],
  ['{ enum: [a, 9223372036854775807] }', '9223372036854775807.0', '9223372036854775806'],
  ['{ enum: [1e400] }', '10e399', '1e401'],
  ['{ const: { id: 9223372036854775807 } }', '{"id":9223372036854775807}', '{"id":9223372036854775806}'],
  ['{ type: string, enum: [a, 9223372036854775807] }', '"a"', '9223372036854775807'],
  ['{ type: [string, object], enum: [a, { n: 1e400 }] }', '{"n":1.0e400}', '1e400'],
  ['{ allOf: [{ type: number }, { not: { const: 1e400 } }] }', '2e400', '1e400'],
  ['{ type: array, uniqueItems: true }', '[1e400,1e401,{"a":1e400},{"a":1e401}]', '[{"a":1e400},{"a":10e399}]'],
  ['{ type: array, uniqueItems: true, items: { type: number } }', '[1,1.5,1e400]', '[1,2,1.0]'],
  ['{ type: array, contains: { const: 0.07 } }', '[0.070]', '[0.07000000000000000001]'],
])('%s takes %s and refuses %s', (schema, taken, refused) => {
  expect(judge(schema, taken)).toEqual([]);
  expect(judge(schema, refused)).not.toEqual([]);
});
