import { expect, test } from 'vitest';
import type { CheckContext } from '../../../src/conformance/checks/check.js';
import { recordCheck } from '../../../src/conformance/checks/record.js';
import { RunTexts } from '../../../src/conformance/ledger/run-texts.js';
import type { RecordRule } from '../../../src/conformance/model/records.js';
import { shippedContract } from '../../support/shipped.js';

/** What is said of a record that an answer shows. */
function judge(value: object, rule: Partial<RecordRule>): unknown[] {
  const record = { at: '', keyProperty: 'id', fields: ['name', 'note'], ...rule };
  const seen = {
    contract: shippedContract,
    expect: { record },
    body: { kind: 'json', value },
    sent: {},
    ledger: { texts: new RunTexts('cf') },
    answer: { kind: 'answered', status: 200 },
  };
  return recordCheck.run(seen as unknown as CheckContext);
}

const REPLACED = { like: {}, without: { name: 'Old', note: 'old' }, dropped: ['note'] };

test('a replacement that names nothing leaves nothing of what could be dropped', () => {
  expect(judge({ id: 1, note: 'old' }, REPLACED)).toMatchObject([{ rule: 'note dropped', actual: '"old"' }]);
  expect(judge({ id: 1 }, REPLACED)).toEqual([]);
});

test('the items of a set may stand in any order, and those of a list may not', () => {
  const like = { note: ['a', 'b', 'c'] };
  expect(judge({ id: 1, note: ['c', 'a', 'b'] }, { like, sets: ['note'] })).toEqual([]);
  expect(judge({ id: 1, note: ['c', 'a', 'x'] }, { like, sets: ['note'] })).toMatchObject([
    { at: 'body/note/1', actual: '"x"' },
  ]);
  expect(judge({ id: 1, note: ['c', 'a'] }, { like, sets: ['note'] })).toMatchObject([{ at: 'body/note' }]);
  expect(judge({ id: 1, note: ['b', 'a', 'c'] }, { like })).toHaveLength(2);
});

test('an answer that can show nothing of what was sent proves nothing of it', () => {
  const needs = expect.stringMatching(/the contract describes none of them in this response$/) as unknown;
  expect(judge({ id: 1 }, { like: { colour: 'red' } })).toEqual([{ needs }]);
  expect(judge({ id: 1 }, { like: {}, without: { colour: 'red' }, dropped: ['colour'] })).toEqual([{ needs }]);
});
