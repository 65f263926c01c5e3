import { NOW_AND_THEN } from '../../model/flaky-rule.js';
import type { ExchangeResult, Finding, ScenarioResult } from '../../model/result.js';
import { has, wants } from '../statuses.js';

/** What checks of lists find where something is not in one. */
const OF_LISTS: ReadonlySet<string> = new Set(['present', 'missing', 'covers', 'full', 'whole', 'more', 'total']);

/**
 * Tells what is missing from an answer of an operation that shows things only now and then: no other cause is needed for
 * it, though no later look took it back.
 */
export function findLacking(
  scenarios: readonly ScenarioResult[],
): (exchange: ExchangeResult, finding: Finding) => boolean {
  const exchanges = scenarios.flatMap(({ steps }) => steps.flatMap((step) => step.exchanges));
  const unsteady = new Set(exchanges.filter(({ findings }) => findings.some(isOfMany)).map((each) => each.operationId));
  return ({ operationId, response }, finding) => {
    if (isOfMany(finding)) return true;
    if (operationId === undefined || !unsteady.has(operationId)) return false;
    const isAbsent = has({ response }, '404', '410') && wants({ finding }, '2XX');
    return isAbsent || (finding.check !== 'body' && finding.at.startsWith('body') && OF_LISTS.has(finding.rule));
  };
}

/** Whether a finding says what many answers show together. */
export function isOfMany({ rule }: Finding): boolean {
  return rule === NOW_AND_THEN;
}
