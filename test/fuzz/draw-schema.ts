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

function pickKind(draws: Draws, ...kinds: [Kind['schema'], Kind['make']][]): Kind {
  const [schema, make] = draws.pick(kinds);
  return { schema, make };
}

function drawText(draws: Draws): Kind {
  const words = ['', 'x', 'a word', 'Ünïcødé 🐈', 'constructor', '$ref', '__proto__', '1e400', '{$unique}'];
  const [pattern, fits] = draws.pick(PATTERNS);
  const format = draws.pick(Object.keys(FORMATS));
  return pickKind(
    draws,
    [{ type: 'string' }, () => plain(draws.pick(words))],
    [{ type: 'string', minLength: 2, maxLength: 40 }, () => plain('ab'.repeat(1 + draws.below(20)))],
    [{ type: 'string', pattern }, () => plain(fits(draws))],
    [{ type: 'string', format }, () => plain(FORMATS[format] ?? '')],
    [{ type: 'string', enum: ['one', 'two', 'three'] }, () => plain(draws.pick(['one', 'two']))],
    [{ const: 'always' }, () => plain('always')],
  );
}

function drawNumber(draws: Draws): Kind {
  const written = ['0', '-1.5', '1e300', '1e400', '-1e999', '1e-400'];
  return pickKind(
    draws,
    [{ type: 'integer', format: 'int64' }, () => number(9_007_199_254_740_990n + BigInt(draws.below(9)))],
    [{ type: 'integer', format: 'int32', minimum: -5, maximum: 500 }, () => number(draws.below(500))],
    [{ type: 'integer', multipleOf: 3 }, () => number(3 * draws.below(1000))],
    [{ type: 'number', multipleOf: 0.01 }, () => number((draws.below(100_000) / 100).toFixed(2))],
    [{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, () => number('0.25')],
    [{ type: 'number' }, () => number(draws.pick(written))],
  );
}

function drawList(draws: Draws, depth: number): Kind {
  const item = drawKind(draws, depth - 1);
  const items = item.schema;
  const make = (most: number): Written => list(draws.times(draws.below(most + 1), item.make));
  return pickKind(
    draws,
    [{ type: 'array', items }, () => make(4)],
    [{ type: 'array', items, uniqueItems: true }, () => make(2)],
    [{ type: 'array', items, minItems: 1, maxItems: 50 }, () => list([item.make()])],
    [{ type: 'array', contains: items }, () => list([item.make()])],
    [{ type: 'array', uniqueItems: true }, () => list(draws.times(3, (index) => number(index)))],
    [{ type: 'array', prefixItems: [items], items: {} }, () => list([item.make(), plain(null)])],
  );
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
  const { schema } = inner;
  return pickKind(
    draws,
    [named.schema, named.make],
    [{ ...named.schema, additionalProperties: false }, named.make],
    [{ ...named.schema, dependentRequired: { a: ['count'] } }, named.make],
    [{ type: 'object', additionalProperties: schema }, () => keyed('any')],
    [{ type: 'object', patternProperties: { '^x-': schema } }, () => keyed('x-')],
    [{ type: 'object', propertyNames: { maxLength: 9 } }, () => keyed('n')],
    [{ type: 'object', maxProperties: 6 }, () => keyed('p')],
    [{ allOf: [named.schema, { type: 'object', properties: { other: {} } }] }, named.make],
  );
}

/** As a text: an object with `then` looks like a promise. */
const CONDITION: Kind['schema'] = JSON.parse(
  '{"if":{"type":"string"},"then":{"minLength":1},"else":{"type":"number"}}',
);

function drawChoice(draws: Draws, depth: number): Kind {
  const text = drawText(draws);
  const digits = drawNumber(draws);
  const thing = drawObject(draws, depth - 1);
  const either = (): Written => draws.pick([text, digits, thing]).make();
  const schemas = [text.schema, digits.schema, thing.schema];
  return pickKind(
    draws,
    [{ oneOf: schemas }, either],
    [{ anyOf: schemas }, either],
    [{ type: ['string', 'null'] }, () => plain(draws.pick(['x', null]))],
    [{ not: { type: 'string' } }, () => plain(true)],
    [CONDITION, () => number('2.5')],
    [{}, either],
    [{ type: 'object' }, thing.make],
  );
}

const drawFlag = (draws: Draws): Kind => ({ schema: { type: 'boolean' }, make: () => plain(draws.chance(0.5)) });

export function drawKind(draws: Draws, depth: number): Kind {
  const simple = [drawText, drawNumber, drawFlag];
  if (depth <= 0) return draws.pick(simple)(draws);
  return draws.pick([...simple, drawList, drawObject, drawObject, drawChoice])(draws, depth);
}
