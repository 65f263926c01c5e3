import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { makeValue } from '../../../src/contract/samples/repair.js';
import { parseContract } from '../../support/parse-contract.js';

type Schema = Record<string, unknown>;

const text: Schema = { type: 'string' };
const integer: Schema = { type: 'integer' };
const object = (properties: Schema, more: Schema = {}): Schema => ({ type: 'object', properties, ...more });
const list = (more: Schema): Schema => ({ type: 'array', ...more });
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** A value for the schema as a response has it; `undefined` if none is found. */
function make(schema: unknown, schemas: Schema = {}): unknown {
  const content = { 'application/json': { schema } };
  const document = {
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: { '/a': { get: { responses: { 200: { description: 'Fine.', content } } } } },
    components: { schemas },
  };
  const contract = parseContract(JSON.stringify(document), { shownAs: 'a.json' });
  const pointer = '/paths/~1a/get/responses/200/content/application~1json/schema';
  const { value, faults } = makeValue(contract.document, pointer, { judge: contract.validate.value });
  return faults.length === 0 ? value : undefined;
}

/** A judge past everything in src/contract. */
function isValid(schema: Schema, schemas: Schema, value: unknown): boolean {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  return ajv.validate(JSON.parse(JSON.stringify({ components: { schemas }, ...schema })) as Schema, value);
}

