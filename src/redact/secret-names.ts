import { createRedactor, PLACEHOLDER } from './redactor.js';

const SECRET_NAME = /auth(?!ors?$)|key|token|secret|cookie|passw|passphrase|pwd|credential|session|signature|jwt/i;

/** A challenge names no secret, and what makes a request idempotent is none. */
const PUBLIC_NAMES: ReadonlySet<string> = new Set(['www-authenticate', 'proxy-authenticate', 'idempotency-key']);

/** Whether a header field of this name holds something that nobody else may see. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) && !PUBLIC_NAMES.has(name.toLowerCase());
}

/** Query parameters that people put keys in, also those of another service. */
const SECRET_PARAMETER =
  /([?&;](?:api[-_]?key|key|(?:access|auth|id|refresh)?[-_]?token|authorization|auth|secret|password)=)[^&;\s"]+/gi;

/** Takes these secrets out of any text, and the values of query parameters that are named like a secret. */
export function createRequestRedactor(secrets: readonly string[]): (text: string) => string {
  const redact = createRedactor(secrets);
  return (text) => redact(text.includes('=') ? text.replace(SECRET_PARAMETER, `$1${PLACEHOLDER}`) : text);
}
