import { createSecretPattern } from '../secrets.js';

/** Takes secrets out of a text. */
export type Redactor = (text: string) => string;

const REDACTED = '[redacted]';

/** Query parameters that people put keys in, also those of another service. */
const SECRET_PARAMETER =
  /([?&;](?:api[-_]?key|key|(?:access|auth|id|refresh)?[-_]?token|authorization|auth|secret|password)=)[^&;\s"]+/gi;

/**
 * Takes these keys out of any text, as they are and as URLs and JSON write
 * them, and the values of query parameters that are named like a secret.
 */
export function createRedactor(keys: readonly string[]): Redactor {
  const patterns = keys.map(createSecretPattern);
  const redactKeys: Redactor = (text) => patterns.reduce((left, pattern) => left.replace(pattern, REDACTED), text);
  return (text) => {
    if (text === '') return text;
    const byName = redactKeys(text.includes('=') ? text.replace(SECRET_PARAMETER, `$1${REDACTED}`) : text);
    // An escape can stand for any letter of a key.
    return byName.includes('%') ? byName.replace(/[^\s"/?&=;]*%[^\s"/?&=;]*/g, hideEscaped) : byName;
  };

  function hideEscaped(word: string): string {
    const decoded = decode(word);
    return redactKeys(decoded) === decoded ? word : REDACTED;
  }
}

/** Bytes that are no UTF-8 do not hide what stands beside them. */
function decode(word: string): string {
  return word.replace(/(?:%[\da-f]{2})+/gi, (escapes) =>
    Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8'),
  );
}
