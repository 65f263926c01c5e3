// What the one problem of a mutant must say, by what the mutant spoils.
import { expect } from 'vitest';
import type { RunResult } from '../../../../src/conformance/model/result.js';

/** Of which a run tells several problems, with the reason. */
const SEVERAL: Readonly<Record<string, { most: number; because: string }>> = {
  'create-echoes-wrong': { most: 2, because: 'the answers of two resources are wrong in a field each, of other names' },
  'create-forgets-optional': {
    most: 2,
    because: 'two resources lose fields of other names, and a third has none to lose',
  },
  'filter-without-case': { most: 2, because: 'the filters of two resources have other names' },
  'list-misses-newest': {
    most: 3,
    because: 'the whole list of orders is seen to have them all, so the lists of two others and a filter are each told',
  },
  'remove-all': {
    most: 3,
    because: 'notes and orders that belong to a customer who is gone are refused, each by its create',
  },
  'remove-another': { most: 2, because: 'what was to be removed is there, and what was not is lost' },
};

/** A mutant has one problem, and its headline says which. */
export function expectOneProblem({ problems }: RunResult, mutant: string): void {
  const headlines = problems.map(({ headline }) => headline);
  expect(headlines).toEqual([expect.stringMatching(wordsOf(mutant)), ...headlines.slice(1)]);
  expect(headlines.slice(SEVERAL[mutant]?.most ?? 1)).toEqual([]);
}

const OF_FIELD =
  /^(?:off|default-wrong|value-wrong|edge-wrong|cuts|ignores|forgets|as-text|list-drops|shows|stores|stores-change|drops-inside|drops-items|unchecked|not-needed|any):([\w-]+)|^(\w+)-(?:not-required|unchecked|any-text|may-be-\w+|as-text)$/;

const WORDS: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:no-keys?\b|any-key|key-4\d\d|second-login)/, /\bkey\b/],
  [/^merges-flat$/, /^A merge patch of a part of `contact` loses the rest of it \(tickets\)$/],
  [/^turn-drops-filter/, /^The filters? by .* from the second page on$/],
  [
    /^no-key-with:/,
    /^The key is not checked: .* serves requests without a key (?:from the second page on|if they filter)/,
  ],
  [/^filter-/, /^The filter by `\w+` of \w+/],
  [/^(?:total|total-\w+)$/, /says that there are \d+ records, and lists \d+/],
  [
    /^(?:delete|remove)-(?:keeps|other|from-get|not-in-filter)$/,
    /deleted record is still in|returns records that do not match/,
  ],
  [/^(?:limit-ignored|limit-plus)/, /more records than (?:its|their) limit/],
  [/^points-as-text$/, /^`points` of a record is text \("\d+"\), not an integer/],
  [/^replace-merges$/, /^A replacement without `\w+` does not remove it \(orders\)$/],
  [/^outlive$/, / return 200 instead of 404 below a record that was removed$/],
  [/^(?:leaks-parents|parent-ignored|notes-shared)/, /in a collection to which it does not belong/],
  [/^(?:304|tag)-/, /304/],
  // Not a field `type`, but the media type of a body.
  [/^type-unchecked$/, /accepts a body that is not JSON/],
];

/** What the headline of the problem must say; of `off:closed` and `PUT-unchecked`, any field may be the first. */
function wordsOf(mutant: string): RegExp {
  const spoils = mutant.replace(/^(?:agents|tickets|comments|books|members|loans):/, '');
  const known = WORDS.find(([pattern]) => pattern.test(spoils));
  if (known !== undefined) return known[1];
  const [, inside, before] = OF_FIELD.exec(spoils) ?? [];
  const field =
    { closed: 'noSuchField', key: 'id', put: '', change: '', PUT: '', PATCH: '' }[inside ?? before ?? ''] ??
    inside ??
    before ??
    '';
  return field === '' ? /\w/ : new RegExp(`\`${field}`);
}
