/** A path of the contract as a URL has it: what is beyond visible ASCII is percent-encoded (RFC 3987 section 3.1). */
export function encodePath(path: string): string {
  // All but a few are, and to replace nothing takes much longer than to look.
  return VISIBLE.test(path) ? path : path.replace(/[^\u0021-\u007E]/gu, encodeURIComponent);
}

const VISIBLE = /^[\u0021-\u007E]*$/;
