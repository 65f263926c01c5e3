// Numbers that no double holds, on their way through the mock: judged, kept, listed, changed and printed with all digits.
import { describe, expect, test } from 'vitest';
import type { World } from '../../../src/mock/world/world.js';
import { ask, outcome } from '../../support/test-world.js';
import { content, inQuery, keep, openPaths } from '../../support/open-paths.js';
import { listOf, NUMBER, object, TEXT } from '../../support/schemas.js';
import { yaml } from '../../support/yaml.js';

const HUGE = '1e400';
const FINE = '0.10000000000000000001';

const rules = yaml<Record<string, object>>`
price: { type: number, multipleOf: 0.01, minimum: 0 }
whole: { type: integer }
box: { type: object }
boxed: { properties: { a: { type: string } }, additionalProperties: false, type: [object, 'null'] }
list: { type: array }
text: { type: string }
flag: { type: boolean }
unique: { type: array, uniqueItems: true }
uniqueNumbers: { type: array, uniqueItems: true, items: { type: number } }
one: { oneOf: [{ type: object }, { type: number }] }
kind: { anyOf: [{ type: object, properties: { a: { type: string } } }, { type: string }] }
not: { not: { type: object } }
any: {}
bare: { minimum: 5, multipleOf: 0.1 }
chosen: { enum: [x, 2] }
double: { type: number, format: double }
float: { type: number, format: float }
`;
const thing = object({ id: NUMBER, ...rules }, ['id']);
const MERGE = 'application/merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';

function open(): World {
  const also = { 400: content(object({ message: TEXT })) };
  const paths = keep('/things/{id}', thing, 'list create get replace', { sent: object(rules), also });
  const sort = inQuery('sort', { type: 'string', enum: ['any', '-any'] });
  const parameters = [...['any', 'min_any'].map((name) => inQuery(name, { type: 'number' })), sort];
  const operations = content(listOf(object({}, ['op', 'path'])), JSON_PATCH);
  const requestBody = {
    content: { ...(content({ type: 'object' }, MERGE)['content'] as object), ...(operations['content'] as object) },
  };
  const patch = { requestBody, responses: { 200: content(thing), ...also } };
  const { '/things': all = {}, '/things/{id}': one } = paths;
  return openPaths({
    '/things': { ...all, get: { ...all['get'], parameters } },
    '/things/{id}': { ...one, patch },
  });
}

function create(text: string, world = open()): { told: string; printed: string | undefined } {
  const answer = ask(world, 'POST /things', { body: text });
  return { told: outcome(answer), printed: answer.body?.text };
}

function change(world: World, id: string, mediaType: string, body: string): string {
  const answer = ask(world, `PATCH /things/${id}`, { body, headers: { 'content-type': mediaType } });
  return `${answer.status} ${answer.body?.text}`;
}

const idOf = (printed: string | undefined): string => /"id":(\d+)/.exec(printed ?? '')?.[1] ?? 'none';

test.each(['0.07', '28.83', '1e2', '123456789012345678.99'])('the price %s is taken, a multiple of a cent', (price) =>
  expect(create(`{"price":${price}}`).told).toBe('201'),
);

test.each(['0.075', '0.07000000000000000001', '1e-400'])('the price %s is refused', (price) =>
  expect(create(`{"price":${price}}`).told).toBe(`400 body/price must be a multiple of 0.01, but is ${price}`),
);

describe.each([HUGE, '-1e400', FINE, '1e308', '9007199254740993.5'])('%s', (number) => {
  const shown = number === '1e308' ? '1e+308' : number;

  test('is refused as an object, a list, a text and a truth value', () => {
    const types = {
      box: 'an object',
      boxed: 'an object or null',
      list: 'an array',
      text: 'a string',
      flag: 'a boolean',
    };
    for (const [field, type] of Object.entries(types))
      expect(create(`{"${field}":${number}}`).told).toBe(`400 body/${field} must be ${type}, but is ${shown}`);
  });

  test.each(['one', 'not', 'any'])('is a number where `%s` takes one, and comes back with its digits', (field) => {
    const world = open();
    const { told, printed } = create(`{"${field}":${number}}`, world);
    expect([told, printed]).toEqual(['201', expect.stringContaining(`"${field}":${shown}`)]);
    expect(ask(world, `GET /things/${idOf(printed)}`).body?.text).toBe(printed);
    expect(ask(world, 'GET /things').body?.text).toContain(printed);
  });

  test('twice is no list of unique items, and beside another number it is one', () => {
    for (const field of ['unique', 'uniqueNumbers']) {
      expect(create(`{"${field}":[${number},${number}]}`).told).toContain('400 body');
      expect(create(`{"${field}":[${number},2e400]}`).told).toBe('201');
    }
  });

  test('is no value of an enumeration without it, nor of two alternatives without a number', () => {
    expect(create(`{"chosen":${number}}`).told).toContain('400 body/chosen');
    expect(create(`{"kind":${number}}`).told).toContain('400 body/kind');
  });
});

