import { expect, test } from 'vitest';
import type { Problem } from '../../../src/conformance/index.js';
import { isNamed } from './judge.js';

const problem = (headline: string): Problem =>
  ({ id: headline, headline, cause: { check: 'body', rule: 'required', place: headline } }) as Problem;

const alone = problem('`id` of a record is missing in responses of listPets');

test.each([
  ['`id` of a record is missing in responses of listPets', true],
  ['`name` and `id` of a record are missing in responses of listPets', true],
  ['`name` of a record is missing in responses of listPets', false],
  ['`name` and `id` of a record are missing in responses of getPet', false],
  ['listPets returns a list in which an item is null, not an object', false],
])('that lists lack ids is named by: %s', (headline, expected) => {
  expect(isNamed(alone, [problem(headline)])).toBe(expected);
});
