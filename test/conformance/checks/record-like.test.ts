import { expect, test } from 'vitest';
import type { CheckContext } from '../../../src/conformance/checks/check.js';
import { recordCheck } from '../../../src/conformance/checks/record-like.js';
import type { RecordRule } from '../../../src/conformance/checks/record-rules.js';

/** What is said of a record that an answer shows. */
function judge(value: object, rule: Partial<RecordRule>): unknown[] {
  const record = { at: '', keyProperty: 'id', fields: ['name', 'note'], ...rule };
  const seen = {
    expect: { record },
    body: { kind: 'json', value },
    sent: {},
    answer: { kind: 'answered', status: 200 },
  };
  return recordCheck.run(seen as unknown as CheckContext);
}

const REPLACED = { like: {}, without: { name: 'Old', note: 'old' }, dropped: ['note'] };

test('a replacement that names nothing leaves nothing of what could be dropped', () => {
  expect(judge({ id: 1, note: 'old' }, REPLACED)).toMatchObject([{ rule: 'note dropped', actual: '"old"' }]);
  expect(judge({ id: 1 }, REPLACED)).toEqual([]);
});

test('an answer that can show nothing of what was sent proves nothing of it', () => {
  const needs = expect.stringMatching(
    /the contract has none of them in this one; one that it describes there helps$/,
  ) as unknown;
  expect(judge({ id: 1 }, { like: { colour: 'red' } })).toEqual([{ needs }]);
  expect(judge({ id: 1 }, { like: {}, without: { colour: 'red' }, dropped: ['colour'] })).toEqual([{ needs }]);
});
