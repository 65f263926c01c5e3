import { answered, type Check } from './check.js';

export const serverErrorCheck: Check = {
  id: 'server-error',
  title: 'no request causes a server error (5xx)',
  run(context) {
    const answer = answered(context);
    if (answer === undefined || answer.status < 500) return [];
    // The contract promises nothing for operations that it does not have: a gateway may answer.
    if (context.sent.operation === undefined) return [];
    return [{ rule: 'no-5xx', at: 'status', expected: 'a status below 500', actual: String(answer.status) }];
  },
};

/** The rule of a failure that was none when the same was sent again: it has no condition that a request could meet. */
export const SERVED_AGAIN = 'served-again';

/** Of a failure that was none when the same was sent again. */
export const servedAgainCheck: Check = {
  ...serverErrorCheck,
  run: (context) => serverErrorCheck.run(context).map((each) => Object.assign(each, { rule: SERVED_AGAIN })),
};
