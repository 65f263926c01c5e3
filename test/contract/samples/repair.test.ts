import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { makeValue } from '../../../src/contract/samples/repair.js';
import { parseContract } from '../../support/parse-contract.js';

type Schema = Record<string, unknown>;

/** A value for the schema as a response has it; `undefined` if none is found. */
function make(schema: unknown, schemas: Schema = {}): unknown {
  const contract = parseContract({ paths: {}, components: { schemas: { ...schemas, It: schema } } });
  const pointer = '/components/schemas/It';
  const { value, faults } = makeValue(contract.document, pointer, { check: contract.validate.value });
  return faults.length === 0 ? value : undefined;
}

/** A judge past everything in src/contract. */
function isValid(schema: Schema, schemas: Schema, value: unknown): boolean {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  return ajv.validate(JSON.parse(JSON.stringify({ components: { schemas }, ...schema })) as Schema, value);
}

/** Schemas by what is special in them; those that refer to others stand before these in a list. */
const CASES = parse(String.raw`
if and then: { type: object, properties: { country: { enum: [ US, NL ] }, zip: { type: string } }, required: [ country, zip ], if: { type: object, properties: { country: { const: US } } }, then: { type: object, properties: { zip: { pattern: '^\d{5}$' } } } }
if and else: { type: object, properties: { country: { enum: [ US, NL ] }, zip: { type: string } }, required: [ country, zip ], if: { type: object, properties: { country: { const: NL } } }, then: { type: object, properties: {} }, else: { type: object, properties: { zip: { pattern: '^\d{5}$' } } } }
then that requires what it describes: { type: object, properties: { kind: { const: a } }, required: [ kind ], if: { type: object, properties: { kind: { const: a } } }, then: { type: object, properties: { size: { type: integer, minimum: 7 } }, required: [ size ] } }
conditions within conditions: { type: object, properties: { a: { type: boolean }, b: { type: boolean } }, required: [ a, b ], if: { type: object, properties: { a: { const: true } } }, then: { if: { type: object, properties: { b: { const: true } } }, then: { type: object, properties: { c: { type: string } }, required: [ c ] } } }
an if that must not hold: { type: object, properties: { n: { type: integer, maximum: 10 } }, required: [ n ], if: { type: object, properties: { n: { minimum: 1 } } }, then: false }
dependentSchemas: { type: object, properties: { card: { type: string }, zip: { type: integer } }, required: [ card, zip ], dependentSchemas: { card: { type: object, properties: { zip: { minimum: 1000 } } } } }
dependentSchemas that require more: { type: object, properties: { card: { type: string } }, required: [ card ], dependentSchemas: { card: { type: object, properties: { bill: { type: string, minLength: 4 } }, required: [ bill ] } } }
dependentRequired: { type: object, properties: { a: { type: string } }, required: [ a ], dependentRequired: { a: [ b ], b: [ c ] } }
dependentRequired of what may not be there: { type: object, properties: { a: { type: string }, b: { type: string } }, dependentRequired: { a: [ c ] }, additionalProperties: false }
contains: { type: array, items: { type: integer }, contains: { minimum: 50 } }
contains with minContains: { type: array, items: { type: integer }, contains: { minimum: 50 }, minContains: 3 }
contains with both, unique: { type: array, items: { type: integer, minimum: 0 }, contains: { minimum: 50 }, minContains: 2, maxContains: 2, minItems: 5, uniqueItems: true }
minContains of none: { type: array, items: { enum: [ 1, 2 ] }, contains: { const: 2 }, minContains: 0, maxContains: 0, minItems: 2 }
contains of objects: { type: array, items: { type: object, properties: { role: { type: string } }, required: [ role ] }, contains: { type: object, properties: { role: { const: owner } }, required: [ role ] }, minItems: 2 }
contains behind prefixItems: { type: array, prefixItems: [ { type: string }, { type: integer } ], items: { type: integer }, contains: { const: 9 } }
contains in closed prefixItems: { type: array, prefixItems: [ { type: string }, { type: integer } ], items: false, contains: { const: 9 }, minItems: 2 }
not a range: { type: integer, not: { minimum: 1, maximum: 50 } }
not a multiple: { type: integer, minimum: 10, not: { multipleOf: 2 } }
not a const: { type: string, not: { const: string } }
not what has a member: { type: object, properties: { a: { type: string }, b: { type: string } }, required: [ b ], not: { required: [ a ] } }
not both of two: { type: object, properties: { a: { type: integer }, b: { type: integer } }, not: { required: [ a, b ] } }
not anyOf: { type: number, not: { anyOf: [ { maximum: 10 }, { multipleOf: 5 } ] } }
one of two ranges: { type: number, oneOf: [ { minimum: 0 }, { maximum: 100 } ] }
one of overlapping values: { oneOf: [ { enum: [ a, b ] }, { enum: [ a, b, c ] } ] }
one of an integer and a number: { oneOf: [ { type: integer }, { type: number, minimum: 0 } ] }
one of two lengths: { type: string, oneOf: [ { minLength: 3 }, { maxLength: 8 } ] }
all of two multiples: { allOf: [ { type: integer, multipleOf: 4 }, { multipleOf: 6, minimum: 13 } ] }
a decimal multiple: { type: number, multipleOf: 0.05, not: { multipleOf: 0.1 }, minimum: 0.01 }
one of several requirements: { type: object, properties: { a: { type: string }, b: { type: string }, c: { type: string } }, oneOf: [ { required: [ a ] }, { required: [ b ] }, { required: [ c ] } ] }
exactly one of two with others: { type: object, properties: { id: { type: integer }, phone: { type: string }, mail: { type: string } }, required: [ id ], oneOf: [ { required: [ phone ] }, { required: [ mail ] } ] }
unevaluatedProperties: { allOf: [ { type: object, properties: { a: { type: string } }, required: [ a ] }, { type: object, properties: { b: { type: string } } } ], unevaluatedProperties: false }
unevaluatedProperties and then: { type: object, properties: { a: { const: 1 } }, required: [ a ], if: { type: object, properties: { a: { const: 1 } } }, then: { type: object, properties: { b: { type: integer } }, required: [ b ] }, unevaluatedProperties: false }
unevaluatedProperties of a type: { type: object, properties: { a: { type: string } }, unevaluatedProperties: { type: integer }, minProperties: 3 }
unevaluatedItems: { type: array, prefixItems: [ { type: string } ], unevaluatedItems: false, minItems: 1 }
unique objects: { type: array, items: { type: object, properties: { n: { enum: [ 1, 2, 3 ] } }, required: [ n ], additionalProperties: false }, uniqueItems: true, minItems: 3 }
unique decimals in a range: { type: array, items: { type: number, minimum: 0, maximum: 0.5 }, uniqueItems: true, minItems: 3 }
prefixItems: { type: array, prefixItems: [ { const: a }, { type: integer }, { type: boolean } ], items: { type: string }, minItems: 5 }
propertyNames: { type: object, properties: {}, propertyNames: { pattern: '^k\d{2}$' }, additionalProperties: { type: integer }, minProperties: 2 }
propertyNames of a list: { type: object, properties: {}, propertyNames: { enum: [ a, b, c ] }, additionalProperties: { type: string }, minProperties: 3 }
propertyNames that forbid: { type: object, properties: { long: { type: string }, ab: { type: string } }, propertyNames: { maxLength: 2 }, minProperties: 1 }
maxProperties: { type: object, properties: { a: { type: string }, b: { type: string }, c: { type: string } }, minProperties: 2, maxProperties: 2 }
a tree whose end is an empty list: [{ $ref: '#/components/schemas/Tree' }, { Tree: { type: object, properties: { value: { type: integer }, all: { type: array, items: { $ref: '#/components/schemas/Tree' } } }, required: [ value, all ] } }]
a chain that ends with null: [{ $ref: '#/components/schemas/Chain' }, { Chain: { type: object, properties: { next: { anyOf: [ { $ref: '#/components/schemas/Chain' }, { type: 'null' } ] } }, required: [ next ] } }]
a chain that ends with a text: [{ $ref: '#/components/schemas/Chain' }, { Chain: { oneOf: [ { type: object, properties: { next: { $ref: '#/components/schemas/Chain' } }, required: [ next ], additionalProperties: false }, { type: string } ] } }]
an expression of expressions: [{ $ref: '#/components/schemas/Ex' }, { Ex: { oneOf: [ { $ref: '#/components/schemas/And' }, { $ref: '#/components/schemas/Leaf' } ] }, And: { type: object, properties: { and: { type: array, items: { $ref: '#/components/schemas/Ex' }, minItems: 2 } }, required: [ and ] }, Leaf: { type: object, properties: { eq: { type: integer } }, required: [ eq ] } }]
a map of itself: [{ $ref: '#/components/schemas/Dir' }, { Dir: { type: object, properties: { name: { type: string } }, required: [ name ], additionalProperties: { anyOf: [ { type: string }, { $ref: '#/components/schemas/Dir' } ] } } }]
discriminated alternatives: [{ oneOf: [ { $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' } ], discriminator: { propertyName: kind } }, { Cat: { type: object, properties: { kind: { type: string }, lives: { type: integer } }, required: [ kind, lives ] }, Dog: { type: object, properties: { kind: { type: string }, lives: { type: integer, minimum: 3 } }, required: [ kind, lives ] } }]
const everywhere: { type: object, properties: { a: { const: null }, b: { const: [ 1, { c: 2 } ] }, d: { const: false } }, required: [ a, b, d ] }
a limit and a count: { type: object, properties: { a: { type: integer }, b: { type: integer }, c: { type: integer } }, required: [ a ], not: { minProperties: 2 } }
`) as Record<string, Schema | [Schema, Schema]>;

test.each(Object.entries(CASES))('%s: a value is found', (_, written) => {
  const [schema = {}, schemas = {}] = [written].flat();
  const value = make(schema, schemas);
  expect(value).toBeDefined();
  expect({ value, isValid: isValid(schema, schemas, value) }).toEqual({ value, isValid: true });
  expect(make(schema, schemas)).toEqual(value);
});
