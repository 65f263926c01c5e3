import { expect, test } from 'vitest';
import { expectHeadline } from '../../conformance/resources/support/expect-problem.js';
import { judgeRenamed } from './judge.js';

// The shipped contract with everything renamed that is a name: paths, schemas, responses, the key, its parameter, the base
// path, the title. What `npm test` tries; the file beside this one, which is slow, tries more mutants.

const TRUE = { headlines: [], dead: [], neverSent: [] };

test('a petstore by other names is tried as the shipped one is, and accused of nothing', async () => {
  const run = await judgeRenamed({ operationIds: 'kept' });
  expect(run).toMatchObject(TRUE);
  expect(run.result.summary).toMatchObject({ inconclusive: 0, deviated: 0 });
  expect(run.result.summary.passed).toBeGreaterThan(190);
});

test('with other operationIds, the engine for any contract accuses it of nothing', async () => {
  const run = await judgeRenamed({ operationIds: 'renamed' });
  expect(run).toMatchObject(TRUE);
  expect(run.result.summary).toMatchObject({ inconclusive: 0, deviated: 0 });
});

test('what lists and fetches show of statuses that move by themselves is compared at its own paths', async () => {
  expect(await judgeRenamed({ operationIds: 'kept' }, { variant: 'status-moves-round' })).toMatchObject(TRUE);
});

test.each([
  ['get-id-as-text', /^`id` of a record is text/],
  ['list-status-swapped', /^`status` is not as it was sent in responses of listPets/],
  ['filter-ignored-above-20', /^The filter by `status` of listPets returns records that do not match/],
  ['get-misses-sold', /^A created record is missing in responses of getPet/],
  ['create-id-repeats', /^One key is given to several records/],
  ['get-negative-500', /getPet fails with 500/],
] as const)('%s: what is told of it is in the document, and was sent', async (mutant, headline) => {
  const run = await judgeRenamed({ operationIds: 'kept' }, { mutants: [mutant] });
  expect(run).toMatchObject({ dead: [], neverSent: [] });
  expectHeadline(run.headlines, headline);
});
