/** What Node refuses to send in a header field (RFC 9110 section 5.5). */
const UNSENDABLE = /[^\t\u0020-\u007E\u0080-\u00FF]/u;

/** The first character of a text that no header field can carry, given as position and code point, since the text may be secret. */
export function findUnsendable(text: string): string | undefined {
  return findFirst(UNSENDABLE, text);
}

/** {@link findUnsendable} for a key, which always goes out as its UTF-8 bytes. */
export function findUnsendableInKey(key: string): string | undefined {
  return findFirst(CONTROL, key);
}

const CONTROL = /[^\t\P{Cc}]/u;

function findFirst(unsendable: RegExp, text: string): string | undefined {
  const characters = Array.from(text);
  const index = characters.findIndex((character) => unsendable.test(character));
  if (index < 0) return undefined;
  const number = (characters[index]?.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `U+${number}, as character ${index + 1}`;
}
