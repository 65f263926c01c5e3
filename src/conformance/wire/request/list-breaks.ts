import type { SentRequest } from '../../model/sent-request.js';
import type { BrokenOnPurpose } from '../../model/sent-request.js';

const MOST = 3;

/** What a request breaks on purpose; empty for one that keeps the contract. */
export function listBreaks({ operation, violations, json, bodyLength, lacks }: SentRequest): BrokenOnPurpose[] {
  if (lacks !== undefined) return [{ at: 'credentials', rule: 'scope', actual: lacks.scopes.join(' ') }];
  if (operation?.requestBody !== undefined && json === undefined)
    return [{ at: 'body', rule: 'json', actual: bodyLength === 0 ? 'no body' : 'a body that is not JSON' }];
  return violations
    .slice(0, MOST)
    .map(({ at, rule, expected, actual }) =>
      rule === 'required' ? { at, rule, actual } : { at, rule, expected, actual },
    );
}
