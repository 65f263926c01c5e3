import { expect, test } from 'vitest';
import { words } from '../../support/words.js';
import { judgeWorkshop, listReasons, WORKSHOP_SPEC } from './support/judge-service.js';
import { judgeMock, testService, type Mutant } from './support/test-service.js';

const MUTANTS: readonly Mutant[] = [
  // What is lost or changed in a form.
  ['tags-last', 'customers/records*', /\w/],
  ['metadata-lost', 'customers/records*', /\w/],
  ['metadata-flat', 'customers/records*', /\w/],
  ['numbers-cut', 'customers/records*', /\w/],
  ['false-is-true', 'customers/records*', /\w/],
  ['plus-is-plus', 'customers/records*', /\w/],
  ['colours-last', 'designs/records*', /\w/],
  ['origin-as-text', 'designs/records*', /\w/],
  ['same-id', 'designs/records/created-alone*', /\w/],
  ['wrong-default', 'customers/records/defaults*', /\w/],
  ['off:balance', 'customers/refusals/create[balance-below-its-minimum]', /\w/],
  ['off:email', 'customers/refusals/create[email-that-is-no-address]', /\w/],
  ['off:tier', 'customers/refusals/create[tier-that-is-not-in-its-list]', /\w/],
  ['off:tags', 'customers/refusals/create[tags-that-has-too-many-items]', /\w/],
  ['off:active', 'customers/refusals/create[active-that-is-a-word]', /\w/],
  ['off:closed', 'customers/refusals/create[with-a-field-that-there-is-not]', /\w/],
  ['off:title.required', 'designs/refusals/create[without-title]', /\w/],
  ['off:width', 'designs/refusals/create[width-above-its-maximum]', /\w/],
  ['open-form', 'customers/refusals/credentials[create]', /\w/],
  ['change-drops', 'customers/changes/update*', /\w/],
  ['change-ignored', 'customers/changes/update*', /\w/],
  ['change-unchecked', 'customers/refusals/update*', /\w/],
  ['keeps-removed', 'customers/changes/remove* & benches/changes/remove*', /\w/],
  ['tier-ignored', 'customers/lists/filter*', /\w/],
  // What is created below a customer, and read at a path of its own.
  ['leaks-repairs', 'repairs/parents/apart*', /\w/],
  ['any-parent', 'repairs/parents/unknown*', /\w/],
  ['off:price', 'repairs/refusals/create[price-below-its-minimum]', /\w/],
  ['repairs-not-stored', 'repairs/records/get*', /\w/],
  ['repair-form-refused', 'repairs/requests/media-type[application/x-www-form-urlencoded]', /\w/],
  // What is put at a new name, and in place of what is there.
  ['put-merges', 'benches/changes/replace-whole*', /\w/],
  ['put-other-name', 'benches/records*', /\w/],
  ['put-loses-seats', 'benches/records*', /\w/],
  ['put-not-stored', 'benches/records*', /\w/],
  ['put-new-only', 'benches/changes/replace*', /\w/],
  ['put-to-all', 'benches/changes/replace* & benches/records*', /\w/],
  ['put-500', 'benches/changes/replace*', /\w/],
  ['benches-unlisted', 'benches/records/list*', /\w/],
  ['off:seats', 'benches/refusals/create[seats-above-its-maximum]', /\w/],
  ['off:material.required', 'benches/refusals/create[without-material]', /\w/],
  ['open-put', 'benches/refusals/credentials[create]', /\w/],
];

testService('workshop', {
  judge: judgeWorkshop,
  mutants: MUTANTS,
  variants: words`
  put-200 always-201 shelves-are-fixed shelves-vanish stamps newest-last empty-is-absent unique-names
`,
  least: [220, 120],
  only: (_, about) => about.split(' & '),
  // Nothing was put where something might have been, and nothing is left.
  listWrong: ({ left, unproven }) => [...unproven, ...(left > 0 ? [left] : [])],
});

test('nothing is put where an unknown name is answered as if it were known', async () => {
  const { scenarios, unproven } = await judgeWorkshop(['unknown-200'], ['benches/*']);
  expect(unproven).toEqual([]);
  expect(scenarios.find(({ id }) => id === 'benches/records/create')).toMatchObject({
    verdict: 'inconclusive',
    reason: expect.stringContaining('must return 404 for an unused key') as string,
  });
});

test('the mock of a workshop refuses and accepts what the runner expects of it', async () => {
  const result = await judgeMock({ spec: WORKSHOP_SPEC, apiKey: 'petstore-dev-key' });
  expect(result.problems.map(({ headline }) => headline)).toEqual([]);
  // The contract does not say whether a PUT makes a shelf, and the mock makes none.
  const open = listReasons(result);
  expect(open.filter((each) => !each.startsWith('shelves/'))).toEqual([]);
  expect(open.find((each) => each.startsWith('shelves/records/create:'))).toContain('the contract leaves open');
});
