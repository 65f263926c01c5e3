/** An equivalent spelling: a letter or a digit and its percent escape are the same (RFC 3986 section 6.2.2.2). */
export function escapeFirst(encoded: string): string {
  return encoded.replace(/(?<!%|%.)[A-Za-z\d]/, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** A target may answer with half a surrogate pair, which a URL cannot contain. */
export function encode(value: unknown): string {
  return encodeURIComponent(String(value).replace(/\p{Surrogate}/gu, '\uFFFD'));
}
