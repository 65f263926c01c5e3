import { expect, onTestFinished, test, vi } from 'vitest';
import { keyOfJson } from '../../../src/contract/document/json.js';
import { findRepeated } from '../../../src/contract/schemas/compile-schemas.js';
import { findContradiction } from '../../../src/contract/schemas/dialect.js';
import type { Violation } from '../../../src/contract/schemas/violation.js';
import { content } from '../../support/open-paths.js';
import { parseContract } from '../../support/parse-contract.js';
import { shippedContract, shippedSpec } from '../../support/shipped.js';
import { words } from '../../support/words.js';
import { yaml } from '../../support/yaml.js';
import { sampleValue } from '../../../src/contract/samples/sample.js';
import { createSource } from '../../../src/contract/document/document.js';
import { describeMismatch } from '../../../src/conformance/checks/expectations.js';

const violationsOf = (body: unknown): Violation[] => shippedContract.validate.value('/components/schemas/NewPet', body);

test('a missing field is named where it should stand', () => {
  const [violation] = violationsOf({ name: 'Rex' });
  const place = { at: 'body/categoryId', part: 'body', pointer: '/categoryId' };
  const message = 'body/categoryId is required';
  expect(violation).toMatchObject({ ...place, rule: 'required', actual: 'nothing', message });
});

test('a violation points at the line of the contract that states the rule', () => {
  const [violation] = violationsOf({ name: 'Rex', categoryId: 1, status: 'lost' });
  expect(violation?.contract.pointer).toBe('/components/schemas/PetStatus/enum');
  expect(violation?.contract.file).toBe('spec/petstore.openapi.yaml');
  expect(shippedSpec.split('\n')[(violation?.contract.line ?? 0) - 1]).toContain('enum: [available, pending, sold]');
});

test.each([
  [{ name: 1, categoryId: 1 }, 'body/name must be a string, but is 1'],
  [{ name: 'a', categoryId: 1.5 }, 'body/categoryId must be an integer, but is 1.5'],
  [{ name: 'a', categoryId: 1, status: 'x' }, 'body/status must be one of "available", "pending", "sold", but is "x"'],
  [null, 'body must be an object, but is null'],
])('%j reads: %s', (body, message) => {
  expect(violationsOf(body).map((violation) => violation.message)).toEqual([message]);
});

test('a number outside int64 is told with its digits and its bounds', () => {
  expect(violationsOf({ name: 'a', categoryId: 9223372036854775808n }).map(({ message }) => message)).toEqual([
    'body/categoryId must be an int64, -9223372036854775808 to 9223372036854775807, but is 9223372036854775808',
  ]);
});

test('a name with slashes is escaped in the pointer', () => {
  const place = { part: 'body', pointer: '/a~1b' } as const;
  const [violation] = shippedContract.validate.value('/components/schemas/NewPet', {}, place);
  expect(violation?.at).toBe('body/a~1b/name');
});

type Schema = Record<string, unknown>;
const refTo = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

const listIn = (items: Schema): Schema => ({ type: 'object', properties: { items: { type: 'array', items } } });

/** Judges values by a schema. */
function open(schema: Schema, schemas: Record<string, Schema> = {}) {
  const paths = { '/x': { post: { requestBody: content(schema), responses: { 200: { description: 'Done.' } } } } };
  const contract = parseContract({ paths, components: { schemas } });
  const [operation] = contract.operations;
  if (operation === undefined) throw new Error('there is no operation');
  return (value: unknown) => contract.validate.requestBody(operation, 'application/json', value);
}

test('equal items are found without comparing each with every other', () => {
  const judge = open({ type: 'array', items: {}, uniqueItems: true });
  let looks = 0;
  const ownKeys = (target: object): (string | symbol)[] => ((looks += 1), Reflect.ownKeys(target));
  const items = Array.from({ length: 300 }, (_, a) => new Proxy({ a }, { ownKeys }));
  expect(judge(items)).toEqual([]);
  expect(looks).toBeLessThan(300 * 10);
  expect(judge([...items, { a: 7 }])).toMatchObject([{ rule: 'uniqueItems' }]);
});

test.each<[unknown[], unknown]>([
  [[1, 2, 1], { i: 2, j: 0 }],
  [yaml<unknown[]>`[{ a: 1, b: 2 }, { b: 2, a: 1 }]`, { i: 1, j: 0 }],
  [['1', 1], undefined],
  [['__proto__', '__proto__'], { i: 1, j: 0 }],
  [[null, 'null', false, 0, '', [], {}], undefined],
  // By value, however numbers are held.
  [[10000000000000000000000n, 1e22], { i: 1, j: 0 }],
  [['{"a":1}', { a: 1 }], undefined],
])('of %o the equal items are %j', (list, found) => expect(findRepeated(list)).toEqual(found));

test('the key of an item is not that of its text', () => expect(keyOfJson({ a: 1 })).not.toBe('{"a":1}'));

const TWO_WAYS = yaml<Record<string, Schema>>`
Node: { oneOf: [
  { type: object, required: [a], properties: { in: { $ref: '#/components/schemas/Node' }, a: { type: integer } } },
  { type: object, required: [b], properties: { in: { $ref: '#/components/schemas/Node' }, b: { type: integer } } }] }
`;
const nest = (depth: number): Schema => (depth === 0 ? { a: 1 } : { a: 1, in: nest(depth - 1) });

test('a value that its schema would judge without an end is refused, and says why', () => {
  const judge = open(refTo('Node'), TWO_WAYS);
  expect(judge(nest(8))).toEqual([]);
  expect(judge(nest(60))).toMatchObject([{ message: expect.stringMatching(/takes too many steps/) as string }]);
  // The next one has all of its steps.
  expect(judge(nest(8))).toEqual([]);
});

