import type { ExchangeResult, Finding } from './result.js';

/**
 * Names the fault that a finding tells of: the same for the same rule, broken at the same place of the same operation,
 * in every run. Nothing in it depends on what happens to be stored at the target.
 */
export function identifyFault(
  { operationId = '' }: Pick<ExchangeResult, 'operationId'>,
  { check, rule, at, expected, actual }: Finding,
): string {
  const place = at.replace(/\/\d+(?=\/|$)/g, '/*');
  // A status says which answer is wrong only together with the one that was expected.
  const statuses = at === 'status' ? [expected, actual] : [];
  return JSON.stringify([operationId, check, rule, place, ...statuses]);
}