test('rules of numbers hold without a type too, and leave other values alone', () => {
  expect(create('{"bare":5.3}').told).toBe('201');
  expect(create('{"bare":"text"}').told).toBe('201');
  expect(create('{"bare":5.35}').told).toBe('400 body/bare must be a multiple of 0.1, but is 5.35');
  expect(create(`{"bare":-${HUGE}}`).told).toBe('400 body/bare must be at least 5, but is -1e400');
});

test('a whole number may be as great as it likes, and a fraction as small is none', () => {
  expect(create(`{"whole":${HUGE}}`)).toEqual({ told: '201', printed: expect.stringContaining('"whole":1e400') });
  expect(create('{"whole":1e999999999}').told).toBe('201');
  expect(create('{"whole":1e-400}').told).toBe('400 body/whole must be an integer, but is 1e-400');
  expect(create('{"whole":9007199254740993.5}').told).toContain('must be an integer');
});

test('a double has a range, and so has a float', () => {
  expect(create('{"double":1.7976931348623157e308}').told).toBe('201');
  expect(create(`{"double":${FINE}}`).told).toBe('201');
  expect(create('{"float":0.1}').told).toBe('201');
  expect(create(`{"double":-${HUGE}}`).told).toContain('400 body/double must be a double, -1.7976931348623157e+308 to');
  expect(create('{"float":3.5e38}').told).toContain('400 body/float must be a float,');
});

test('a power of ten with more than 15 digits is refused with the reason', () =>
  expect(create('{"any":1e9999999999999999}').told).toMatch(/^400 .*power of ten has more than 15 digits/));

test.each([
  [MERGE, `{"any":${HUGE}}`],
  [MERGE, `{"any":{"deep":[${HUGE},${FINE}]}}`],
  [JSON_PATCH, `[{"op":"add","path":"/any","value":${HUGE}}]`],
  [JSON_PATCH, `[{"op":"replace","path":"","value":{"any":${HUGE}}}]`],
  [JSON_PATCH, `[{"op":"test","path":"/any","value":2e400},{"op":"replace","path":"/any","value":${HUGE}}]`],
  [JSON_PATCH, `[{"op":"test","path":"/any","value":20.0e399},{"op":"copy","from":"/any","path":"/list"}]`],
])('a patch keeps numbers: %s %s', (mediaType, body) => {
  const world = open();
  const id = idOf(create('{"any":2e400}', world).printed);
  const told = change(world, id, mediaType, body);
  const shown = ask(world, `GET /things/${id}`).body?.text ?? '';
  expect(`${told} ${shown}`).not.toMatch(/isLossless|"1e400"|"2e400"|digits|null/);
  expect(shown).toContain('e400');
});

test('a patch takes 2e400 for no other value, and does not look into a number', () => {
  const world = open();
  const id = idOf(create('{"any":2e400}', world).printed);
  for (const value of ['1e400', '2.00001e400', '{}', '"2e400"', '2e399'])
    expect(change(world, id, JSON_PATCH, `[{"op":"test","path":"/any","value":${value}}]`)).toContain(
      'cannot be applied',
    );
  expect(change(world, id, JSON_PATCH, '[{"op":"add","path":"/any/digits","value":1}]')).not.toMatch(/^200/);
  expect(change(world, id, MERGE, '{"any":{"x":1}}')).toContain('"any":{"x":1}');
});

test('filters, bounds and orders take them for numbers', () => {
  const world = open();
  for (const any of ['1e400', '-1e400', '7', '1e-400', '9007199254740993', '0.10000000000000000001', '1e308'])
    create(`{"any":${any}}`, world);
  const list = (query: string): string[] => {
    const text = ask(world, `GET /things?${query}`).body?.text ?? '';
    return [...text.matchAll(/"any":([^,}]+)/g)].map(([, value = '']) => value);
  };
  expect(list('any=10e399')).toEqual(['1e400']);
  expect(list('any=0.100000000000000000010')).toEqual(['0.10000000000000000001']);
  expect(list('any=0.1')).toEqual([]);
  const order = ['-1e400', '1e-400', '0.10000000000000000001', '7', '9007199254740993', '1e+308', '1e400'];
  expect(list('sort=any')).toEqual(order);
  expect(list('sort=-any')).toEqual(order.toReversed());
  expect(list('min_any=1e308&sort=any')).toEqual(['1e+308', '1e400']);
});
