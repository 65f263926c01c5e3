import type { Operation } from '../model.js';

/**
 * Whether a contract documents only errors of an operation, and so does not say what success looks like (OpenAPI 3.1.1,
 * Responses Object).
 */
export function leavesSuccessOpen({ responses }: Operation): boolean {
  return responses.length > 0 && responses.every((rule) => /^[345]/.test(rule.status));
}
