import type { StatusPattern } from '../scenarios/scenario.js';
import type { Keyword } from './keyword.js';
import { show } from './pets.js';
import { answered, type Check, type CheckContext, type CheckOutcome } from './check.js';

export const statusCheck: Check = {
  id: 'status',
  title: 'the status is the one that the contract gives for the request',
  run(context) {
    const answer = answered(context);
    // A 5xx is told by a check of its own.
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
        // What others see comes late, and a cache may be behind.
        settles: answer.status === 404 || answer.status === 304,
        ...(context.sent.operation === undefined
          ? {}
          : { contractPointer: `${context.sent.operation.pointer}/responses` }),
      },
    ];
  },
};

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

/** Whether a status is one of those expected: `200`, `4XX`. */
export function fitsStatus(status: number, expected: StatusPattern | StatusPattern[]): boolean {
  return [expected].flat().some((pattern) => {
    const text = String(pattern).toUpperCase();
    return text.endsWith('XX') ? text[0] === String(status)[0] : text === String(status);
  });
}

/** Whether a status is of the kind that is expected, a success or a refusal, so that what was asked for was done, or not. */
export function isAlike(status: number, expected: StatusPattern | StatusPattern[] | undefined): boolean {
  if (expected === undefined || status >= 500) return false;
  return [expected].flat().some((pattern) => String(pattern)[0] === String(status)[0]);
}

/** Where the contract leaves the answer open, it still does not let a valid key be refused. */
function judgeOpen({ sent }: CheckContext, status: number): CheckOutcome[] {
  if (!sent.authorized || sent.operation === undefined || (status !== 401 && status !== 403)) return [];
  return [{ rule: 'key-refused', at: 'status', expected: 'no 401 or 403 with a valid key', actual: String(status) }];
}

/** Category records are not shown, so a service may ask for one that exists; nobody knows one. */
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
