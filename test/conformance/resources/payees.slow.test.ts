import { words } from '../../support/words.js';
import { judgePayees, listReasons } from './support/judge-service.js';
import { testService, type Mutant } from './support/test-service.js';

const MUTANTS: readonly Mutant[] = [
  [
    'code-end-open',
    'payees/*',
    /^payees_create accepts `taxCode` "[A-Z]{2}\d{6}~".* though it must be a text that matches/,
  ],
  ['first-branch-checked', 'payees/*', /^payees_create accepts `branches\/1/],
  ['branch-fields-unchecked', 'payees/*', /^payees_create accepts .*`branches\/1\/(?:town|floor)`/],
  ['company-unchecked', 'payees/*', /^payees_create accepts a body without `registry`, `registry` "HR\d{4}/],
  ['company-seat-lost', 'payees/*', /^`seat` is not as it was sent/],
  ['registry-hidden', 'payees/*', /^`registry` of a record is missing in responses of payees_/],
  ['letters-decoded', 'payees/*', /^`nickname` is not as it was sent .*: "Zo\u00C3/],
  ['letters-crash', 'payees/*', /^payees_create fails with 500/],
  ['signs-escaped', 'payees/*', /^`nickname` is not as it was sent .*&amp;/],
  ['null-emptied', 'payees/*', /^`memo` is not as it was sent .*: "" instead of null$/],
  ['labels-lowered', 'payees/*', /^`labels\/\w+` is not as it was sent/],
  ['unknown-found', 'payees/*', /^payees_get returns (?:another record|200 instead of 404)/],
];

/** Records of each kind, nulls, letters, signs and a key that no record has. */
const TRIED = words`values[kind-2] values[lowest] texts[letters] texts[signs] unknown`;

testService('service that keeps payees', {
  judge: judgePayees,
  mutants: MUTANTS,
  variants: ['nulls-dropped newest-first', 'more-fields signs-refused', 'letters-refused'],
  least: [50, 50],
  listWrong: (result) => [
    ...listReasons(result),
    ...TRIED.filter((id) => result.scenarios.every((each) => each.id !== `payees/records/${id}`)),
  ],
});
