import { expect, onTestFinished, test, vi } from 'vitest';
import { keyOfJson } from '../../../src/contract/document/json.js';
import { findRepeated } from '../../../src/contract/schemas/ajv-keywords.js';
import { content } from '../../support/open-paths.js';
import { parseContract } from '../../support/parse-contract.js';

type Schema = Record<string, unknown>;
const refTo = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** Judges values by a schema. */
function open(schema: Schema, schemas: Record<string, Schema> = {}) {
  const paths = { '/x': { post: { requestBody: content(schema), responses: { 200: { description: 'Done.' } } } } };
  const contract = parseContract({ paths, components: { schemas } });
  const [operation] = contract.operations;
  if (operation === undefined) throw new Error('there is no operation');
  return (value: unknown) => contract.validate.requestBody(operation, 'application/json', value);
}

/** An item of which every look at its inside is counted. */
function createCounter(): { count: number; item: (inside: object) => object } {
  const counter = {
    count: 0,
    item: (inside: object): object =>
      new Proxy(inside, {
        ownKeys(target) {
          counter.count += 1;
          return Reflect.ownKeys(target);
        },
      }),
  };
  return counter;
}

test('equal items are found without comparing each with every other', () => {
  const judge = open({ type: 'array', items: {}, uniqueItems: true });
  const counter = createCounter();
  const items = Array.from({ length: 300 }, (_, a) => counter.item({ a }));
  expect(judge(items)).toEqual([]);
  expect(counter.count).toBeLessThan(300 * 10);
  expect(judge([...items, { a: 7 }])).toMatchObject([{ rule: 'uniqueItems' }]);
});

test.each([
  [[1, 2, 1], { i: 2, j: 0 }],
  [
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    { i: 1, j: 0 },
  ],
  [['1', 1], undefined],
  [['__proto__', 'constructor'], undefined],
  [['__proto__', '__proto__'], { i: 1, j: 0 }],
  [[null, 'null', false, 0, '', [], {}], undefined],
  [['{"a":1}', { a: 1 }], undefined],
])('of %j the equal items are %j', (list, found) => expect(findRepeated(list)).toEqual(found));

test('numbers are equal by value, however they are held', () =>
  expect(findRepeated([10000000000000000000000n, 1e22])).toEqual({ i: 1, j: 0 }));

test('the key of an item is not that of its text', () => expect(keyOfJson({ a: 1 })).not.toBe('{"a":1}'));

const TWO_WAYS = {
  Node: {
    oneOf: [
      { type: 'object', required: ['a'], properties: { in: refTo('Node'), a: { type: 'integer' } } },
      { type: 'object', required: ['b'], properties: { in: refTo('Node'), b: { type: 'integer' } } },
    ],
  },
};

const nest = (depth: number): Schema => (depth === 0 ? { a: 1 } : { a: 1, in: nest(depth - 1) });

test('a value that its schema would judge without an end is refused, and says why', () => {
  const judge = open(refTo('Node'), TWO_WAYS);
  expect(judge(nest(8))).toEqual([]);
  expect(judge(nest(60))).toMatchObject([{ message: expect.stringMatching(/takes too many steps/) as string }]);
  // The next one has all of its steps.
  expect(judge(nest(8))).toEqual([]);
});

test('a long list of what contains itself is judged whole', () => {
  const tree = { Tree: { type: 'object', properties: { items: { type: 'array', items: refTo('Tree') } } } };
  expect(open(refTo('Tree'), tree)({ items: Array.from({ length: 50_000 }, () => ({ items: [] })) })).toEqual([]);
});

test('the errors of a list are not copied for each of its items', () => {
  const judge = open(
    { type: 'object', properties: { items: { type: 'array', items: refTo('Item') } } },
    { Item: { type: 'object' } },
  );
  const concat = vi.spyOn(Array.prototype, 'concat');
  onTestFinished(() => concat.mockRestore());
  const [violation] = judge({ items: Array.from({ length: 1000 }, () => 1) });
  expect(violation).toMatchObject({ rule: 'type', pointer: '/items/0' });
  expect(concat.mock.contexts.reduce<number>((sum, list) => sum + (list as unknown[]).length, 0)).toBeLessThan(1000);
});

test('what a discriminator tells of one item is not looked for in all others', () => {
  const kind = (name: string): Schema => ({
    type: 'object',
    required: ['kind'],
    properties: { kind: { const: name }, size: { type: 'integer' } },
  });
  const either = { oneOf: [refTo('Cat'), refTo('Dog')], discriminator: { propertyName: 'kind' } };
  const judge = open(
    { type: 'object', properties: { items: { type: 'array', items: either } } },
    { Cat: kind('Cat'), Dog: kind('Dog') },
  );
  const startsWith = vi.spyOn(String.prototype, 'startsWith');
  onTestFinished(() => startsWith.mockRestore());
  const violations = judge({ items: Array.from({ length: 1000 }, () => ({ kind: 'Dog', size: 'x' })) });
  expect(violations[0]).toMatchObject({ rule: 'type', pointer: '/items/0/size' });
  expect(violations.length).toBe(20);
  expect(startsWith.mock.calls.length).toBeLessThan(1000 * 40);
});
