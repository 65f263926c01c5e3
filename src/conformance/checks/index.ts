import {
  answeredCheck,
  bodyCheck,
  contentTypeCheck,
  errorBodyCheck,
  extraFieldsCheck,
  jsonCheck,
  keyEchoCheck,
  noBodyCheck,
  serverErrorCheck,
  unaskedCredentialsCheck,
} from './response.js';
import type { Check, Given, Keyword, Mistake } from './check.js';
import {
  equalsCheck,
  equalsKeyword,
  expectedBodyCheck,
  bodyKeyword,
  expectedHeadersCheck,
  headersKeyword,
} from './expectations.js';
import { ownRecordsCheck } from './own-records.js';
import { recordCheck, recordKeyword } from './record.js';
import { recordsCheck, recordsKeyword } from './list.js';
import { statusCheck, statusKeyword } from './status.js';
import type { Expectation } from '../model/scenario.js';

/** All checks, in the order of their findings in reports. */
export const checks: readonly Check[] = [
  answeredCheck,
  serverErrorCheck,
  statusCheck,
  unaskedCredentialsCheck,
  contentTypeCheck,
  jsonCheck,
  bodyCheck,
  errorBodyCheck,
  noBodyCheck,
  keyEchoCheck,
  extraFieldsCheck,
  expectedHeadersCheck,
  expectedBodyCheck,
  equalsCheck,
  recordCheck,
  recordsCheck,
  ownRecordsCheck,
];

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

/** An expectation without the values that no check can judge, and the needs that result from those. */
export function keepUsable(filled: Expectation): { expect: Expectation; needs: string[] } {
  const expect = { ...filled };
  const needs: string[] = [];
  const given: Given = { stage: 'run', isOpen: () => false, bodyKind: undefined };
  for (
    let found = findUnusableKeyword(expect, given);
    found !== undefined;
    found = findUnusableKeyword(expect, given)
  ) {
    needs.push(`another value under \`${found.keyword}${found.at}\`: ${found.message.replace(/\.$/, '')}`);
    delete expect[found.keyword];
  }
  return { expect, needs };
}
