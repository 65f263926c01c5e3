import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { createSource } from '../../../src/contract/document/document.js';
import { sampleValue, type SampleOptions } from '../../../src/contract/samples/sample.js';
import { words } from '../../support/words.js';
import { yaml } from '../../support/yaml.js';

type Schema = Record<string, unknown>;

/** A judge of its own, past everything in src/contract. */
function judge(schema: unknown, components: Schema): (value: unknown) => boolean {
  const text = JSON.stringify(schema);
  const unicodeRegExp = !text.includes(String.raw`\\:`);
  const lax = { strict: false, validateSchema: false, logger: false } as const;
  const ajv = new Ajv2020({ ...lax, multipleOfPrecision: 9, unicodeRegExp });
  ajvFormats.default(ajv);
  ajv.addSchema({ components: JSON.parse(JSON.stringify(components)) as Schema }, 'doc');
  return ajv.compile(JSON.parse(text.replaceAll('"#/', '"doc#/')) as Schema);
}

function sampleOf(schema: unknown, options: SampleOptions = {}, schemas: Schema = {}): unknown {
  const document = createSource('a', { openapi: '3.1.0', schema, components: { schemas } }, () => ({ file: 'a' }));
  const accepts = (pointer: string, value: unknown): boolean => judge(document.at(pointer), { schemas })(value);
  return sampleValue(document, '/schema', { accepts, ...options });
}

const text = (more: Schema): Schema => ({ type: 'string', ...more });
const { Node, Cat, Dog } = yaml<Record<string, Schema>>`
Node: { type: object, required: [name, children], properties: { name: { type: string },
  children: { type: array, items: { $ref: '#/components/schemas/Node' } }, parent: { $ref: '#/components/schemas/Node' } } }
Cat: { type: object, required: [kind, lives], additionalProperties: false,
  properties: { kind: { type: string }, lives: { type: integer, maximum: 9 } } }
Dog: { type: object, required: [kind], additionalProperties: false,
  properties: { kind: { type: string }, bark: { type: string } } }
`;

