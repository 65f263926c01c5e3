import type { Expectation } from '../model/scenario.js';
import { containsKeyword } from './contains.js';
import { coversKeyword } from './covers.js';
import { equalsKeyword } from './equals.js';
import { bodyKeyword } from './expected-body.js';
import { headersKeyword } from './expected-headers.js';
import { everyKeyword } from './filter.js';
import type { Given, Keyword, Mistake } from './keyword.js';
import { nothingNewKeyword } from './left-behind.js';
import { listedKeyword } from './listed.js';
import { noRefusedPetsKeyword } from './none-refused.js';
import { pageKeyword } from './page.js';
import { recordKeyword } from './record-like.js';
import { recordsKeyword } from './records-listed.js';
import { statusKeyword } from './status.js';

/** Every keyword that a scenario file may have in `expect` and `assume`, with its check. */
export const fileKeywords = {
  status: statusKeyword,
  headers: headersKeyword,
  body: bodyKeyword,
  equals: equalsKeyword,
  contains: containsKeyword,
  page: pageKeyword,
  covers: coversKeyword,
  listed: listedKeyword,
  noRefusedPets: noRefusedPetsKeyword,
  nothingNew: nothingNewKeyword,
  every: everyKeyword,
} satisfies Readonly<Record<Exclude<keyof Expectation, 'record' | 'records'>, Keyword>>;

/** Also those of scenarios that speak of roles, which no file of a user has. */
export const keywords: Readonly<Record<keyof Expectation, Keyword>> = {
  ...fileKeywords,
  record: recordKeyword,
  records: recordsKeyword,
};

/** The keywords in an expectation or an assumption. */
export function listKeywords(expectation: Expectation): (keyof Expectation)[] {
  return (Object.keys(keywords) as (keyof Expectation)[]).filter((name) => expectation[name] !== undefined);
}

/** The first keyword with a value that its check cannot judge. */
export function findUnusableKeyword(
  expectation: Expectation,
  given: Given,
): ({ keyword: keyof Expectation } & Mistake) | undefined {
  for (const keyword of listKeywords(expectation)) {
    const mistake = keywords[keyword].findMistake(expectation[keyword], given);
    if (mistake !== undefined) return { keyword, ...mistake };
  }
  return undefined;
}

const FILLED: Given = { stage: 'run', isOpen: () => false, statuses: [], bodyKind: undefined };

/** An expectation without the values that no check can judge, and the needs that result from those. */
export function keepUsable(filled: Expectation): { expect: Expectation; needs: string[] } {
  const expect = { ...filled };
  const needs: string[] = [];
  for (const keyword of listKeywords(filled)) {
    const mistake = keywords[keyword].findMistake(filled[keyword], FILLED);
    if (mistake === undefined) continue;
    needs.push(`another value under \`${keyword}${mistake.at}\`: ${mistake.message.replace(/\.$/, '')}`);
    delete expect[keyword];
  }
  return { expect, needs };
}
