import { expect, test } from 'vitest';
import type { Operation } from '../../../src/contract/model.js';
import { listStatuses } from '../../../src/conformance/resources/statuses.js';

/** An operation with answers of these statuses. */
function answering(...statuses: string[]): Operation {
  return { responses: statuses.map((status) => ({ status, content: [] })) } as unknown as Operation;
}

test.each([
  [['200', '201', '400'], [201]],
  [['200', '400'], [200]],
  [['2XX'], ['2XX']],
])('of an operation with %j, a new record is answered with %j', (stated, wanted) => {
  expect(listStatuses('$created', answering(...stated))?.map(String)).toEqual(wanted.map(String));
});

test('what may conflict may be refused, where the contract says so, and nowhere else', () => {
  expect(listStatuses('$doneOrConflict', answering('200', '409'))?.map(String)).toEqual(['200', '4XX']);
  expect(listStatuses('$doneOrConflict', answering('200'))).toBeUndefined();
});
