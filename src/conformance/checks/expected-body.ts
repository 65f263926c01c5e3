import { describeMismatch } from '../scenarios/match-schema.js';
import { successBody, type Check } from './check.js';

export const expectedBodyCheck: Check = {
  id: 'expected-body',
  title: 'a body is as the scenario asks',
  run(context) {
    const body = successBody(context);
    // An error's body is another check's.
    if (context.expect.body === undefined || body === undefined) return [];
    return describeMismatch(context.expect.body, body, 'body');
  },
};
