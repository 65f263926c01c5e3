import { expect, test } from 'vitest';
import { planRun } from '../../../src/conformance/product/plan-run.js';
import { judgeService, specOf } from './support/judge-service.js';
import { helpdesk, library } from './support/services.js';
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
