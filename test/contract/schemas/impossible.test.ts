import { expect, test } from 'vitest';
import { findContradiction } from '../../../src/contract/schemas/keywords.js';
import { parseContract } from '../../support/parse-contract.js';

const text = { type: 'string' };
const closed = { type: 'object', additionalProperties: false };
const named = { ...closed, properties: { name: text } };

function judge(schema: object, more: object = {}): string | undefined {
  const document = { openapi: '3.0.3', info: { title: 'S', version: '1' }, paths: {} };
  const contract = parseContract({ ...document, components: { schemas: { It: schema, Named: named, ...more } } });
  const found = findContradiction(contract.document, '/components/schemas/It');
  return found === undefined ? undefined : `${found.name} ${found.pointer}`;
}

const ref = { $ref: '#/components/schemas/Named' };

test.each<[string, object, string | undefined]>([
  ['beside an allOf', { ...closed, allOf: [ref], required: ['name'] }, 'name /components/schemas/It'],
  ['in an allOf', { allOf: [ref, { type: 'object', required: ['id'] }] }, 'id /components/schemas/Named'],
  [
    'below',
    { ...closed, properties: { at: { ...closed, allOf: [ref], required: ['name'] } }, required: ['at'] },
    'name /components/schemas/It/properties/at',
  ],
  ['not required', { ...closed, allOf: [ref] }, undefined],
  ['below what need not be there', { ...closed, properties: { at: { ...closed, required: ['x'] } } }, undefined],
  ['listed', { ...named, allOf: [ref], required: ['name'] }, undefined],
  ['by a pattern', { ...closed, patternProperties: { '^n': text }, required: ['name'] }, undefined],
  [
    'write only',
    { allOf: [named, { type: 'object', properties: { pin: { ...text, writeOnly: true } }, required: ['pin'] }] },
    undefined,
  ],
  ['or null', { ...closed, nullable: true, required: ['name'] }, undefined],
  ['or no object', { additionalProperties: false, required: ['name'] }, undefined],
])('a property that must and must not be there: %s', (_, schema, found) => expect(judge(schema)).toBe(found));

test('a schema that contains itself has an end', () => {
  const itself = { type: 'object', properties: { it: { $ref: '#/components/schemas/It' } }, required: ['it'] };
  expect(judge(itself)).toBeUndefined();
});
