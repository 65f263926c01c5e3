import { saysAbsent } from '../model/wire.js';
import type { StatusPattern } from '../model/scenario.js';
import type { Keyword } from './keyword.js';
import { sameJson } from '../../contract/document/same-json.js';
import { show } from './shown.js';
import { explainRefusal, explainRefusedBody } from './doubtful-refusal.js';
import { placeOfDue } from './places.js';
import { isServedInstead } from './served-instead.js';
import { answered, type Check, type CheckContext, type CheckOutcome } from './check.js';

export const statusCheck: Check = {
  id: 'status',
  title: 'the status is the one that the contract gives for the request',
  run(context) {
    const answer = answered(context);
    // Another check reports 5xx.
    if (answer === undefined || (answer.status >= 500 && context.sent.operation !== undefined)) return [];
    if (context.open) return judgeOpen(context, answer.status);
    const expected = context.expect.status;
    if (expected === undefined || fitsStatus(answer.status, expected) || isServedInstead(context)) return [];
    if (answer.status === 429) return [{ needs: NEEDS_RATE }];
    const reason = explainRefusal(context, answer.status);
    if (reason !== undefined) return [{ needs: reason }];
    const isThere = isStillThere(answer.status, expected, context);
    if (isThere && isMarked(context)) return [{ needs: NEEDS_REMOVAL }];
    const wanted = [expected].flat().map(String);
    return [
      {
        rule: 'expected',
        at: 'status',
        expected: wanted.join(' or '),
        wanted,
        actual: String(answer.status),
        // Writes may become visible late, and a cache may be stale.
        settles: saysAbsent(answer.status) || answer.status === 304 || isThere,
        ...(context.sent.operation === undefined ? {} : { contractPointer: placeOfDue([expected].flat(), context) }),
      },
    ];
  },
};

/** What is removed may be there for a while: a service may have said that it will go (RFC 9110 section 15.3.3). A contract need not say which refusal is due then. */
function isStillThere(
  status: number,
  expected: StatusPattern | StatusPattern[],
  { expect }: Pick<CheckContext, 'expect'>,
): boolean {
  const absent: readonly StatusPattern[] = expect.record?.removed === undefined ? [404, 410] : [404, 410, '4XX'];
  return status < 300 && [expected].flat().every((pattern) => absent.includes(pattern));
}

/** Whether a record that was removed is shown in another state than before: services keep what expired or is in the bin. */
function isMarked({ expect, body }: CheckContext): boolean {
  const before = expect.record?.removed;
  return before !== undefined && body.kind === 'json' && !sameJson(before, body.value);
}

export const statusKeyword: Keyword = {
  check: statusCheck,
  looksAt: 'answer',
  findMistake(value, { isOpen }) {
    if (isOpen(value)) return undefined;
    const patterns = [value].flat();
    const bad = patterns.find((pattern) => !isOpen(pattern) && !isStatus(pattern));
    if (patterns.length > 0 && bad === undefined) return undefined;
    return {
      at: '',
      message: `it must be a status from 100 to 599, a range such as 4XX, or a list of these, but is ${show(patterns.length > 0 ? bad : value)}.`,
    };
  },
};

function isStatus(value: unknown): boolean {
  return typeof value === 'string'
    ? /^[1-5]XX$/i.test(value)
    : typeof value === 'number' && Number.isInteger(value) && value >= 100 && value <= 599;
}

/** Whether a status matches the expected ones: `200`, `4XX`. */
export function fitsStatus(status: number, expected: StatusPattern | StatusPattern[]): boolean {
  return [expected].flat().some((pattern) => {
    const text = String(pattern).toUpperCase();
    return text.endsWith('XX') ? text[0] === String(status)[0] : text === String(status);
  });
}

/** Whether a status is of the expected kind, success or refusal, so that the request was or was not carried out as expected. */
export function isAlike(status: number, expected: StatusPattern | StatusPattern[] | undefined): boolean {
  if (expected === undefined || status >= 500) return false;
  return [expected].flat().some((pattern) => String(pattern)[0] === String(status)[0]);
}

/** Even if the contract leaves the answer open, a valid key must not be refused. 403 is about what was asked for. */
function judgeOpen(context: CheckContext, status: number): CheckOutcome[] {
  const { sent } = context;
  if (!sent.authorized || sent.operation === undefined) return [];
  const ofBody = explainRefusedBody(context, status);
  if (ofBody !== undefined) return [{ needs: ofBody }];
  if (status === 401)
    return [{ rule: 'key-refused', at: 'status', expected: 'no 401 with a valid key', actual: '401' }];
  const reason = status === 403 ? explainRefusal(context, status) : undefined;
  return reason === undefined ? [] : [{ needs: reason }];
}

const NEEDS_RATE =
  'skipped: the server kept returning 429; use --rate to send fewer requests per second, or --max-time to wait longer';
export const NEEDS_REMOVAL =
  'a contract that says that deleted records are gone: this service still returns the record, in another state than before';
