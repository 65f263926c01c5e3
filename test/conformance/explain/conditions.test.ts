import { expect, test } from 'vitest';
import { describeRefused } from '../../../src/conformance/explain/headlines/refused.js';
import type { Occurrence } from '../../../src/conformance/explain/occurrence.js';
import type { ExchangeResult, ScenarioResult } from '../../../src/conformance/model/result.js';

const createWith = (body: unknown, status: number): ExchangeResult =>
  ({
    operationId: 'createNote',
    request: { method: 'POST', path: '/notes', body: JSON.stringify(body) },
    response: { status },
    findings: [],
  }) as unknown as ExchangeResult;

/** What is said of the creates that fail with 500, beside those that are served. */
function describe(served: readonly unknown[], failing: readonly unknown[]): string {
  const failed = failing.map((body) => createWith(body, 500));
  const exchanges = [...served.map((body) => createWith(body, 201)), ...failed];
  const scenario = { id: 'notes/records/values[nulls]', steps: [{ exchanges }] } as unknown as ScenarioResult;
  const occurrences = failed.map((exchange) => ({ exchange, scenario, finding: { actual: '500' } }));
  return describeRefused(occurrences as unknown as Occurrence[], [scenario]);
}

const SERVED = [
  { title: 'first', text: 'one', size: 1, labels: { a: 'b' } },
  { title: 'second', text: 'two', size: 1, labels: { a: 'b' } },
  { title: 'third', text: 'three', size: 2, labels: { a: 'b' } },
  { title: 'third', text: 'four', size: 2, labels: { a: 'b' } },
];

test.each([
  ['a null where texts differ in each record', { text: null }, ' with `text` null'],
  ['an empty text where texts differ in each record', { text: '' }, ' with `text` ""'],
  ['an object without a member', { labels: {} }, ' with `labels` {}'],
  ['a number that no other has', { size: 3 }, ' with `size` 3'],
  ['a text that is another in each record', { text: 'five' }, ''],
  ['two things at once', { size: 3, text: null }, ''],
])('what alone is told of a request that fails: %s', (_, changed, told) => {
  expect(describe(SERVED, [{ title: 'fifth', text: 'one', size: 1, labels: { a: 'b' }, ...changed }])).toBe(told);
});

test('what a served request has too is no condition', () => {
  const failing = [{ title: 'fifth', text: null, size: 1 }];
  expect(describe([...SERVED, { title: 'sixth', text: null, size: 1 }], failing)).toBe('');
});
