import type { Contract } from '../../contract/contract.js';
import type { Operation } from '../../contract/model.js';
import { formatPlace } from '../../errors.js';
import { hasNoContent } from '../../contract/validate.js';
import { describeViolation, type Violation } from '../../contract/schemas/violation.js';
import { findUnsendable } from '../answer/find-unsendable.js';
import { writeGiven } from '../answer/given-answer.js';
import type { Fault } from './fault.js';

/** Why an answer of one's own cannot be planted; sentences without a full stop. Its fault has the right shape. */
export function findAnswerProblems(fault: Fault, contract: Contract): string[] {
  if (!('answer' in fault.effect)) return [];
  const operation = findAnswered(fault, contract);
  if (operation === undefined) return [NO_OPERATION];
  const response = writeGiven(fault.effect.answer, operation, contract);
  const unsendable =
    response.body !== undefined && hasNoContent(response.status)
      ? `a response with ${response.status} has no body (RFC 9110)`
      : findUnsendable(response);
  if (unsendable !== undefined) return [`effect.answer cannot be sent: ${unsendable}`];
  const violations = findAnswerViolations(fault, contract);
  if (violations.length === 0) return [];
  return [
    `effect.answer breaks the contract: ${violations.map(tellBreach).join('; ')}; to send it anyway, add breaksContract: true to effect.answer`,
  ];
}

const NO_OPERATION =
  'effect.answer is checked against the contract, so the fault must name the operation: its operationId, or when.method and when.path';

/** What an answer of one's own breaks of the contract, unless it says that it does. Its fault has the right shape. */
export function findAnswerViolations(fault: Fault, contract: Contract): Violation[] {
  const operation = findAnswered(fault, contract);
  if (!('answer' in fault.effect) || operation === undefined || fault.effect.answer.breaksContract === true) return [];
  return contract.validate.response(operation, writeGiven(fault.effect.answer, operation, contract));
}

/** A violation with its line of the contract. */
export function tellBreach(violation: Violation): string {
  return `${describeViolation(violation)} (${formatPlace(violation.contract)})`;
}

function findAnswered({ operationId, when = {} }: Fault, contract: Contract): Operation | undefined {
  if (operationId !== undefined) return contract.operations.find(({ id }) => id === operationId);
  if (when.method === undefined || when.path === undefined) return undefined;
  const match = contract.match(when.method.toUpperCase(), when.path);
  return match.kind === 'operation' ? match.operation : undefined;
}
