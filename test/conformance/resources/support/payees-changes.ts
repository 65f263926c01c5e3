/** Habits that the contract allows. */
export const PAYEES_VARIANTS: readonly (readonly string[])[] = [
  [],
  ['nulls-dropped', 'newest-first'],
  ['more-fields', 'signs-refused'],
  ['letters-refused'],
];

/** One defect each, and what its headline says. */
export const PAYEES_MUTANTS: Readonly<Record<string, RegExp>> = {
  'code-end-open': /^payees_create accepts `taxCode` "[A-Z]{2}\d{6}~".* though it must be a text that matches/,
  'first-branch-checked': /^payees_create accepts `branches\/1/,
  'branch-fields-unchecked': /^payees_create accepts .*`branches\/1\/(?:town|floor)`/,
  'company-unchecked': /^payees_create accepts a body without `registry`, `registry` "HR\d{4}/,
  'company-seat-lost': /^`seat` is not as it was sent/,
  'registry-hidden': /^`registry` of a record is missing in responses of payees_/,
  'letters-decoded': /^`nickname` is not as it was sent .*: "Zo\u00C3/,
  'letters-crash': /^payees_create fails with 500/,
  'signs-escaped': /^`nickname` is not as it was sent .*&amp;/,
  'null-emptied': /^`memo` is not as it was sent .*: "" instead of null$/,
  'labels-lowered': /^`labels\/\w+` is not as it was sent/,
  'unknown-found': /^payees_get returns (?:another record|200 instead of 404)/,
};
