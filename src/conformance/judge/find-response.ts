import type { ResponseRule } from '../../contract/model.js';
import { findResponse } from '../../contract/operations/operations.js';
import type { CheckContext } from './check.js';
import { isAlike } from './status.js';

/**
 * What the contract says of an answer. One that comes with a status which the contract does not have is judged as the
 * answer that was expected, where both are successes, or both refusals: its wrong status is told, and the rest of it still says
 * something of the target.
 */
export function findRule(context: CheckContext): ResponseRule | undefined {
  const { answer, expect } = context;
  const { operation } = context.sent;
  if (operation === undefined || answer.kind === 'unanswered') return undefined;
  const own = findResponse(operation, answer.status);
  // Of a status that is right, what the contract says of others says nothing.
  const isRight = [expect.status].flat().includes(answer.status);
  if (own !== undefined || isRight || !isAlike(answer.status, expect.status)) return own;
  const expected = [expect.status].flat().filter((each) => each !== undefined && isAlike(answer.status, each));
  return operation.responses.find(({ status }) => expected.some((each) => String(each) === status));
}
