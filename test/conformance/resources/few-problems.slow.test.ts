import { expect, test } from 'vitest';
import { planRun } from '../../../src/conformance/product/plan-run.js';
import { judgeService, specOf } from './support/judge-service.js';
import { helpdesk, library } from './support/services.js';
import { expectProblem } from './support/expect-problem.js';

test.each([
  [
    'tickets:change-answers-old',
    ['tickets/changes/update'],
    /^`subject`, .* and `contact` are not as they were sent in responses of tickets\.patch/,
  ],
  [
    'tickets:filter-stale:due_on',
    ['tickets/lists/filter', 'tickets/changes/update-in-filter'],
    /^The filter by `due_on` of tickets\.list returns records that do not match and leaves out records that match$/,
  ],
  [
    'tickets:delete-keeps',
    ['*/changes/remove*'],
    /^A deleted record is still in responses of tickets\.get and tickets\.list$/,
  ],
  [
    'tickets:off:labels.items.type',
    ['tickets/refusals/create', 'tickets/lists/pages'],
    /^tickets\.create accepts `labels\/1` null, as a number and as an object, though it must be a string$/,
  ],
])('%s of a helpdesk is reported by a headline that says so', async (mutant, only, headline) => {
  expectProblem(await judgeService(helpdesk, [mutant], only), headline);
});

test('two defects of one resource stay two problems', async () => {
  const { problems } = await judgeService(
    helpdesk,
    ['agents:get-neighbour', 'agents:off:level.maximum'],
    ['agents/records/get*', 'agents/refusals/create'],
  );
  expect(problems).toHaveLength(2);
});

test('what a list in an envelope is asked for counts as exercised, and so does a header field', async () => {
  const { coverage } = await judgeService(library, [], ['books/lists/limit-at-bounds*', 'loans/records/create']);
  const missing = coverage.missing.map(({ id }) => id);
  expect(missing).not.toContain('findBooks is sent query/size = 60');
  expect(missing).not.toContain('lend is sent header/X-Branch');
  expect(missing).toContain('findBooks is sent query/language = "fr"');
});

test('a scenario of roles says how many rounds it waits for others, and so does what it becomes', () => {
  const { scenarios } = planRun({ spec: specOf('helpdesk') });
  const pages = scenarios.filter(({ id }) => id.startsWith('tickets/lists/pages['));
  expect(pages.map(({ steps }) => steps.at(-1)?.rounds)).toEqual([4]);
});
