import type { Operation } from '../model.js';

/** Whether a contract documents errors alone, and so says nothing of how success looks (OpenAPI 3.1.1, Responses Object). */
export function leavesSuccessOpen({ responses }: Operation): boolean {
  return responses.length > 0 && responses.every((rule) => /^[345]/.test(rule.status));
}
