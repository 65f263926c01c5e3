/** An equivalent spelling: a letter or a digit and its percent escape are the same (RFC 3986 section 6.2.2.2). */
export function escapeFirst(encoded: string): string {
  return encoded.replace(/(?<!%|%.)[A-Za-z\d]/, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** A value of a path that is to be written in an equivalent spelling: `{ $escaped: 34 }`. */
export const ESCAPED = '$escaped';

/** A value of a path as it is sent. */
export function encodeInPath(value: unknown): string {
  return isEscaped(value) ? escapeFirst(encode(value[ESCAPED])) : encode(value);
}

export function isEscaped(value: unknown): value is { [ESCAPED]: unknown } {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, ESCAPED);
}

/** A target may answer with half a surrogate pair, which a URL cannot contain. */
export function encode(value: unknown): string {
  return encodeURIComponent(String(value).replace(/\p{Surrogate}/gu, '\uFFFD'));
}