const FORMATS = words`
  date-time date time duration email hostname ipv4 ipv6 uri uri-reference uri-template uuid json-pointer
  relative-json-pointer regex byte
`;
const SCHEMAS: [string, Schema][] = [
  ...FORMATS.map((format): [string, Schema] => [`the format ${format}`, text({ format })]),
  ...[20, 24, 25, 29].map((length): [string, Schema] => [
    `a time of ${length} characters`,
    text({ format: 'date-time', minLength: length, maxLength: length }),
  ]),
  ...Object.entries(yaml<Record<string, Schema>>`
a pattern: { type: string, pattern: '^[A-Z]{3}-\d+$' }
a pattern with alternatives and a back reference: { type: string, pattern: '^(?:a|(b)\1|[^\w])x{2,}$', minLength: 6 }
a pattern with looks ahead: { type: string, pattern: '^(?=.*\d)(?=.*[A-Z])(?!.*\s).{8,}$' }
a pattern of letters beyond ASCII: { type: string, pattern: '^[\u4e00-\u9fff]{2}\p{Lu}$' }
a pattern that is not tied to the ends: { type: string, pattern: 'ab?c', minLength: 10 }
a pattern that is no pattern with Unicode: { type: string, pattern: '^arn\:[a-z\-]+$', minLength: 9, maxLength: 9 }
lengths: { type: string, minLength: 3, maxLength: 4 }
bounds: { type: integer, minimum: 5, maximum: 5 }
bounds that are left out: { type: number, exclusiveMinimum: 0, exclusiveMaximum: 0.5 }
a multiple: { type: number, multipleOf: 0.05, minimum: 0.12, maximum: 0.2 }
texts that are unique: { type: array, uniqueItems: true, minItems: 4, items: { type: string } }
objects that are unique: { type: array, uniqueItems: true, minItems: 3,
  items: { type: object, required: [on], properties: { on: { type: string, pattern: '^[a-z]$' } } } }
items by their place: { type: array, prefixItems: [{ type: string }, { type: integer }], minItems: 2 }
what a list contains: { type: array, contains: { const: 7 } }
a constant: { const: { a: [1] } }
what must not be: { type: string, not: { enum: [string] } }
what must not be there: { type: object, properties: { a: { type: string }, b: { type: string } }, not: { required: [a, b] } }
all of several: { allOf: [{ type: object, required: [a], properties: { a: { type: integer, minimum: 3 } } },
  { required: [b], properties: { a: { maximum: 3 }, b: { type: string } } }] }
one of several that overlap: { oneOf: [{ type: object, properties: { a: { type: string } }, required: [a] },
  { type: object, properties: { a: { type: string }, b: { type: string } }, required: [a, b], additionalProperties: false }] }
a discriminator: { oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
  discriminator: { propertyName: kind } }
what contains itself: { $ref: '#/components/schemas/Node' }
what may be null: { type: ['null', object], required: [a], properties: { a: { type: [integer, 'null'] } } }
a map: { type: object, additionalProperties: { type: integer }, minProperties: 2 }
a map with a rule for names: { type: object, propertyNames: { pattern: '^[a-z]{2}$' }, minProperties: 3 }
names that a pattern rules: { type: object, patternProperties: { '^x-[a-z]+$': { type: boolean } },
  additionalProperties: false, minProperties: 2 }
a name that is required and not described: { type: object, required: [a], additionalProperties: { type: string, format: date } }
as many properties as may be: { type: object, properties: { a: { type: string }, b: { type: string }, c: { type: string } },
  required: [c], maxProperties: 2, minProperties: 2 }
a condition: { type: object, required: [kind], properties: { kind: { enum: [a] }, n: { type: integer } },
  if: { properties: { kind: { const: b } } }, else: { required: [n] } }
no type: { properties: { a: { minimum: 4 } }, required: [a] }
`),
];

describe.each(['required', 'all'] as const)('a sample with what is %s', (much) => {
  test.each(SCHEMAS)('keeps %s', (_, schema) => {
    const schemas = { Node, Cat, Dog };
    const value = sampleOf(schema, { optional: much === 'all' }, schemas);
    expect([value, judge(schema, { schemas })(value)]).toEqual([value, true]);
  });
});

test('the judge can fail', () => expect(judge(text({ pattern: '^a$' }), {})('b')).toBe(false));

test('what is not required is there where it is wanted, what contains itself once', () => {
  const sampled = sampleOf({ $ref: '#/components/schemas/Node' }, { optional: true }, { Node });
  expect(sampled).toEqual({ name: 'string', children: [] });
  expect(sampleOf(Dog, { optional: true })).toEqual({ kind: 'string', bark: 'string' });
  expect(sampleOf(Dog)).toEqual({ kind: 'string' });
});

test('an example counts where it keeps its schema', () => {
  const schema = object({ a: text({ example: 'Rex' }), b: { type: 'integer', example: 'no integer' } });
  const places: string[] = [];
  expect(sampleOf(schema, { onBroken: (pointer) => places.push(pointer) })).toEqual({ a: 'Rex', b: 1 });
  expect(places).toEqual(['/schema/properties/b/example']);
  expect(sampleOf(schema, { generated: true })).toEqual({ a: 'string', b: 1 });
});

const listed = { enum: ['first', 'second', null] };
const object = (properties: Schema, more: Schema = {}): Schema => {
  return { type: 'object', required: Object.keys(properties), properties, ...more };
};

const part = (name: string): Schema => object({ [name]: text({}) }, { example: { [name]: name.toUpperCase() } });