const address = object({ country: { enum: ['US', 'NL'] }, zip: text });
const cases: [string, Schema, Schema?][] = [
  [
    'if and then',
    {
      ...address,
      required: ['country', 'zip'],
      if: object({ country: { const: 'US' } }),
      then: object({ zip: { pattern: '^\\d{5}$' } }),
    },
  ],
  [
    'if and else',
    {
      ...address,
      required: ['country', 'zip'],
      if: object({ country: { const: 'NL' } }),
      then: object({}),
      else: object({ zip: { pattern: '^\\d{5}$' } }),
    },
  ],
  [
    'then that requires what it describes',
    {
      ...object({ kind: { const: 'a' } }, { required: ['kind'] }),
      if: object({ kind: { const: 'a' } }),
      then: object({ size: { type: 'integer', minimum: 7 } }, { required: ['size'] }),
    },
  ],
  [
    'several conditions',
    {
      ...object({ kind: { enum: ['x', 'y'] }, n: integer }, { required: ['kind', 'n'] }),
      allOf: [
        { if: object({ kind: { const: 'x' } }), then: object({ n: { minimum: 100 } }) },
        { if: object({ kind: { const: 'y' } }), then: object({ n: { maximum: -100 } }) },
      ],
    },
  ],
  [
    'conditions within conditions',
    {
      ...object({ a: { type: 'boolean' }, b: { type: 'boolean' } }, { required: ['a', 'b'] }),
      if: object({ a: { const: true } }),
      then: { if: object({ b: { const: true } }), then: object({ c: text }, { required: ['c'] }) },
    },
  ],
  [
    'an if that must not hold',
    {
      ...object({ n: { type: 'integer', maximum: 10 } }, { required: ['n'] }),
      if: object({ n: { minimum: 1 } }),
      then: false,
    },
  ],
  [
    'dependentSchemas',
    object(
      { card: text, zip: integer },
      { required: ['card', 'zip'], dependentSchemas: { card: object({ zip: { minimum: 1000 } }) } },
    ),
  ],
  [
    'dependentSchemas that require more',
    object(
      { card: text },
      {
        required: ['card'],
        dependentSchemas: { card: object({ bill: { type: 'string', minLength: 4 } }, { required: ['bill'] }) },
      },
    ),
  ],
  ['dependentRequired', object({ a: text }, { required: ['a'], dependentRequired: { a: ['b'], b: ['c'] } })],
  [
    'dependentRequired of what may not be there',
    object({ a: text, b: text }, { dependentRequired: { a: ['c'] }, additionalProperties: false }),
  ],
  ['contains', list({ items: integer, contains: { minimum: 50 } })],
  ['contains with minContains', list({ items: integer, contains: { minimum: 50 }, minContains: 3 })],
  ['contains with maxContains', list({ items: integer, contains: { minimum: 50 }, maxContains: 1, minItems: 4 })],
  [
    'contains with both, unique',
    list({
      items: { type: 'integer', minimum: 0 },
      contains: { minimum: 50 },
      minContains: 2,
      maxContains: 2,
      minItems: 5,
      uniqueItems: true,
    }),
  ],
  [
    'minContains of none',
    list({ items: { enum: [1, 2] }, contains: { const: 2 }, minContains: 0, maxContains: 0, minItems: 2 }),
  ],
  [
    'contains of objects',
    list({
      items: object({ role: text }, { required: ['role'] }),
      contains: object({ role: { const: 'owner' } }, { required: ['role'] }),
      minItems: 2,
    }),
  ],
  ['contains behind prefixItems', list({ prefixItems: [text, integer], items: integer, contains: { const: 9 } })],
  [
    'contains in closed prefixItems',
    list({ prefixItems: [text, integer], items: false, contains: { const: 9 }, minItems: 2 }),
  ],
  ['not a range', { type: 'integer', not: { minimum: 1, maximum: 50 } }],
  ['not a multiple', { type: 'integer', minimum: 10, not: { multipleOf: 2 } }],
  ['not some values', { type: 'integer', minimum: 1, maximum: 4, not: { enum: [1, 2, 4] } }],
  ['not a const', { type: 'string', not: { const: 'string' } }],
  ['not a pattern', { type: 'string', not: { pattern: '^[a-z]' } }],
  ['not a type', { not: { type: ['object', 'string'] } }],
  ['not what has a member', { ...object({ a: text, b: text }, { required: ['b'] }), not: { required: ['a'] } }],
  ['not both of two', { ...object({ a: integer, b: integer }), not: { required: ['a', 'b'] } }],
  [
    'not both false',
    {
      ...object({ a: { type: 'boolean' }, b: { type: 'boolean' } }, { required: ['a', 'b'] }),
      not: object({ a: { const: true }, b: { const: true } }),
    },
  ],
  ['not anyOf', { type: 'number', not: { anyOf: [{ maximum: 10 }, { multipleOf: 5 }] } }],
  ['one of two ranges', { type: 'number', oneOf: [{ minimum: 0 }, { maximum: 100 }] }],
  ['one of two multiples', { type: 'integer', minimum: 15, oneOf: [{ multipleOf: 3 }, { multipleOf: 5 }] }],
  ['one of overlapping values', { oneOf: [{ enum: ['a', 'b'] }, { enum: ['a', 'b', 'c'] }] }],
  ['one of an integer and a number', { oneOf: [{ type: 'integer' }, { type: 'number', minimum: 0 }] }],
  ['one of two lengths', { type: 'string', oneOf: [{ minLength: 3 }, { maxLength: 8 }] }],
  [
    'all of two multiples',
    {
      allOf: [
        { type: 'integer', multipleOf: 4 },
        { multipleOf: 6, minimum: 13 },
      ],
    },
  ],
  ['a decimal multiple', { type: 'number', multipleOf: 0.05, not: { multipleOf: 0.1 }, minimum: 0.01 }],
  [
    'one of several requirements',
    {
      ...object({ a: text, b: text, c: text }),
      oneOf: [{ required: ['a'] }, { required: ['b'] }, { required: ['c'] }],
    },
  ],
  [
    'exactly one of two with others',
    {
      ...object({ id: integer, phone: text, mail: text }, { required: ['id'] }),
      oneOf: [{ required: ['phone'] }, { required: ['mail'] }],
    },
  ],
  ['any of requirements', { ...object({ a: text, b: text }), anyOf: [{ required: ['a'] }, { required: ['b'] }] }],
  [
    'unevaluatedProperties',
    { allOf: [object({ a: text }, { required: ['a'] }), object({ b: text })], unevaluatedProperties: false },
  ],
  [
    'unevaluatedProperties and then',
    {
      ...object({ a: { const: 1 } }, { required: ['a'] }),
      if: object({ a: { const: 1 } }),
      then: object({ b: integer }, { required: ['b'] }),
      unevaluatedProperties: false,
    },
  ],
  ['unevaluatedProperties of a type', { ...object({ a: text }), unevaluatedProperties: integer, minProperties: 3 }],
  ['unevaluatedItems', list({ prefixItems: [text], unevaluatedItems: false, minItems: 1 })],
  ['unique items of few', list({ items: { enum: ['a', 'b', 'c'] }, uniqueItems: true, minItems: 3 })],
  ['unique booleans', list({ items: { type: 'boolean' }, uniqueItems: true, minItems: 2 })],
  [
    'unique objects',
    list({
      items: object({ n: { enum: [1, 2, 3] } }, { required: ['n'], additionalProperties: false }),
      uniqueItems: true,
      minItems: 3,
    }),
  ],
  [
    'unique decimals in a range',
    list({ items: { type: 'number', minimum: 0, maximum: 0.5 }, uniqueItems: true, minItems: 3 }),
  ],
  ['prefixItems', list({ prefixItems: [{ const: 'a' }, integer, { type: 'boolean' }], items: text, minItems: 5 })],
  [
    'patternProperties alone',
    object({}, { patternProperties: { '^x-[a-z]{2}$': integer }, additionalProperties: false, minProperties: 3 }),
  ],
  [
    'propertyNames',
    object({}, { propertyNames: { pattern: '^k\\d{2}$' }, additionalProperties: integer, minProperties: 2 }),
  ],
  [
    'propertyNames of a list',
    object({}, { propertyNames: { enum: ['a', 'b', 'c'] }, additionalProperties: text, minProperties: 3 }),
  ],
  [
    'propertyNames that forbid',
    object({ long: text, ab: text }, { propertyNames: { maxLength: 2 }, minProperties: 1 }),
  ],
  ['maxProperties', object({ a: text, b: text, c: text }, { minProperties: 2, maxProperties: 2 })],
  [
    'a tree whose end is optional',
    ref('Tree'),
    { Tree: object({ value: integer, left: ref('Tree') }, { required: ['value'] }) },
  ],
  [
    'a tree whose end is an empty list',
    ref('Tree'),
    { Tree: object({ value: integer, all: list({ items: ref('Tree') }) }, { required: ['value', 'all'] }) },
  ],
  [
    'a chain that ends with null',
    ref('Chain'),
    { Chain: object({ next: { anyOf: [ref('Chain'), { type: 'null' }] } }, { required: ['next'] }) },
  ],
  [
    'a chain that ends with a text',
    ref('Chain'),
    { Chain: { oneOf: [object({ next: ref('Chain') }, { required: ['next'], additionalProperties: false }), text] } },
  ],
  [
    'an expression of expressions',
    ref('Ex'),
    {
      Ex: { oneOf: [ref('And'), ref('Leaf')] },
      And: object({ and: list({ items: ref('Ex'), minItems: 2 }) }, { required: ['and'] }),
      Leaf: object({ eq: integer }, { required: ['eq'] }),
    },
  ],
  [
    'a map of itself',
    ref('Dir'),
    { Dir: object({ name: text }, { required: ['name'], additionalProperties: { anyOf: [text, ref('Dir')] } }) },
  ],
  [
    'discriminated alternatives',
    { oneOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 'kind' } },
    {
      Cat: object({ kind: text, lives: integer }, { required: ['kind', 'lives'] }),
      Dog: object({ kind: text, lives: { type: 'integer', minimum: 3 } }, { required: ['kind', 'lives'] }),
    },
  ],
  [
    'const everywhere',
    object({ a: { const: null }, b: { const: [1, { c: 2 }] }, d: { const: false } }, { required: ['a', 'b', 'd'] }),
  ],
  [
    'deep inside',
    object(
      {
        items: list({
          minItems: 2,
          items: object(
            {
              n: { type: 'integer', not: { minimum: 1, maximum: 9 } },
              m: { type: 'string', not: { enum: ['string', 'a'] } },
            },
            { required: ['n', 'm'] },
          ),
        }),
      },
      { required: ['items'] },
    ),
  ],
  [
    'a limit and a count',
    { ...object({ a: integer, b: integer, c: integer }, { required: ['a'] }), not: { minProperties: 2 } },
  ],
  [
    'one of by const',
    {
      ...object({ t: text, v: {} }, { required: ['t', 'v'] }),
      oneOf: [object({ t: { const: 'n' }, v: integer }), object({ t: { const: 's' }, v: text })],
    },
  ],
];

test.each(cases)('%s: a value is found', (_, schema, schemas = {}) => {
  const value = make(schema, schemas);
  expect(value).toBeDefined();
  expect(isValid(schema, schemas, value), JSON.stringify(value)).toBe(true);
  expect(make(schema, schemas)).toEqual(value);
});
