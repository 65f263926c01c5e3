import { expect, test } from 'vitest';
import type { AskedPage, PageWalk, RecordsRule } from '../../../src/conformance/model/records.js';
import type { Step } from '../../../src/conformance/model/scenario.js';
import type { StepOutcome } from '../../../src/conformance/engine/run-exchange.js';
import { walkPages } from '../../../src/conformance/engine/run-step.js';
import type { Scope } from '../../../src/conformance/http/template.js';

const walk: PageWalk = { kind: 'offset', parameter: 'offset', first: 0, at: '/data', length: 2, atMost: 9 };

/** What each page is asked with where the service says these totals, one on each page of two records. */
function walkThrough(total: RecordsRule['total'], totals: readonly number[]): AskedPage[] {
  const step = { id: 'list', pages: walk, expect: { records: { total } } } as unknown as Step;
  const outcomes: StepOutcome[] = [];
  const asked: AskedPage[] = [];
  for (const page of walkPages(step, {} as Scope, outcomes)) {
    const at = asked.push(page) - 1;
    const data = totals[at] === undefined ? [] : [{ id: 2 * at }, { id: 2 * at + 1 }];
    const response = {
      status: 200,
      headers: { 'x-total-count': String(totals[at]) },
      body: { total: totals[at], data },
    };
    outcomes.push({ record: { response } } as unknown as StepOutcome);
  }
  return asked;
}

test.each<[string, NonNullable<RecordsRule['total']>]>([
  ['its body', { at: '/total' }],
  ['a header field', { header: 'X-Total-Count' }],
])('each page knows the totals that those before it had in %s, where the total is judged', (_, total) => {
  expect(walkThrough(total, [4, 5]).map((page) => page.totals)).toEqual([[], [4], [4, 5]]);
});

test('where no total is judged, none is known', () =>
  expect(walkThrough(undefined, [4, 5]).map((page) => page.totals)).toEqual([[], [undefined], [undefined, undefined]]));
