/**
 * Whether a header field names a create, so that sending it again makes no second record
 * (draft-ietf-httpapi-idempotency-key-header).
 */
export function isRepeatKey(name: string): boolean {
  return /^(?:x-)?idempotency-key$/i.test(name);
}
