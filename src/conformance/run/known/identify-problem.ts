import type { ExchangeResult, Finding, ProblemParts } from '../../model/result.js';

/** The problem that a finding shows, as one text. */
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
