import { expect, test } from 'vitest';
import type { CheckFinding } from '../../../src/conformance/checks/check.js';
import { extraFieldsCheck } from '../../../src/conformance/checks/response.js';
import { makeContext } from '../support/check-context.js';
import { tom } from '../support/check-examples.js';

const findIn = (body: unknown): CheckFinding[] => extraFieldsCheck.run(makeContext({ body })) as CheckFinding[];
/** What was found and what it stands for. */
const count = (found: readonly CheckFinding[]): number => found.reduce((sum, { more = 0 }) => sum + 1 + more, 0);

test('a field of every record is told of the first records, with the number of the rest', () => {
  const found = findIn(Array.from({ length: 1000 }, (_, id) => ({ ...tom, id, color: 'red', size: 1 })));
  expect(found.map(({ at, more }) => [at, more])).toEqual([
    ['body/0/color', undefined],
    ['body/0/size', undefined],
    ['body/1/color', undefined],
    ['body/1/size', undefined],
    ['body/2/color', 997],
    ['body/2/size', 997],
  ]);
});

test('of a hundred thousand fields some are told, and all are counted', () => {
  const fields = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`f${index}`, 1]));
  const found = findIn([{ ...tom, ...fields }]);
  expect(found.length).toBeLessThanOrEqual(100);
  expect(count(found)).toBe(100_000);
});

test('a long name is cut', () => {
  const [finding] = findIn([{ ...tom, ['n'.repeat(100_000)]: 1 }]);
  expect(finding?.rule).toMatch(/^n+…$/);
  expect(finding?.at.length).toBeLessThan(100);
});
