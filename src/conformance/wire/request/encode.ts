/** An equivalent spelling: a letter or a digit and its percent escape are the same (RFC 3986 section 6.2.2.2). */
export function escapeFirst(encoded: string): string {
  return encoded.replace(/(?<!%|%.)[A-Za-z\d]/, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** The same with every sign escaped, of which the digits may be in either case (RFC 3986 section 2.1). */
function escapeAll(encoded: string): string {
  return encoded.replace(/%[\dA-F]{2}|[\w.~-]/g, (sign) =>
    (sign.length > 1 ? sign : `%${sign.charCodeAt(0).toString(16)}`).toLowerCase(),
  );
}

/** A value of a path that is to be written in an equivalent spelling: `{ $escaped: 34, how: 'first' }`. */
export const ESCAPED = '$escaped';

/** One sign of it, or all. */
export type Escaping = 'first' | 'all';

/** A value of a path as it is sent. */
export function encodeInPath(value: unknown): string {
  if (!isEscaped(value)) return encode(value);
  return (value.how === 'all' ? escapeAll : escapeFirst)(encode(value[ESCAPED]));
}

export function isEscaped(value: unknown): value is { [ESCAPED]: unknown; how?: Escaping } {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, ESCAPED);
}

/** A target may answer with half a surrogate pair, which a URL cannot contain. */
export function encode(value: unknown): string {
  return encodeURIComponent(String(value).replace(/\p{Surrogate}/gu, '\uFFFD'));
}
