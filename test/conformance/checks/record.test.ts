import { expect, test } from 'vitest';
import type { CheckContext } from '../../../src/conformance/checks/check.js';
import { listUnlike, recordCheck } from '../../../src/conformance/checks/expectations.js';
import { RunTexts } from '../../../src/conformance/ledger/shown-records.js';
import type { RecordRule } from '../../../src/conformance/model/exchange.js';
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

test.each([
  [{ a: 1 }, { a: 1, b: 2 }],
  ['2026-01-01T00:00:00Z', '2026-01-01T01:00:00.000+01:00'],
  ['Ann@Example.com', 'ann@example.com'],
  ['ch', 'CH'],
  ['ab-12', 'AB-12'],
  ['4.2', '4.20'],
  ['5', '5.00'],
  [null, undefined],
  [[{ a: 1 }], [{ a: 1, b: 2 }]],
  [{ password: 'abc' }, { password: '**********' }],
])('%j may be told as %j', (sent, seen) => expect(listUnlike(sent, seen)).toEqual([]));

test.each([
  [{ a: 1 }, { a: '1' }, '/a'],
  [{ a: { b: 1 } }, { a: {} }, '/a/b'],
  ['2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z', ''],
  ['4.20', '4.2', ''],
  ['5', '5.0', ''],
  ['4.2', '4.21', ''],
  ['x5', 'x5.00', ''],
  ['Ann', 'ann', ''],
  ['Ann', 'ANN', ''],
  [{ name: 'abc' }, { name: '***' }, '/name'],
  [{ password: 'abc' }, { password: 'cba' }, '/password'],
  ['a long text', 'A LONG TEXT', ''],
  [[1, 2], [2, 1], '/0'],
  [[1], [1, 2], ''],
])('%j is not %j', (sent, seen, at) => expect(listUnlike(sent, seen)[0]?.at).toBe(at));

test('integers past 2^53 are compared to the last digit', () =>
  expect(listUnlike(9007199254740993n, 9007199254740992n)).toHaveLength(1));
