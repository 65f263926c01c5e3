import { expect, test } from 'vitest';
import type { Violation } from '../../../src/contract/schemas/violation.js';
import { shorten } from '../../../src/contract/document/json.js';
import { shippedContract, shippedSpec } from '../../support/shipped.js';

const violationsOf = (body: unknown): Violation[] => shippedContract.validate.value('/components/schemas/NewPet', body);

const lines = shippedSpec.split('\n');

test('a missing field is named where it should stand', () => {
  const [violation] = violationsOf({ name: 'Rex' });
  expect(violation).toMatchObject({
    at: 'body/categoryId',
    part: 'body',
    pointer: '/categoryId',
    rule: 'required',
    actual: 'nothing',
    message: 'body/categoryId is required',
  });
});

test('a violation points at the line of the contract that states the rule', () => {
  const [violation] = violationsOf({ name: 'Rex', categoryId: 1, status: 'lost' });
  expect(violation?.contract.pointer).toBe('/components/schemas/PetStatus/enum');
  expect(violation?.contract.file).toBe('spec/petstore.openapi.yaml');
  expect(lines[(violation?.contract.line ?? 0) - 1]).toContain('enum: [available, pending, sold]');
});

test.each([
  [{ name: 1, categoryId: 1 }, 'body/name must be a string, but is 1'],
  [{ name: 'a', categoryId: '1' }, 'body/categoryId must be an integer, but is "1"'],
  [{ name: 'a', categoryId: 1.5 }, 'body/categoryId must be an integer, but is 1.5'],
  [{ name: 'a', categoryId: 1, status: 'x' }, 'body/status must be one of "available", "pending", "sold", but is "x"'],
  [[], 'body must be an object, but is []'],
  [null, 'body must be an object, but is null'],
])('%j reads: %s', (body, message) => {
  expect(violationsOf(body).map((violation) => violation.message)).toEqual([message]);
});

test('a number outside int64 is told with its digits and its bounds', () => {
  const [violation] = violationsOf({ name: 'a', categoryId: 9223372036854775808n });
  expect(violation).toMatchObject({
    rule: 'format',
    message:
      'body/categoryId must be an int64, -9223372036854775808 to 9223372036854775807, but is 9223372036854775808',
  });
});

test('every violation of a body is told', () => {
  expect(violationsOf({ categoryId: 'x', status: 7 }).map(({ at, rule }) => `${at} ${rule}`)).toEqual([
    'body/name required',
    'body/categoryId type',
    'body/status type',
    'body/status enum',
  ]);
});

test('a name with slashes is escaped in the pointer', () => {
  const [violation] = shippedContract.validate.value(
    '/components/schemas/NewPet',
    {},
    { part: 'body', pointer: '/a~1b' },
  );
  expect(violation?.at).toBe('body/a~1b/name');
});

test('a long value is cut', () => {
  expect(shorten('x'.repeat(1000))).toHaveLength(80);
  expect(shorten(undefined)).toBe('nothing');
  expect(shorten({ id: 9223372036854775807n })).toBe('{"id":9223372036854775807}');
});
