/**
 * A path of the contract as it appears in a URL: characters beyond visible ASCII are percent-encoded (RFC 3987 section
 * 3.1).
 */
export function encodePath(path: string): string {
  // Almost no path needs it, and replacing nothing takes much longer than looking.
  return VISIBLE.test(path) ? path : path.replace(/[^\u0021-\u007E]/gu, encodeURIComponent);
}

const VISIBLE = /^[\u0021-\u007E]*$/;
