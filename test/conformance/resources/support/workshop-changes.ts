import { words } from '../../../support/words.js';
/** One defect each, with the scenarios that find it. */
export const WORKSHOP_MUTANTS: readonly (readonly [mutant: string, ...about: string[]])[] = [
  // What is lost or changed in a form.
  ['tags-last', 'customers/records'],
  ['metadata-lost', 'customers/records'],
  ['metadata-flat', 'customers/records'],
  ['numbers-cut', 'customers/records'],
  ['false-is-true', 'customers/records'],
  ['plus-is-plus', 'customers/records'],
  ['colours-last', 'designs/records'],
  ['origin-as-text', 'designs/records'],
  ['same-id', 'designs/records/created-alone'],
  ['wrong-default', 'customers/records/defaults'],
  ['off:balance', 'customers/refusals/create[balance-below-its-minimum]'],
  ['off:email', 'customers/refusals/create[email-that-is-no-address]'],
  ['off:tier', 'customers/refusals/create[tier-that-is-not-in-its-list]'],
  ['off:tags', 'customers/refusals/create[tags-that-has-too-many-items]'],
  ['off:active', 'customers/refusals/create[active-that-is-a-word]'],
  ['off:closed', 'customers/refusals/create[with-a-field-that-there-is-not]'],
  ['off:title.required', 'designs/refusals/create[without-title]'],
  ['off:width', 'designs/refusals/create[width-above-its-maximum]'],
  ['open-form', 'customers/refusals/credentials[create]'],
  ['change-drops', 'customers/changes/update'],
  ['change-ignored', 'customers/changes/update'],
  ['change-unchecked', 'customers/refusals/update'],
  ['keeps-removed', 'customers/changes/remove', 'benches/changes/remove'],
  ['tier-ignored', 'customers/lists/filter'],
  // What is created below a customer, and read at a path of its own.
  ['leaks-repairs', 'repairs/parents/apart'],
  ['any-parent', 'repairs/parents/unknown'],
  ['off:price', 'repairs/refusals/create[price-below-its-minimum]'],
  ['repairs-not-stored', 'repairs/records/get'],
  ['repair-form-refused', 'repairs/requests/media-type[application/x-www-form-urlencoded]'],
  // What is put at a new name, and in place of what is there.
  ['put-merges', 'benches/changes/replace-whole'],
  ['put-other-name', 'benches/records'],
  ['put-loses-seats', 'benches/records'],
  ['put-not-stored', 'benches/records'],
  ['put-new-only', 'benches/changes/replace'],
  ['put-to-all', 'benches/changes/replace', 'benches/records'],
  ['put-500', 'benches/changes/replace'],
  ['benches-unlisted', 'benches/records/list'],
  ['off:seats', 'benches/refusals/create[seats-above-its-maximum]'],
  ['off:material.required', 'benches/refusals/create[without-material]'],
  ['open-put', 'benches/refusals/credentials[create]'],
];

/** What the contract leaves to the workshop: none of it is a problem. */
export const WORKSHOP_VARIANTS: readonly string[] = words`
  put-200 always-201 shelves-are-fixed shelves-vanish stamps newest-last empty-is-absent unique-names
`;
