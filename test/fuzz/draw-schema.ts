import type { Draws } from './draws.js';
import { list, number, object, plain, type Written } from './written.js';

/** A schema, and values that it allows (nearly always: what a combination of keywords leaves is for the mock to say). */
export type Kind = { schema: Record<string, unknown>; make: () => Written };

const PATTERNS: readonly [string, (draws: Draws) => string][] = [
  ['^[A-Z]{3}$', (draws) => draws.pick(['EUR', 'USD', 'XXX'])],
  ['^[a-z]+(-[a-z]+)*$', (draws) => draws.pick(['a', 'a-b', 'some-slug-of-it'])],
  ['^(a+)+$', (draws) => 'a'.repeat(1 + draws.below(20))],
  ['^-?\\d{1,6}(\\.\\d{1,2})?$', (draws) => `${draws.below(1000)}.5`],
  ['^\\p{L}+$', () => 'Käse'],
];

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2030-01-02T03:04:05Z',
  date: '2030-01-02',
  time: '03:04:05Z',
  email: 'someone@example.com',
  uuid: '4b6cf4a2-8f3c-4a57-9f8a-6f5f0f0d4b6c',
  uri: 'https://example.com/a?b=c',
  ipv4: '192.0.2.1',
  hostname: 'example.com',
  byte: 'YWJj',
};

function drawText(draws: Draws): Kind {
  const word = (): string =>
    draws.pick(['', 'x', 'a word', 'Ünïcødé 🐈', 'constructor', '$ref', '__proto__', '1e400', '{$unique}']);
  const [pattern, fits] = draws.pick(PATTERNS);
  const format = draws.pick(Object.keys(FORMATS));
  return draws.pick<() => Kind>([
    () => ({ schema: { type: 'string' }, make: () => plain(word()) }),
    () => ({
      schema: { type: 'string', minLength: 2, maxLength: 40 },
      make: () => plain('ab'.repeat(1 + draws.below(20))),
    }),
    () => ({ schema: { type: 'string', pattern }, make: () => plain(fits(draws)) }),
    () => ({ schema: { type: 'string', format }, make: () => plain(FORMATS[format] ?? '') }),
    () => ({
      schema: { type: 'string', enum: ['one', 'two', 'three'] },
      make: () => plain(draws.pick(['one', 'two'])),
    }),
    () => ({ schema: { const: 'always' }, make: () => plain('always') }),
  ])();
}

function drawNumber(draws: Draws): Kind {
  const cents = (): string => (draws.below(100_000) / 100).toFixed(2);
  return draws.pick<() => Kind>([
    () => ({
      schema: { type: 'integer', format: 'int64' },
      make: () => number(9_007_199_254_740_990n + BigInt(draws.below(9))),
    }),
    () => ({
      schema: { type: 'integer', format: 'int32', minimum: -5, maximum: 500 },
      make: () => number(draws.below(500)),
    }),
    () => ({ schema: { type: 'integer', multipleOf: 3 }, make: () => number(3 * draws.below(1000)) }),
    () => ({ schema: { type: 'number', multipleOf: 0.01 }, make: () => number(cents()) }),
    () => ({ schema: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, make: () => number('0.25') }),
    () => ({
      schema: { type: 'number' },
      make: () => number(draws.pick(['0', '-1.5', '1e300', '1e400', '-1e999', '1e-400'])),
    }),
  ])();
}

function drawList(draws: Draws, depth: number): Kind {
  const item = drawKind(draws, depth - 1);
  const make = (most: number): Written => list(draws.times(draws.below(most + 1), item.make));
  return draws.pick<() => Kind>([
    () => ({ schema: { type: 'array', items: item.schema }, make: () => make(4) }),
    () => ({ schema: { type: 'array', items: item.schema, uniqueItems: true }, make: () => make(2) }),
    () => ({
      schema: { type: 'array', items: item.schema, minItems: 1, maxItems: 50 },
      make: () => list([item.make()]),
    }),
    () => ({ schema: { type: 'array', contains: item.schema }, make: () => list([item.make()]) }),
    () => ({
      schema: { type: 'array', uniqueItems: true },
      make: () => list(draws.times(3, (index) => number(index))),
    }),
    () => ({
      schema: { type: 'array', prefixItems: [item.schema], items: {} },
      make: () => list([item.make(), plain(null)]),
    }),
  ])();
}

