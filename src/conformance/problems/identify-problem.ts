import type { ExchangeResult, Finding } from '../result.js';

/**
 * What tells a problem of the target from another: the same for the same rule, broken at the same place of the same
 * operation, in every run. Nothing in it depends on what happens to be stored at the target.
 */
export interface ProblemParts {
  /** Absent for a request that the contract does not have. */
  operation?: string | undefined;
  check: string;
  rule: string;
  /** Where in the message, with a star for every index. */
  at: string;
  /** A status says which answer is wrong only together with the one that was expected. */
  expected?: string | undefined;
  actual?: string | undefined;
}

/** Names the problem that a finding tells of, as one text. */
export function identifyProblem(exchange: Pick<ExchangeResult, 'operationId'>, finding: Finding): string {
  return joinProblemParts(readProblemParts(exchange, finding));
}

export function readProblemParts(
  { operationId }: Pick<ExchangeResult, 'operationId'>,
  { check, rule, at, expected, actual }: Finding,
): ProblemParts {
  return {
    ...(operationId === undefined ? {} : { operation: operationId }),
    check,
    rule,
    at: at.replace(/\/\d+(?=\/|$)/g, '/*'),
    ...(at === 'status' ? { expected, actual } : {}),
  };
}

export function joinProblemParts({ operation = '', check, rule, at, expected, actual }: ProblemParts): string {
  const statuses = expected === undefined ? [] : [expected, actual];
  return JSON.stringify([operation, check, rule, at, ...statuses]);
}
