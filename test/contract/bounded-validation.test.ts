import { expect, test } from 'vitest';
import { sampleValue } from '../../src/contract/samples/sample.js';
import { createSource } from '../../src/contract/document/document.js';
import { describeMismatch } from '../../src/conformance/checks/expectations.js';
import { parseContract } from '../support/parse-contract.js';
import type { Violation } from '../../src/contract/schemas/violation.js';

const forty = `${'a'.repeat(40)}!`;

function violationsOf(schema: object, value: unknown): Violation[] {
  const contract = parseContract({ paths: {}, components: { schemas: { It: schema } } });
  return contract.validate.value('/components/schemas/It', value);
}

const problemsOf = (schema: object, value: unknown): string[] => violationsOf(schema, value).map(({ rule }) => rule);

test.each([
  ['a pattern', { type: 'string', pattern: '^(a+)+$' }, forty, ['pattern']],
  ['a name of a property', { patternProperties: { '^(a+)+$': { type: 'integer' } } }, { [forty]: 'x' }, []],
  ['a rule for names', { propertyNames: { pattern: '^(a+)+$' } }, { [forty]: 1 }, ['pattern']],
  ['a format', { type: 'string', format: 'url' }, `http://a${'ab:'.repeat(300_000)}@`, ['format']],
])('%s of a contract that could take hours is judged at once', (_, schema, value, rules) => {
  expect(problemsOf(schema, value)).toEqual(rules);
});

test('so is one of a scenario', () => {
  expect(describeMismatch({ type: 'string', pattern: '^(a+)+$' }, forty)).toMatchObject([{ rule: 'pattern' }]);
  expect(describeMismatch({ type: 'string', pattern: '^(a+)+$' }, 'aaa')).toEqual([]);
});

function sampleOf(schema: object, defs: object = {}): unknown {
  const source = createSource('a', { schema, defs }, () => ({ file: 'a' }));
  return sampleValue(source, '/schema');
}

test.each([
  ['a billion items', { type: 'array', minItems: 1_000_000_000, items: { type: 'integer' } }],
  ['lists of lists', [1, 2, 3].reduce<object>((items) => ({ type: 'array', minItems: 5000, items }), {})],
  ['a text of a billion letters', { type: 'string', minLength: 1_000_000_000 }],
  ['a pattern that repeats a billion times', { type: 'string', pattern: 'a{1000000000}' }],
  ['what contains itself ten times over', { $ref: '#/defs/tree' }],
])('%s: a sample has an end', (_, schema) => {
  const names = Array.from('abcdefghij');
  const properties = Object.fromEntries(names.map((name) => [name, { $ref: '#/defs/tree' }]));
  const sampled = sampleOf(schema, { tree: { type: 'object', required: names, properties } });
  // Of what contains itself without end there is no value.
  expect(JSON.stringify(sampled ?? null).length).toBeLessThan(2_000_000);
});

const listOfIntegers = { type: 'array', items: { type: 'integer' } };

test('of a rule that a list breaks thousands of times some are told, with the number of the rest', () => {
  const list = Array.from({ length: 5000 }, (_, index) => (index < 1200 ? index : 'x'));
  const violations = violationsOf(listOfIntegers, list);
  expect(violations.map(({ pointer }) => pointer)).toEqual(
    Array.from({ length: 20 }, (_, index) => `/${1200 + index}`),
  );
  expect(violations.map(({ more }) => more)).toEqual([...Array.from({ length: 19 }), 3780]);
});

test.each([
  ['the number of its items', { maxItems: 3 }],
  ['the sameness of its items', { uniqueItems: true }],
])('a long list is judged whole where the contract says something of %s', (_, rules) => {
  const [rule] = Object.keys(rules);
  const list = Array.from({ length: 1200 }, (__, index) => index % 1199);
  expect(problemsOf({ ...listOfIntegers, ...rules }, list)).toEqual([rule]);
});
