import type { Unanswered, WireAnswer } from '../model/wire.js';
import type { Check } from './check.js';

/** RFC 9110 section 15.5.14: a server may close the connection if a body is too long for it. */
const LONG_BODY_BYTES = 1024 * 1024;
const NEEDS_ANSWER = 'a target that responds to a body over 1 MiB instead of closing the connection';

export const answeredCheck: Check = {
  id: 'answered',
  title: 'every request gets a complete response in time',
  run({ answer, sent }) {
    const lack = findLack(answer);
    if (lack === undefined || lack.reason === 'interrupted') return [];
    if (lack.reason === 'unavailable') return [{ needs: `a target that is available all the time: ${lack.detail}` }];
    if (lack.reason === 'starved') return [{ needs: `a machine that is less busy: ${lack.detail}` }];
    // The contract limits neither names nor, therefore, the size of pages: an answer that is too long for the run proves nothing about the target.
    if (lack.reason === 'too-large') return [{ needs: `smaller responses: ${lack.detail}` }];
    const wasCut = lack.reason === 'dropped' || lack.reason === 'incomplete';
    if (wasCut && sent.bodyLength > LONG_BODY_BYTES) return [{ needs: NEEDS_ANSWER }];
    // The contract promises nothing for operations that it does not have: a gateway may hang up.
    if (sent.operation === undefined)
      return [
        {
          needs: `a response; instead: ${lack.detail}, which is allowed for a request that the contract does not describe`,
        },
      ];
    return [{ rule: lack.reason, at: 'response', expected: 'a complete HTTP response', actual: lack.detail }];
  },
};

/** Why an answer is not whole: none came, or its body was cut off. */
function findLack(answer: WireAnswer): Pick<Unanswered, 'reason' | 'detail'> | undefined {
  if (answer.kind === 'unanswered') return answer;
  return answer.cutOff === undefined ? undefined : { reason: 'incomplete', detail: answer.cutOff };
}
