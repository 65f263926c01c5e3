import { expect, test } from 'vitest';
import type { CheckContext } from '../../../src/conformance/judge/check.js';
import { judgeFiltered } from '../../../src/conformance/judge/filtered.js';
import { createMemory } from '../../../src/conformance/judge/target-memory.js';
import { shippedContract } from '../../support/shipped.js';

const memory = createMemory('cf');
const operation = shippedContract.operations.find(({ id }) => id === 'listPets');
const context = { contract: shippedContract, sent: { operation, path: {} }, memory } as unknown as CheckContext;
memory.created.add('pets\n7').add('pets\n8');
memory.own.set('pets\n8', { key: 8, sent: { status: 'pending' }, kept: new Set(), since: 0 });

/** Whether a list filtered by sold that has a pending pet with this key is about what the run has not changed. */
function isUntouched(...keys: number[]): unknown {
  const page = keys.map((id) => ({ id, status: 'pending' }));
  const rule = { at: '', keyProperty: 'id', fields: ['status'], every: { status: 'sold' } };
  return judgeFiltered(page, rule, context).map((each) => 'isUntouched' in each && each.isUntouched);
}

test('what a list has that does not fit may be late where the run has changed one of it, and nowhere else', () => {
  expect(isUntouched(5)).toEqual([true]);
  expect(isUntouched(8)).toEqual([true]);
  expect(isUntouched(7)).toEqual([false]);
  expect(isUntouched(5, 7)).toEqual([false]);
});
