import { findProblems } from '../../../src/conformance/explain/find-problems.js';
import type { ExchangeResult, Finding, ScenarioResult } from '../../../src/conformance/model/result.js';
import { makeDeviating, makeExchange, makeFinding } from '../../report/results.js';

const { request } = makeExchange();

/** One answer with what is wrong in it. */
export function answer(
  operationId: string,
  sent: Partial<ExchangeResult['request']>,
  ...found: Partial<Finding>[]
): ScenarioResult {
  return makeDeviating(`own/${operationId}`, found.map(makeFinding), { operationId, request: { ...request, ...sent } });
}

export const list = (path: string, ...found: Partial<Finding>[]): ScenarioResult =>
  answer('listPets', { path }, ...found);
export const get = (sent: Partial<ExchangeResult['request']>, ...found: Partial<Finding>[]): ScenarioResult =>
  answer('getPet', { path: '/pets/7', ...sent }, ...found);
export const status = (expected: string, actual: string): Partial<Finding> => ({
  check: 'status',
  rule: 'expected',
  at: 'status',
  expected,
  actual,
});
export const samePet = (at: string, expected: string, actual: string): Partial<Finding> => ({
  check: 'same-pet',
  rule: 'field',
  at,
  expected: `${expected}, as when it was created`,
  actual,
});

/** What a run with these answers says is wrong. */
export function headlines(...scenarios: ScenarioResult[]): string[] {
  return findProblems({ scenarios }).map(({ headline }) => headline);
}
