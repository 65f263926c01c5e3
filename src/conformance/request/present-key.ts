import type { AuthForm } from '../scenarios/scenario.js';

/**
 * The `Authorization` field for each way to present a key, or several; `undefined` sends none. Node writes fields as
 * Latin-1; a key with other letters goes out as its UTF-8 bytes, as from a shell (RFC 9110 section 5.5 leaves it open).
 */
export function presentKey(form: AuthForm, key: string): string | readonly string[] | undefined {
  return AUTHORIZATION[form](Buffer.from(key).toString('latin1'));
}

/** RFC 9110 section 5.1: field names are case-insensitive; HTTP/2 sends them in lower case. */
export function nameField(form: AuthForm): string {
  return form === 'lowerCaseField' ? 'authorization' : 'Authorization';
}

const AUTHORIZATION: Readonly<Record<AuthForm, (key: string) => string | readonly string[] | undefined>> = {
  valid: (key) => `Bearer ${key}`,
  missing: () => undefined,
  wrong: (key) => `Bearer ${replaceKey(key)}`,
  empty: () => 'Bearer ',
  truncated: (key) => `Bearer ${key.slice(0, -1)}`,
  extended: (key) => `Bearer ${key}x`,
  prefixed: (key) => `Bearer x${key}`,
  otherCase: (key) => `Bearer ${swapCase(key)}`,
  otherScheme: (key) => `Basic ${key}`,
  bareKey: (key) => key,
  lowerCaseScheme: (key) => `bearer ${key}`,
  lowerCaseField: (key) => `Bearer ${key}`,
  firstOfTwo: (key) => `Bearer ${key} other`,
  lastOfTwo: (key) => `Bearer other ${key}`,
  amongOthers: (key) => `Bearer other,${key}`,
  quoted: (key) => `Bearer "${key}"`,
  // The two bytes of é, as a shell sends them.
  beyondAscii: (key) => `Bearer ${key}\u00C3\u00A9`,
  wordUndefined: () => 'Bearer undefined',
  wordNull: () => 'Bearer null',
  star: () => 'Bearer *',
  twoFields: (key) => [`Bearer x${key}`, `Bearer ${key}x`],
};

/** Every key that a run sends, including wrong ones made from the right one: an echo of those reveals it too. */
export function listSentKeys(key: string): string[] {
  return [key, replaceKey(key), key.slice(0, -1), swapCase(key), key.toLowerCase(), key.toUpperCase()];
}

/** Another key of the same length and alphabet. */
function replaceKey(key: string): string {
  const other = key.replace(/[0-8a-yA-Y]/g, (char) => String.fromCodePoint((char.codePointAt(0) ?? 0) + 1));
  return other === key ? 'x'.repeat(Math.max(key.length, 1) + 1) : other;
}

export function swapCase(key: string): string {
  return key.replace(/[a-zA-Z]/g, (char) => (char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase()));
}
