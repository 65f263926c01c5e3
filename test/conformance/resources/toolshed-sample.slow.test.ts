import { expect, test } from 'vitest';
import { planRun } from '../../../src/conformance/product/plan-run.js';
import { judgeToolshed } from './support/judge-service.js';
import { TOOLSHED_CONTRACT } from './support/toolshed-rules.js';

const CHANGES = ['members/changes/merge*', 'members/refusals/parameter-of-changes*', 'loans/refusals/parameter-rule*'];

test('what is changed only with a condition is changed with the ETag that the record has', async () => {
  const { problems, scenarios } = await judgeToolshed([], CHANGES);
  expect(problems).toEqual([]);
  expect(scenarios.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
  expect(scenarios.map(({ id }) => id)).toEqual(
    expect.arrayContaining([
      'members/changes/merge[remarks]',
      'members/refusals/parameter-of-changes[update-without-If-Match]',
    ]),
  );
});

test('what a list in an envelope is asked for counts as exercised, and so does a header field', async () => {
  const { coverage } = await judgeToolshed([], ['members/lists/limit-at-bounds*', 'loans/records/create']);
  const missing = coverage.missing.map(({ id }) => id);
  expect(missing).not.toContain('browse_members is sent query/page_size = 40');
  expect(missing).not.toContain('lend is sent header/X-Counter');
  expect(missing).toContain('browse_members is sent query/level = "plus"');
});

test('a scenario of roles says how many rounds it waits for others, and so does what it becomes', () => {
  const pages = planRun({ spec: TOOLSHED_CONTRACT }).scenarios.filter(({ id }) =>
    id.startsWith('members/lists/pages['),
  );
  expect(pages.map(({ steps }) => steps.at(-1)?.rounds)).toEqual([4]);
});

test('a filter and a key that hold on the first page alone, and a patch that is not merged, are each told as what they are', async () => {
  const { problems } = await judgeToolshed(
    ['link-drops-filter', 'no-key-with:after', 'patch-flat'],
    ['members/lists/filter-pages*', 'members/refusals/credentials-of-pages*', 'members/changes/merge-inside*'],
  );
  expect(problems.map(({ headline }) => headline).toSorted()).toEqual([
    'A merge patch of a part of `address` loses the rest of it (members)',
    'The filter by `level` of browse_members returns records that do not match from the second page on',
    expect.stringMatching(
      /^The key is not checked: browse_members serves requests without a key (?:with a after|for \d+ of \d+ requests)$/,
    ),
    '`postcode` of a record is missing in responses of amend_member, fetch_member and browse_members',
  ]);
});
