import type { Expectation } from '../model/scenario.js';
import type { CheckContext, CheckOutcome } from './check.js';
import { findRule } from './find-response.js';
import { fitsStatus, isAlike } from './status.js';

/** The value that a keyword examines; without one, the outcomes, which are none if another check reports the reason. */
export type LookedAt<T> = { value: T } | { outcomes: CheckOutcome[] };

const TOLD_ELSEWHERE: { outcomes: CheckOutcome[] } = { outcomes: [] };

/** The body of an answer with the expected status, or of a success if none is expected. */
export function readBodyFor(keyword: keyof Expectation, context: CheckContext): LookedAt<unknown> {
  const { answer, body, expect, sent } = context;
  if (expect[keyword] === undefined || answer.kind === 'unanswered') return TOLD_ELSEWHERE;
  const { status } = answer;
  if (expect.status !== undefined && !fitsStatus(status, expect.status) && !isAlike(status, expect.status))
    return TOLD_ELSEWHERE;
  if (expect.status === undefined && (status < 200 || status > 299)) {
    if (status === 429)
      return {
        outcomes: [
          {
            needs: `a response other than 429 (too many requests), which \`${keyword}\` can judge; --rate sends fewer requests per second`,
          },
        ],
      };
    return status >= 500 && sent.operation !== undefined
      ? TOLD_ELSEWHERE
      : deviate(keyword, { at: 'status', expected: 'a success', actual: String(status) });
  }
  if (body.kind === 'json') return { value: body.value };
  if (body.kind === 'cut-off' || body.kind === 'too-deep') return TOLD_ELSEWHERE;
  const actual = body.kind === 'none' ? 'no body' : body.problem;
  return describesBody(context)
    ? { outcomes: [{ needs: `JSON in the response, which \`${keyword}\` in the scenario judges` }] }
    : deviate(keyword, { at: 'body', expected: 'a body of JSON', actual });
}

/** What is said of an answer that is no success, where the scenario states no status: it is none that could be looked at. */
export function findUnanswered(keyword: keyof Expectation, context: CheckContext): CheckOutcome[] | undefined {
  if (context.expect[keyword] === undefined || context.expect.status !== undefined || context.open) return undefined;
  const read = readBodyFor(keyword, context);
  return 'outcomes' in read ? read.outcomes : undefined;
}

/** Whether the contract describes a body, whose absence other checks report. */
function describesBody(context: CheckContext): boolean {
  return (findRule(context)?.content.length ?? 0) > 0;
}

function deviate(
  keyword: string,
  { at, expected, actual }: { at: string; expected: string; actual: string },
): { outcomes: CheckOutcome[] } {
  return { outcomes: [{ rule: 'present', at, expected: `${expected}, for \`${keyword}\` to look at`, actual }] };
}
