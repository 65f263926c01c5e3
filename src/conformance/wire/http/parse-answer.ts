import { parseJsonBytes, type JsonResult } from '../../../contract/document/json.js';

/** How deep an answer may be nested: a limit of ours (RFC 8259 section 9), far from what any service needs, and no rule for the target. */
export const DEEPEST_ANSWER = 1000;

/** The JSON of an answer. */
export function parseAnswer(bytes: Uint8Array): JsonResult {
  return parseJsonBytes(bytes, DEEPEST_ANSWER);
}