/** An object with these properties, of which some are required. */
export function objectOf(
  draws: Draws,
  kinds: Readonly<Record<string, Kind>>,
  more: Record<string, unknown> = {},
): Kind {
  const names = Object.keys(kinds);
  const required = draws.some(names, 0.4);
  const properties = Object.fromEntries(names.map((name) => [name, kinds[name]?.schema ?? {}]));
  return {
    schema: { type: 'object', properties, ...(required.length > 0 ? { required } : {}), ...more },
    make: () =>
      object(
        Object.entries(kinds).flatMap(([name, kind]): [string, Written][] =>
          required.includes(name) || draws.chance(0.6) ? [[name, kind.make()]] : [],
        ),
      ),
  };
}

function drawObject(draws: Draws, depth: number): Kind {
  const inner = drawKind(draws, depth - 1);
  const named = objectOf(draws, { a: inner, b: drawKind(draws, depth - 1), count: drawNumber(draws) });
  const keyed = (prefix: string): Written =>
    object(draws.times(draws.below(4), (index): [string, Written] => [`${prefix}${index}`, inner.make()]));
  return draws.pick<() => Kind>([
    () => named,
    () => ({ ...named, schema: { ...named.schema, additionalProperties: false } }),
    () => ({ ...named, schema: { ...named.schema, dependentRequired: { a: ['count'] } } }),
    () => ({ schema: { type: 'object', additionalProperties: inner.schema }, make: () => keyed('any') }),
    () => ({ schema: { type: 'object', patternProperties: { '^x-': inner.schema } }, make: () => keyed('x-') }),
    () => ({ schema: { type: 'object', propertyNames: { maxLength: 9 } }, make: () => keyed('n') }),
    () => ({ schema: { type: 'object', maxProperties: 6 }, make: () => keyed('p') }),
    () => ({ schema: { allOf: [named.schema, { type: 'object', properties: { other: {} } }] }, make: named.make }),
  ])();
}

/** As a text: an object with `then` looks like a promise. */
const CONDITION = JSON.parse(
  '{"if":{"type":"string"},"then":{"minLength":1},"else":{"type":"number"}}',
) as Kind['schema'];

function drawChoice(draws: Draws, depth: number): Kind {
  const text = drawText(draws);
  const digits = drawNumber(draws);
  const thing = drawObject(draws, depth - 1);
  const either = (): Written => draws.pick([text, digits, thing]).make();
  return draws.pick<() => Kind>([
    () => ({ schema: { oneOf: [text.schema, digits.schema, thing.schema] }, make: either }),
    () => ({ schema: { anyOf: [text.schema, digits.schema, thing.schema] }, make: either }),
    () => ({ schema: { type: ['string', 'null'] }, make: () => plain(draws.pick(['x', null])) }),
    () => ({ schema: { not: { type: 'string' } }, make: () => plain(true) }),
    () => ({ schema: CONDITION, make: () => number('2.5') }),
    () => ({ schema: {}, make: either }),
    () => ({ schema: { type: 'object' }, make: thing.make }),
  ])();
}

export function drawKind(draws: Draws, depth: number): Kind {
  const simple = [
    drawText,
    drawNumber,
    (): Kind => ({ schema: { type: 'boolean' }, make: () => plain(draws.chance(0.5)) }),
  ];
  if (depth <= 0) return draws.pick(simple)(draws);
  return draws.pick([...simple, drawList, drawObject, drawObject, drawChoice])(draws, depth);
}
