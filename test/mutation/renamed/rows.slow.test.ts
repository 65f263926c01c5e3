import { expect, test } from 'vitest';
import { inTurn } from '../../../scripts/turns.mjs';
import type { MutantId } from '../mutants/index.js';
import { judgeRenamed } from './judge.js';

/** What only one row of the scenarios for every contract shows, with what is then told. */
const SHOWN: readonly (readonly [id: MutantId, scenario: string, headline: RegExp])[] = [
  ['null-as-name-is-null', 'sequences/words', /^`name` of a record is null/],
  ['nul-cuts-name', 'sequences/rare-texts', /^`name` is not as it was sent/],
  ['category-unsigned', 'records/wide-numbers', /^`categoryId`/],
  ['sold-duplicate-not-created', 'sequences/equal', /^One key is given to several records/],
  ['equal-creates-at-once-are-one', 'sequences/equal-at-once', /^One key is given to several records/],
  ['filter-defaults-to-available', 'records/list', /^A created record is missing/],
  ['etag-never-changes', 'requests/modified-list', /304/],
  ['refused-body-left-unread', 'requests/same-connection', /rejects? with 400 what the contract allows/],
  ['field-names-compared-by-case', 'requests/lower-case-fields', /rejects? a valid key with 401/],
  ['longest-list-needs-no-key', 'refusals/credentials-of-longest', /^The key is not checked: browseAnimals/],
  ['limit-16-one-more', 'lists/limit-further', /more records than its limit/],
];

test.each(inTurn(SHOWN, 8))('%s is shown by %s', async (id, scenario, headline) => {
  const { result, headlines } = await judgeRenamed({ operationIds: 'renamed' }, { mutants: [id] });
  const deviated = result.scenarios.filter(({ verdict }) => verdict === 'deviated').map((each) => each.id);
  expect(deviated).toContainEqual(expect.stringContaining(`/${scenario}`));
  expect(headlines).toContainEqual(expect.stringMatching(headline));
});
