import type { Expectation } from '../model/scenario.js';
import { equalsKeyword } from './equals.js';
import { bodyKeyword } from './expected-body.js';
import { headersKeyword } from './expected-headers.js';
import type { Given, Keyword, Mistake } from './keyword.js';
import { recordKeyword } from './record-like.js';
import { recordsKeyword } from './records-listed.js';
import { statusKeyword } from './status.js';

/** Every keyword that a scenario file may have in `expect` and `assume`, with its check. */
export const keywords: Readonly<Record<keyof Expectation, Keyword>> = {
  status: statusKeyword,
  headers: headersKeyword,
  body: bodyKeyword,
  equals: equalsKeyword,
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

const FILLED: Given = { stage: 'run', isOpen: () => false, bodyKind: undefined };

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
