import { expect, test } from 'vitest';
import type { CheckContext } from '../../../src/conformance/checks/check.js';
import { checkFiltered } from '../../../src/conformance/checks/list.js';
import { RecordLedger } from '../../../src/conformance/ledger/record-ledger.js';
import { RunTexts } from '../../../src/conformance/ledger/run-texts.js';
import { readSubjects } from '../../../src/conformance/resources/resource-under-test.js';
import { shippedContract } from '../../support/shipped.js';

const ledger = new RecordLedger(shippedContract, new RunTexts('cf'));
const [pets] = readSubjects(shippedContract);
if (pets === undefined) throw new Error('there are no pets');
const operation = shippedContract.operations.find(({ id }) => id === 'listPets');
const context = { contract: shippedContract, sent: { operation, path: {} }, ledger } as unknown as CheckContext;
for (const petId of [7, 8]) ledger.notePresent(ledger.entryOf(pets, { petId }, petId));
const unchanged = { key: 8, sent: { status: 'pending' }, kept: new Set<string>(), since: 0 };
ledger.noteExpected(ledger.entryOf(pets, { petId: 8 }, 8), unchanged);

/** Whether a list filtered by sold that has a pending pet with this key is about what the run has not changed. */
function isUntouched(...keys: number[]): unknown {
  const page = keys.map((id) => ({ id, status: 'pending' }));
  const rule = { at: '', keyProperty: 'id', fields: ['status'], every: { status: 'sold' } };
  return checkFiltered(page, rule, context).map((each) => 'isUntouched' in each && each.isUntouched);
}

test('what a list has that does not fit may be late where the run has changed one of it, and nowhere else', () => {
  expect(isUntouched(5)).toEqual([true]);
  expect(isUntouched(8)).toEqual([true]);
  expect(isUntouched(7)).toEqual([false]);
  expect(isUntouched(5, 7)).toEqual([false]);
});