test.each<[string, unknown, unknown]>([
  ['examples', { ...listed, examples: ['second'] }, 'second'],
  ['a default', { ...listed, default: 'second' }, 'second'],
  ['null', { ...listed, example: null }, null],
  ['no null by default', { type: ['string', 'null'], default: null }, 'string'],
  ['no empty list by default', { type: 'array', items: {}, minItems: 1, default: [] }, ['string']],
  ['no example that is not listed', { ...listed, example: 'third' }, 'first'],
  ['a const before an example', { const: 'fixed', example: 'other' }, 'fixed'],
  ['beside a reference', { $ref: '#/components/schemas/Colour', example: 'red' }, 'red'],
  ['through allOf', { allOf: [{ $ref: '#/components/schemas/Colour' }] }, 'green'],
  ['of items', { type: 'array', minItems: 1, items: { $ref: '#/components/schemas/Colour' } }, ['green']],
  ['of each part of an object', { allOf: [part('a'), part('b')] }, { a: 'A', b: 'B' }],
])('what the contract shows comes first: %s', (_, schema, value) => {
  const schemas = { Colour: { type: 'string', enum: ['red', 'green'], example: 'green' } };
  expect(sampleOf(schema, {}, schemas)).toEqual(value);
});

test('each index of an enumeration is another value, the shown one first', () => {
  const values = [0, 1, 2].map((index) => sampleOf({ enum: ['a', 'b', 'c'], example: 'c' }, { index }));
  expect(values).toEqual(['c', 'a', 'b']);
});

test('a property of the other side is left out', () => {
  const schema = object({ a: text({}), b: text({ writeOnly: true }) });
  expect(sampleOf(schema, { without: 'writeOnly', accepts: () => true })).toEqual({ a: 'string' });
});

test('a discriminator is given the name of what it tells', () => {
  const KITTEN = '#/components/schemas/Kitten';
  const schemas = {
    Pet: object({ kind: text({}) }, { discriminator: { propertyName: 'kind', mapping: { kitty: KITTEN } } }),
    Kitten: { allOf: [{ $ref: '#/components/schemas/Pet' }] },
  };
  expect(sampleOf({ $ref: '#/components/schemas/Kitten' }, {}, schemas)).toEqual({ kind: 'kitty' });
});

test.each([
  [{ type: 'integer', minimum: 0, exclusiveMinimum: true }, 1],
  [{ type: 'integer', minimum: -2147483648, maximum: 2147483647 }, 1],
  [{ type: 'integer', minimum: -9, maximum: -3 }, -9],
  [{ type: 'string', nullable: true, enum: [null, 'a'] }, 'a'],
])('OpenAPI 3.0 writes %j', (schema, value) => {
  const source = createSource('a', { openapi: '3.0.3', schema }, () => ({ file: 'a' }));
  expect(sampleValue(source, '/schema')).toBe(value);
});

test('of what contains itself without end there is no value', () => {
  const Loop = object({ loop: { $ref: '#/components/schemas/Loop' } });
  expect(sampleOf({ $ref: '#/components/schemas/Loop' }, {}, { Loop })).toBeUndefined();
});

test.each(
  Object.entries(yaml<Record<string, Schema[]>>`
a field that one of them describes: [{ properties: { result: { type: string } } }, { properties: { error: { type: string } } }]
a field inside a list: [{ properties: { likes: { type: array, items: { properties: { toy: { type: string } } } } } },
  { properties: { likes: { type: array, items: { properties: { dog: { type: string } } } } } }]
one that is wider than the other: [{ properties: { a: { type: string }, b: { type: string } } }, { properties: { a: { type: string } } }]
`),
)('of alternatives that nothing but %s tells apart, one alone is met', (_, alternatives) => {
  const oneOf = alternatives.map((each) => ({ type: 'object', ...each }));
  expect(judge({ oneOf }, {})(sampleOf({ oneOf }, { optional: true }))).toBe(true);
});

test('a pattern has as many texts as are needed, each another', () => {
  const texts = Array.from({ length: 400 }, (_, index) => sampleOf(text({ pattern: '^k-[a-f0-9]{8}$' }), { index }));
  expect(new Set(texts).size).toBe(400);
});
