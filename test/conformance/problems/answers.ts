import { findProblems } from '../../../src/conformance/problems/problems.js';
import type { ExchangeResult, Finding, ScenarioResult } from '../../../src/conformance/model/result.js';
import { makeAbout, makeDeviating, makeExchange, makeFinding } from '../../report/results.js';

const { request } = makeExchange();

/** One answer with what is wrong in it. */
export function answer(
  operationId: string,
  sent: Partial<ExchangeResult['request']>,
  ...found: Partial<Finding>[]
): ScenarioResult {
  return makeDeviating(`pets/own/${operationId}`, found.map(makeFinding), {
    operationId,
    request: { ...request, ...sent },
  });
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
/** The same in another scenario. */
export const as = (id: string, scenario: ScenarioResult): ScenarioResult => ({ ...scenario, id, ...makeAbout(id) });
/** A field that is not as it was sent. */
export const changed = (at: string, expected: string, actual: string): Partial<Finding> => ({
  check: 'record',
  rule: at.split('/').at(-1) ?? '',
  at,
  expected: `${expected}, as it was sent`,
  actual,
});

/** What a run with these answers says is wrong. */
export const headlines = (...scenarios: ScenarioResult[]): string[] =>
  findProblems({ scenarios }).map(({ headline }) => headline);
