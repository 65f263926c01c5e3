// Numbers that no double holds, on their way through the mock: judged, kept, listed, changed and printed with all digits.
import { describe, expect, test } from 'vitest';
import type { World } from '../../../src/mock/world/world.js';
import { ask, outcome } from '../../support/test-world.js';
import { content, inPath, inQuery, openPaths } from '../../support/open-paths.js';

const HUGE = '1e400';
const FINE = '0.10000000000000000001';

const rules = {
  price: { type: 'number', multipleOf: 0.01, minimum: 0 },
  whole: { type: 'integer' },
  box: { type: 'object' },
  boxed: { properties: { a: { type: 'string' } }, additionalProperties: false, type: ['object', 'null'] },
  list: { type: 'array' },
  text: { type: 'string' },
  flag: { type: 'boolean' },
  unique: { type: 'array', uniqueItems: true },
  uniqueNumbers: { type: 'array', uniqueItems: true, items: { type: 'number' } },
  one: { oneOf: [{ type: 'object' }, { type: 'number' }] },
  kind: { anyOf: [{ type: 'object', properties: { a: { type: 'string' } } }, { type: 'string' }] },
  not: { not: { type: 'object' } },
  any: {},
  bare: { minimum: 5, multipleOf: 0.1 },
  chosen: { enum: ['x', 2] },
  double: { type: 'number', format: 'double' },
  float: { type: 'number', format: 'float' },
};
const items = { type: 'object', properties: { id: { type: 'integer' }, ...rules }, required: ['id'] };
const input = { type: 'object', properties: rules };
const operations = { type: 'array', items: { type: 'object', required: ['op', 'path'] } };

function open(): World {
  return openPaths({
    '/things': {
      get: {
        parameters: [
          inQuery('any', { type: 'number' }),
          inQuery('min_any', { type: 'number' }),
          inQuery('sort', { type: 'string', enum: ['any', '-any'] }),
        ],
        responses: { 200: content({ type: 'array', items }) },
      },
      post: {
        requestBody: content(input),
        responses: {
          201: content(items),
          400: content({ type: 'object', properties: { message: { type: 'string' } } }),
        },
      },
    },
    '/things/{id}': {
      parameters: [inPath('id')],
      get: { responses: { 200: content(items) } },
      put: { requestBody: content(input), responses: { 200: content(items) } },
      patch: {
        requestBody: {
          content: {
            'application/merge-patch+json': { schema: { type: 'object' } },
            'application/json-patch+json': { schema: operations },
          },
        },
        responses: { 200: content(items), 400: content({ type: 'object' }) },
      },
    },
  });
}

function create(text: string, world = open()): { told: string; printed: string | undefined } {
  const answer = ask(world, 'POST /things', { body: text });
  return { told: outcome(answer), printed: answer.body?.text };
}

function patch(world: World, id: string, mediaType: string, body: string): string {
  const headers = { authorization: 'Bearer test-key', 'content-type': mediaType };
  const answer = ask(world, `PATCH /things/${id}`, { body, headers });
  return `${answer.status} ${answer.body?.text}`;
}

const idOf = (printed: string | undefined): string => /"id":(\d+)/.exec(printed ?? '')?.[1] ?? 'none';

describe('a price is a multiple of a cent by its digits', () => {
  test.each(['0.07', '28.83', '40.3', '1.1', '1e2', '123456789012345678.99'])('%s is taken', (price) => {
    expect(create(`{"price":${price}}`).told).toBe('201');
  });

  test.each(['0.075', '0.07000000000000000001', '1e-400'])('%s is refused', (price) => {
    expect(create(`{"price":${price}}`).told).toBe(`400 body/price must be a multiple of 0.01, but is ${price}`);
  });
});

describe.each([HUGE, '-1e400', '1e-400', FINE, '1e308', '9007199254740993.5'])('%s', (number) => {
  test.each([
    ['box', 'an object'],
    ['boxed', 'an object or null'],
    ['list', 'an array'],
    ['text', 'a string'],
    ['flag', 'a boolean'],
  ])('is refused as a %s', (field, expected) => {
    const shown = number === '1e308' ? '1e+308' : number;
    expect(create(`{"${field}":${number}}`).told).toBe(`400 body/${field} must be ${expected}, but is ${shown}`);
  });

  test.each(['one', 'not', 'any'])('is a number where `%s` takes one, and comes back with its digits', (field) => {
    const world = open();
    const { told, printed } = create(`{"${field}":${number}}`, world);
    const shown = number === '1e308' ? '1e+308' : number;
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

describe('a patch', () => {
  const merge = 'application/merge-patch+json';
  const json = 'application/json-patch+json';
  test.each([
    [merge, `{"any":${HUGE}}`],
    [merge, `{"any":{"deep":[${HUGE},${FINE}]}}`],
    [json, `[{"op":"add","path":"/any","value":${HUGE}}]`],
    [json, `[{"op":"replace","path":"","value":{"any":${HUGE}}}]`],
    [json, `[{"op":"test","path":"/any","value":2e400},{"op":"replace","path":"/any","value":${HUGE}}]`],
    [json, `[{"op":"test","path":"/any","value":20.0e399},{"op":"copy","from":"/any","path":"/list"}]`],
  ])('%s %s keeps numbers', (mediaType, body) => {
    const world = open();
    const id = idOf(create('{"any":2e400}', world).printed);
    const told = patch(world, id, mediaType, body);
    const shown = ask(world, `GET /things/${id}`).body?.text ?? '';
    expect(`${told} ${shown}`).not.toMatch(/isLossless|"1e400"|"2e400"|digits|null/);
    expect(shown).toContain('e400');
  });

  test.each(['1e400', '2.00001e400', '{}', '"2e400"', '2e399'])('does not take 2e400 for %s', (value) => {
    const world = open();
    const id = idOf(create('{"any":2e400}', world).printed);
    const body = `[{"op":"test","path":"/any","value":${value}}]`;
    expect(patch(world, id, json, body)).toContain('cannot be applied');
  });

  test('does not look into a number', () => {
    const world = open();
    const id = idOf(create('{"any":2e400}', world).printed);
    const put = `[{"op":"add","path":"/any/digits","value":1}]`;
    expect(patch(world, id, json, put)).not.toMatch(/^200/);
    expect(patch(world, id, merge, '{"any":{"x":1}}')).toContain('"any":{"x":1}');
  });
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
