import { findProblems } from '../../../src/conformance/problems/problems.js';
import type { ExchangeResult, Finding, ScenarioResult } from '../../../src/conformance/model/result.js';
import { makeAbout, makeDeviating, makeExchange, makeFinding } from '../../report/results.js';

type Sent = Partial<ExchangeResult['request']>;
type Found = Partial<Finding>;

/** One answer with what is wrong in it. */
export const answer = (operationId: string, sent: Sent, ...found: Found[]): ScenarioResult =>
  makeDeviating(`pets/own/${operationId}`, found.map(makeFinding), {
    operationId,
    request: { ...makeExchange().request, ...sent },
  });
export const list = (path: string, ...found: Found[]): ScenarioResult => answer('listPets', { path }, ...found);
export const get = (sent: Sent, ...found: Found[]): ScenarioResult =>
  answer('getPet', { path: '/pets/7', ...sent }, ...found);
export const find = (check: string, rule: string, at: string, expected: string, actual: string): Found => ({
  check,
  rule,
  at,
  expected,
  actual,
});
export const status = (expected: string, actual: string): Found =>
  find('status', 'expected', 'status', expected, actual);
/** The same in another scenario. */
export const as = (id: string, scenario: ScenarioResult): ScenarioResult => ({ ...scenario, id, ...makeAbout(id) });
/** A field that is not as it was sent. */
export const changed = (at: string, expected: string, actual: string): Found =>
  find('record', at.split('/').at(-1) ?? '', at, `${expected}, as it was sent`, actual);

/** What a run with these answers says is wrong. */
export const headlines = (...scenarios: ScenarioResult[]): string[] =>
  findProblems({ scenarios }).map(({ headline }) => headline);
