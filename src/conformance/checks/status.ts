import type { StatusPattern } from '../scenarios/scenario.js';
import type { Keyword } from './keyword.js';
import { show } from './pets.js';
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
    if (expected === undefined || fitsStatus(answer.status, expected)) return [];
    if (answer.status === 429) return [{ needs: NEEDS_RATE }];
    if (mayLackCategory(context, answer.status)) return [{ needs: NEEDS_CATEGORY }];
    return [
      {
        rule: 'expected',
        at: 'status',
        expected: [expected].flat().join(' or '),
        actual: String(answer.status),
        // Writes may become visible late, and a cache may be stale.
        settles: answer.status === 404 || answer.status === 304 || isStillThere(answer.status, expected),
        ...(context.sent.operation === undefined
          ? {}
          : { contractPointer: `${context.sent.operation.pointer}/responses` }),
      },
    ];
  },
};

/** What is removed may be there for a while: a service may have said that it will go (RFC 9110 section 15.3.3). */
function isStillThere(status: number, expected: StatusPattern | StatusPattern[]): boolean {
  return status < 300 && [expected].flat().every((pattern) => pattern === 404 || pattern === 410);
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

/** Whether an error says something of what was asked for, rather than of the key, the rate or the service. */
export function isOfRequest(status: number): boolean {
  return status >= 400 && ![401, 403, 429, 502, 503, 504].includes(status);
}

/** Even if the contract leaves the answer open, a valid key must not be refused. */
function judgeOpen({ sent }: CheckContext, status: number): CheckOutcome[] {
  if (!sent.authorized || sent.operation === undefined || (status !== 401 && status !== 403)) return [];
  return [{ rule: 'key-refused', at: 'status', expected: 'no 401 or 403 with a valid key', actual: String(status) }];
}

/** The contract does not show categories, so a service may require an existing one, and none is known. */
function mayLackCategory({ sent, expect, memory }: CheckContext, status: number): boolean {
  return (
    sent.operation?.id === 'createPet' &&
    memory.category.source === 'guessed' &&
    fitsStatus(201, expect.status ?? []) &&
    fitsStatus(status, [400, 404, 409, 422])
  );
}

const NEEDS_RATE =
  'a target that answers more requests before it limits them; use --rate to send fewer per second, or --max-time to allow more time for waiting';
const NEEDS_CATEGORY = 'an existing category (--category-id), since there was no pet to take one from';
