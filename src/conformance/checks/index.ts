import * as response from './response.js';
import * as stated from './expectations.js';
import { validatorsCheck, ownRecordsCheck } from './own-records.js';
import type { Check, Given, StatedCheck } from './check.js';
import { recordsCheck } from './list.js';
import { statusCheck } from './status.js';
import type { Expectation } from '../model/scenario.js';

/** All checks, in the order of their findings in reports. */
export const checks: readonly Check[] = [
  response.answeredCheck,
  response.serverErrorCheck,
  statusCheck,
  response.unaskedCredentialsCheck,
  response.contentTypeCheck,
  response.jsonCheck,
  response.bodyCheck,
  response.errorBodyCheck,
  response.noBodyCheck,
  response.keyEchoCheck,
  response.extraFieldsCheck,
  stated.expectedHeadersCheck,
  stated.expectedBodyCheck,
  stated.equalsCheck,
  stated.recordCheck,
  recordsCheck,
  ownRecordsCheck,
  validatorsCheck,
  response.leakCheck,
];

export const keywords: Readonly<Record<keyof Expectation, StatedCheck>> = {
  status: statusCheck,
  headers: stated.expectedHeadersCheck,
  body: stated.expectedBodyCheck,
  equals: stated.equalsCheck,
  record: stated.recordCheck,
  records: recordsCheck,
};

export function listKeywords(expectation: Expectation): (keyof Expectation)[] {
  return (Object.keys(keywords) as (keyof Expectation)[]).filter((name) => expectation[name] !== undefined);
}

export function findUnusableKeyword(expectation: Expectation, given: Given) {
  for (const keyword of listKeywords(expectation)) {
    const mistake = keywords[keyword].findMistake(expectation[keyword], given);
    if (mistake !== undefined) return { keyword, ...mistake };
  }
  return undefined;
}

export function keepUsable(filled: Expectation): { expect: Expectation; needs: string[] } {
  const expect = { ...filled };
  const needs: string[] = [];
  const given: Given = { stage: 'run', isOpen: () => false, bodyKind: undefined };
  for (;;) {
    const found = findUnusableKeyword(expect, given);
    if (found === undefined) return { expect, needs };
    needs.push(`another value under \`${found.keyword}${found.at}\`: ${found.message.replace(/\.$/, '')}`);
    delete expect[found.keyword];
  }
}
