/**
 * What is wrong with a key, which is never shown: reads after its name, without
 * a full stop. `undefined` when it can stand in the `Authorization` field
 * (RFC 9110 sections 5.5 and 11.4).
 */
export function findKeyProblem(key: unknown): string | undefined {
  if (typeof key !== 'string') return 'must be a text, in quotes where it is a number';
  if (key === '') return 'must not be empty';
  if (/^bearer\s/i.test(key)) return 'begins with the word Bearer, which is no part of a key; leave it out';
  if (key.includes('\uFFFD')) return 'has bytes that are not UTF-8';
  const place = Array.from(key).findIndex((character) => /[\s\p{Cc}]/u.test(character));
  if (place < 0) return undefined;
  const character = Array.from(key)[place] ?? '';
  if (character === ' ')
    return `has a space, as character ${place + 1}; a space ends a key in the Authorization header`;
  return `has ${nameCharacter(character)}, as character ${place + 1}, which no key in a header can have`;
}

function nameCharacter(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
