import { answered, type Check } from './check.js';

export const serverErrorCheck: Check = {
  id: 'server-error',
  title: 'no request makes the service fail',
  run(context) {
    const answer = answered(context);
    if (answer === undefined || answer.status < 500) return [];
    // RFC 9110 section 9.1: a method that a service does not know may be answered with 501.
    if (context.sent.operation === undefined && answer.status === 501) return [];
    return [{ rule: 'no-5xx', at: 'status', expected: 'a status below 500', actual: String(answer.status) }];
  },
};
