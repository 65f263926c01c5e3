// What a problem of a mutant must say, by what the mutant spoils.
import { expect } from 'vitest';
import type { RunResult } from '../../../../src/conformance/model/result.js';

/** One defect may be reported as so many problems: of fields, operations or resources that show it. */
export const MOST_PROBLEMS = 6;

/** One of few problems has a headline that says what is wrong. */
export function expectProblem({ problems }: Pick<RunResult, 'problems'>, headline: RegExp, most?: number): void {
  expectHeadline(
    problems.map((problem) => problem.headline),
    headline,
    most,
  );
}

export function expectHeadline(headlines: readonly string[], headline: RegExp, most = MOST_PROBLEMS): void {
  expect(headlines).toContainEqual(expect.stringMatching(headline));
  expect(headlines.slice(most)).toEqual([]);
}

const OF_FIELD =
  /^(?:off|default-wrong|value-wrong|edge-wrong|cuts|ignores|forgets|as-text|list-drops|shows|stores|stores-change|drops-inside|drops-items|unchecked|not-needed|any):([\w-]+)/;

const WORDS: readonly (readonly [RegExp, RegExp])[] = [
  [/^no-key-with:/, /^The key is not checked: .* serves requests without a key (?:with a \w+|for \d+ of \d+ requests)/],
  [/^(?:no-key\b|any-key|key-4\d\d|second-login)/, /\bkey\b/],
  [/^merges-flat$/, /^A merge patch of a part of `contact` loses the rest of it \(tickets\)$/],
  [/^turn-drops-filter/, /^The filter by .* from the second page on$/],
  [/^filter-/, /^The filter by `\w+` of \w+/],
  [/^(?:total|total-\w+)$/, /says that there are \d+ records, and lists \d+/],
  [/^delete-(?:keeps|other|from-get|not-in-filter)$/, /deleted record is still in|returns records that do not match/],
  [/^(?:limit-ignored|limit-plus)/, /more records than (?:its|their) limit/],
  [/^outlive$/, / returns? 200 instead of 404 below a record that was removed$/],
  // A removal of what is not there may count as done; that the record is gone shows it.
  [/^parent-ignored:DELETE$/, /^A created record is missing in responses of \w+\.get/],
  [/^(?:leaks-parents|parent-ignored)/, /in a collection to which it does not belong/],
  [/^(?:304|tag)-/, /304/],
  // Not a field `type`, but the media type of a body.
  [/^type-unchecked$/, /accepts a body that is not JSON/],
];

/** What the headline of the problem of a mutant must say; of `off:closed` and `put-unchecked`, any field may be the first. */
export function wordsOf(mutant: string): RegExp {
  const spoils = mutant.replace(/^(?:agents|tickets|comments|books|members|loans):/, '');
  const known = WORDS.find(([pattern]) => pattern.test(spoils));
  if (known !== undefined) return known[1];
  const field = OF_FIELD.exec(spoils)?.[1];
  return field === undefined ? /\w/ : new RegExp(`\`${field === 'closed' ? 'noSuchField' : field}`);
}