test('a long list of what contains itself is judged whole', () => {
  const items = Array.from({ length: 50_000 }, () => ({ items: [] }));
  expect(open(refTo('Tree'), { Tree: listIn(refTo('Tree')) })({ items })).toEqual([]);
});

test('the errors of a list are not copied for each of its items', () => {
  const judge = open(listIn(refTo('Item')), { Item: { type: 'object' } });
  const concat = vi.spyOn(Array.prototype, 'concat');
  onTestFinished(() => concat.mockRestore());
  const [violation] = judge({ items: Array.from({ length: 1000 }, () => 1) });
  expect(violation).toMatchObject({ rule: 'type', pointer: '/items/0' });
  expect(concat.mock.contexts.reduce<number>((sum, list) => sum + (list as unknown[]).length, 0)).toBeLessThan(1000);
});

test('what a discriminator tells of one item is not looked for in all others', () => {
  const properties = (name: string): Schema => ({ kind: { const: name }, size: { type: 'integer' } });
  const kind = (name: string): Schema => ({ type: 'object', required: ['kind'], properties: properties(name) });
  const either = { oneOf: [refTo('Cat'), refTo('Dog')], discriminator: { propertyName: 'kind' } };
  const judge = open(listIn(either), { Cat: kind('Cat'), Dog: kind('Dog') });
  const startsWith = vi.spyOn(String.prototype, 'startsWith');
  onTestFinished(() => startsWith.mockRestore());
  const violations = judge({ items: Array.from({ length: 1000 }, () => ({ kind: 'Dog', size: 'x' })) });
  expect(violations[0]).toMatchObject({ rule: 'type', pointer: '/items/0/size' });
  expect(violations.length).toBe(20);
  expect(startsWith.mock.calls.length).toBeLessThan(1000 * 40);
});

test.each([
  ...words`https://example.com/a?b=c#d http://127.0.0.1:4010/v1/pets/7 http://localhost/pets https://pets.internal/7
    https://bücher.example/7`.map((text): [string, string[]] => [text, []]),
  ...['', 'http://a b/', 'not a url at all', ...words`pets /v1/pets/7 http://`].map((text): [string, string[]] => [
    text,
    ['format'],
  ]),
])('of the format url, %j breaks %j', (text, rules) =>
  expect(open({ type: 'string', format: 'url' })(text).map(({ rule }) => rule)).toEqual(rules),
);

const NAMED = "{ $ref: '#/components/schemas/Named' }";

function contradiction(schema: object): string | undefined {
  const Named = { type: 'object', additionalProperties: false, properties: { name: { type: 'string' } } };
  const document = { openapi: '3.0.3', paths: {}, components: { schemas: { It: schema, Named } } };
  const found = findContradiction(parseContract(document).document, '/components/schemas/It');
  return found === undefined ? undefined : `${found.name} ${found.pointer.replace('/components/schemas/', '')}`;
}

test.each(
  Object.entries(yaml<Record<string, [object, string | null]>>`
beside an allOf: [{ type: object, additionalProperties: false, allOf: [${NAMED}], required: [name] }, name It]
in an allOf: [{ allOf: [${NAMED}, { type: object, required: [id] }] }, id Named]
below: [{ type: object, properties: { at: { type: object, additionalProperties: false, allOf: [${NAMED}], required: [name] } },
  required: [at] }, name It/properties/at]
not required: [{ type: object, additionalProperties: false, allOf: [${NAMED}] }, null]
below what need not be there: [{ type: object, properties: { at: { type: object, additionalProperties: false, required: [x] } } }, null]
by a pattern: [{ type: object, additionalProperties: false, patternProperties: { ^n: {} }, required: [name] }, null]
write only: [{ allOf: [${NAMED}, { type: object, properties: { pin: { writeOnly: true } }, required: [pin] }] }, null]
or null: [{ type: object, additionalProperties: false, nullable: true, required: [name] }, null]
in itself: [{ type: object, properties: { it: { $ref: '#/components/schemas/It' } }, required: [it] }, null]
`),
)('a property that must and must not be there is found: %s', (_, [schema, found]) =>
  expect(contradiction(schema)).toBe(found ?? undefined),
);

const forty = `${'a'.repeat(40)}!`;

function judgeAs(schema: object, value: unknown): Violation[] {
  const contract = parseContract({ paths: {}, components: { schemas: { It: schema } } });
  return contract.validate.value('/components/schemas/It', value);
}

const problemsOf = (schema: object, value: unknown): string[] => judgeAs(schema, value).map(({ rule }) => rule);

test.each([
  ['a pattern', { type: 'string', pattern: '^(a+)+$' }, forty, ['pattern']],
  ['a name of a property', { patternProperties: { '^(a+)+$': { type: 'integer' } } }, { [forty]: 'x' }, []],
  ['a rule for names', { propertyNames: { pattern: '^(a+)+$' } }, { [forty]: 1 }, ['pattern']],
  ['a format', { type: 'string', format: 'url' }, `http://a${'ab:'.repeat(300_000)}@`, ['format']],
])('%s of a contract that could take hours is judged at once', (_, schema, value, rules) => {
  expect(problemsOf(schema, value)).toEqual(rules);
});

test('so is one of a scenario', () => {
  const schema = { type: 'string', pattern: '^(a+)+$' };
  expect([...describeMismatch(schema, forty), ...describeMismatch(schema, 'aaa')]).toMatchObject([{ rule: 'pattern' }]);
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
  const violations = judgeAs(listOfIntegers, list);
  const first = Array.from({ length: 20 }, (_, index) => `/${1200 + index}`);
  expect(violations.map(({ pointer }) => pointer)).toEqual(first);
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
