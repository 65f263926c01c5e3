import { findContent, isJsonMediaType } from '../../contract/media-types.js';
import type { Content, ResponseRule } from '../../contract/model.js';
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

/**
 * What the contract says of the body as it is labelled. A body with another label is judged as the only content, or the only
 * one of JSON; of several it may be any, and only the label is reported.
 */
export function findLabelled({ content }: ResponseRule, { answer }: CheckContext): Content | undefined {
  const label = answer.kind === 'answered' ? answer.headers['content-type'] : undefined;
  const found = label === undefined ? undefined : findContent(content, label);
  if (found !== undefined) return found;
  const usual = content.length === 1 ? content : content.filter(({ mediaType }) => isJsonMediaType(mediaType));
  return usual.length === 1 ? usual[0] : undefined;
}
